import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
})
afterAll(() => bench?.end())

/** Makes a session with calls of which one fails and one ends with another code than 0. */
async function newSession(name: string) {
  await bench.ask('POST', '/v1/sessions', { name })
  await bench.call(name, 'execute_shell', { command: 'echo fine' })
  await bench.call(name, 'file_read', { file_path: 'absent.txt' })
  await bench.call(name, 'execute_shell', { command: 'echo half done; exit 4' })
}

const queryOf = (page: Page) => new URL(page.url()).search
const topOf = (page: Page) => page.evaluate<number>('scrollY')

describe('filters and places of the console', () => {
  it('keep the filter of the sessions on the way to one and back, by breadcrumb and over a reload', async () => {
    await newSession('stays-one')
    await newSession('other')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions`)
    await page.getByRole('link', { name: /^other/ }).waitFor()
    await page.getByRole('searchbox').fill('stays')
    await page.getByRole('link', { name: /^other/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^stays-one/ }).click()
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    await page.getByRole('button', { name: 'Snapshot' }).waitFor()
    await page.reload()
    await page.getByRole('heading').getByRole('link', { name: 'Sessions' }).click()
    await page.getByRole('link', { name: /^stays-one/ }).waitFor()
    expect(queryOf(page)).toBe('?q=stays')
    expect(await page.getByRole('searchbox').inputValue()).toBe('stays')
    expect(errors).toEqual([])
  })

  it('keep the filter of the calls on the way over other tabs, and back', async () => {
    await newSession('tabs')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/tabs`)
    await page.getByLabel('State').selectOption('failed')
    await page.getByRole('link', { name: /absent\.txt/ }).click()
    await page.getByRole('button', { name: 'Call again' }).waitFor()
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    await page.getByRole('button', { name: 'Snapshot' }).waitFor()
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await page.getByRole('link', { name: /absent\.txt/ }).waitFor()
    expect(queryOf(page)).toBe('?state=failed')
    for (let step = 0; step < 3; step++) await page.goBack()
    await page.getByRole('list', { name: 'Calls' }).waitFor()
    expect(queryOf(page)).toBe('?state=failed')
    expect(errors).toEqual([])
  })

  it('count what did not go well in the list of sessions, and lead to just those calls', async () => {
    await newSession('bad')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions?q=bad`)
    await page.getByRole('link', { name: '2 failed' }).click()
    const calls = page.getByRole('list', { name: 'Calls' })
    await calls.getByText('exit 4', { exact: true }).waitFor()
    await calls.getByText('error', { exact: true }).waitFor()
    expect(await calls.getByRole('link').count()).toBe(2)
    expect(queryOf(page)).toBe('?state=failed')
    expect(errors).toEqual([])
  })

  it('count calls of a session beside its name soon after it made them, in a list that is newest first', async () => {
    for (const name of ['counted-old', 'counted-new']) await bench.ask('POST', '/v1/sessions', { name })
    const { page } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions?q=counted`)
    await page.getByText('newest first').waitFor()
    const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    const old = rows.filter({ hasText: 'counted-old' })
    await old.getByText('–', { exact: true }).first().waitFor()
    for (let call = 0; call < 8; call++) await bench.call('counted-old', 'execute_shell', { command: 'true' })
    // Sooner than a list whose calls are counted each half minute alone.
    await old.getByText('8', { exact: true }).waitFor({ timeout: 15_000 })
    expect(await rows.locator('strong').allTextContents()).toEqual(['counted-new', 'counted-old'])
  })

  it('have the states of sessions below one another on a telephone', async () => {
    await newSession('aligned-with-failures')
    await bench.ask('POST', '/v1/sessions', { name: 'aligned' })
    const { page } = await bench.newPage({ viewport: { width: 375, height: 700 } })
    await page.goto(`${bench.url}/console/sessions?q=aligned`)
    await page.getByRole('link', { name: '2 failed' }).waitFor()
    const edges = await page
      .locator('.session-row .badge')
      .evaluateAll((badges) =>
        badges.map((badge) =>
          Math.round(
            (badge as unknown as { getBoundingClientRect(): { right: number } }).getBoundingClientRect().right,
          ),
        ),
      )
    expect(edges).toHaveLength(3)
    expect(new Set(edges).size).toBe(1)
  })

  it('are as far down as they were left, over a reload and back from a call', async () => {
    await bench.newSessionOfCalls('long', 300)
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/long/calls`)
    await page.getByRole('link', { name: /absent-300\b/ }).waitFor()
    await page.keyboard.press('G')
    const last = page.getByRole('link', { name: /absent-1 / })
    await last.waitFor()
    const top = await topOf(page)
    expect(top).toBeGreaterThan(10_000)
    await expect.poll(() => page.evaluate('history.state.top')).toBe(top)
    await page.reload()
    await last.waitFor()
    await expect.poll(() => topOf(page)).toBe(top)
    await last.click()
    await page.getByRole('button', { name: 'Call again' }).waitFor()
    await page.goBack()
    await last.waitFor()
    await expect.poll(() => topOf(page)).toBe(top)
    expect(errors).toEqual([])
  })

  it('are at the row that was opened, on the way back, up from a call, and by j from there', async () => {
    await bench.newSessionOfCalls('rows', 40)
    const { page, errors } = await bench.newPage()
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    await page.goto(`${bench.url}/console/sessions/rows/calls`)
    await page.getByRole('link', { name: /absent-37 / }).click()
    await page.getByRole('button', { name: 'Call again' }).waitFor()
    await page.goBack()
    await expect.poll(focused).toMatch(/read absent-37\D/)
    await page.keyboard.press('j')
    expect(await focused()).toMatch(/read absent-36\D/)

    await page.keyboard.press('Enter')
    await page.getByText('5 of 40').waitFor()
    for (let step = 6; step <= 30; step++) {
      await page.keyboard.press('j')
      await page.getByText(`${step} of 40`).waitFor()
    }
    await page.keyboard.press('u')
    await expect.poll(focused).toMatch(/read absent-11\D/)
    await page.keyboard.press('k')
    expect(await focused()).toMatch(/read absent-12\D/)
    expect(errors).toEqual([])
  })
})
