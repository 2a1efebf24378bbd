import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench
let call: string

beforeAll(async () => {
  bench = await startConsole()
  await bench.ask('POST', '/v1/sessions', { name: 'quarterly' })
  await bench.ask('POST', '/v1/sessions', { name: 's-7', title: 'Otters of May' })
  await bench.call('quarterly', 'file_write', { file_path: 'notes/report.md', content: '# Report' })
  call = await bench.call('quarterly', 'execute_shell', { command: 'echo one' })
})
afterAll(() => bench?.end())

const at = (page: Page, place: string) => page.goto(`${bench.url}/console/${place}`)
/** Tag and words of the element that has the focus. */
const focused = (page: Page) =>
  page.evaluate("[document.activeElement.tagName, document.activeElement.textContent].join(' ')") as Promise<string>

describe('the title of a page', () => {
  it('is of what the page shows, the most special first', async () => {
    const { page, errors } = await bench.newPage()
    const titles = {
      sessions: 'Sessions',
      'sessions/quarterly': 'Calls · quarterly',
      [`sessions/quarterly/calls/${call}`]: 'execute_shell · quarterly',
      'sessions/quarterly/files/notes/report.md': 'report.md · quarterly',
      'sessions/quarterly/files': 'Files · quarterly',
      'sessions/s-7/history': 'History · Otters of May',
      'tools/execute_shell': 'execute_shell · Tools',
      'tools/from/marketplace': 'Marketplace · Tools',
      usage: 'Usage',
      'no/such/page': 'No such page',
    }
    for (const [place, title] of Object.entries(titles)) {
      await at(page, place)
      await expect.poll(() => page.title(), { message: place }).toBe(`${title} · Toolyard`)
    }
    expect(errors).toEqual([])
  })

  it('goes with the place, back too', async () => {
    const { page } = await bench.newPage()
    await at(page, 'sessions/quarterly')
    await page.getByRole('link', { name: /echo one/ }).click()
    await expect.poll(() => page.title()).toBe('execute_shell · quarterly · Toolyard')
    await page.getByRole('link', { name: 'Usage' }).click()
    await expect.poll(() => page.title()).toBe('Usage · Toolyard')
    await page.goBack()
    await expect.poll(() => page.title()).toBe('execute_shell · quarterly · Toolyard')
  })
})

describe('the focus', () => {
  it('goes to the heading of a page, or to the field that wants it, and stays free in the first one', async () => {
    const { page } = await bench.newPage()
    await at(page, '')
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    expect(await focused(page)).toMatch(/^BODY/)
    await page.getByRole('link', { name: 'Usage' }).click()
    await expect.poll(() => focused(page)).toBe('H1 Usage')
    await page.keyboard.press('5')
    await expect.poll(() => focused(page)).toBe('H1 Keys')
    await page.getByRole('link', { name: 'New child key' }).click()
    await page.getByRole('heading', { name: 'New child key' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name')
    await page.goBack()
    await expect.poll(() => focused(page)).toBe('H1 Keys')
  })

  it('stays at a row of a tree while files are opened', async () => {
    const { page } = await bench.newPage()
    await bench.call('quarterly', 'file_write', { file_path: 'a.txt', content: 'of a' })
    await bench.call('quarterly', 'file_write', { file_path: 'b.txt', content: 'of b' })
    await at(page, 'sessions/quarterly/files/a.txt')
    const row = page.getByRole('link', { name: /^b\.txt/ })
    await row.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'b.txt' }).waitFor()
    expect(await focused(page)).toContain('A b.txt')
  })
})

describe('the list of keys', () => {
  const openKeys = async (page: Page) => {
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys' })
    await help.waitFor()
    return { help, lines: await help.locator('dl > div').allTextContents() }
  }

  it('names each key apart, and those that a row or a form has by itself', async () => {
    const { page } = await bench.newPage()
    await at(page, 'sessions')
    await page.getByRole('link', { name: /^quarterly/ }).waitFor()
    const { help, lines } = await openKeys(page)
    expect(lines).toEqual(expect.arrayContaining(['g or HomeFirst row', 'EnterOpen the row', '2Tools']))
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await at(page, 'tools/execute_shell')
    await page.getByRole('button', { name: 'Call', exact: true }).waitFor()
    expect((await openKeys(page)).lines).toContain('Ctrl + EnterCall the tool, from a field')
  })

  it('gives the focus back to where it was', async () => {
    const { page } = await bench.newPage()
    await at(page, 'sessions')
    await page.getByRole('link', { name: /^quarterly/ }).waitFor()
    await page.keyboard.press('j')
    const before = await focused(page)
    expect(before).toMatch(/^A /)
    const { help } = await openKeys(page)
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe(before)
  })

  it('gives it back to the menu, where it was opened from that', async () => {
    const { page } = await bench.newPage({ viewport: { width: 375, height: 700 } })
    await at(page, 'sessions')
    await page.getByText('Menu', { exact: true }).click()
    await page.getByRole('button', { name: /^Shortcuts/ }).click()
    const help = page.getByRole('dialog', { name: 'Keys' })
    await help.waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toMatch(/^SUMMARY/)
  })
})
