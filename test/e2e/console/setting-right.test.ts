import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
})
afterAll(() => bench?.end())

/** Text of a file of a session. */
const fileOf = async (session: string, path: string) =>
  (await fetch(`${bench.url}/v1/sessions/${session}/files/${path}`)).text()

/** Two sessions, in the older of which an agent has spoiled its plan between calls that did no harm. */
async function spoiled(name: string) {
  await bench.ask('POST', '/v1/sessions', { name })
  const upload = (...files: readonly (readonly [string, string])[]) =>
    bench.call(name, 'file_upload', { files: files.map(([filename, content]) => ({ filename, content })) })
  await upload(['plan.md', 'the plan of a month\n'])
  await bench.call(name, 'file_read', { file_path: 'upload/plan.md' })
  await upload(['notes.md', 'seen\n'], ['plan.md', 'lorem ipsum\n'])
  await bench.call(name, 'dir_list', { path: 'upload' })
  await bench.ask('POST', '/v1/sessions', { name: `${name}-after` })
  await bench.call(`${name}-after`, 'file_write', { file_path: 'a.md', content: 'fine' })
}

const isFocused = (target: Locator) =>
  target.evaluate(
    (element) => element === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement,
  )

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, target: Locator) {
  await target.waitFor()
  for (let presses = 0; presses < 100; presses++) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('no number of Tabs leads there')
}

/** Presses `j` until a row has the focus. */
async function moveTo(page: Page, row: Locator) {
  await row.waitFor()
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('j')
    if (await isFocused(row)) return
  }
  throw new Error('no number of j leads there')
}

describe('somebody who opens the console to set right what an agent did wrong', () => {
  it('finds it, takes the file back, and calls the tool again with other arguments, by keys alone', async () => {
    await spoiled('by-keys')
    const { page, errors } = await bench.newPage()
    const { keyboard } = page
    await page.goto(`${bench.url}/console/`)
    await page.getByRole('link', { name: /^by-keys-after/ }).waitFor()
    await keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys' })
    for (const words of ['Search', 'Next in sessions', 'This list']) await help.getByText(words).waitFor()
    await keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })

    await keyboard.press('/')
    await keyboard.type('by-keys')
    await keyboard.press('Escape')
    await moveTo(page, page.getByRole('link', { name: /^by-keys(?!-)/ }))
    await keyboard.press('Enter')

    await page.getByRole('heading', { name: 'Sessions / by-keys' }).waitFor()
    await keyboard.press('/')
    await keyboard.type('lorem')
    await keyboard.press('Escape')
    await page.getByRole('link', { name: /dir_list/ }).waitFor({ state: 'detached' })
    await moveTo(page, page.getByRole('link', { name: /lorem ipsum/ }))
    await keyboard.press('Enter')

    const plan = page.getByRole('listitem').filter({ hasText: 'upload/plan.md' })
    await tabTo(page, plan.getByRole('button', { name: 'Take it back' }))
    await keyboard.press('Enter')
    await page.getByText('Set back: upload/plan.md is as it was').waitFor()
    expect(await fileOf('by-keys', 'upload/plan.md')).toBe('the plan of a month\n')
    expect(await fileOf('by-keys', 'upload/notes.md')).toBe('seen\n')

    await tabTo(page, page.getByLabel('Arguments as JSON'))
    const areChanged = page.getByText('with the arguments as you have changed them')
    expect(await areChanged.count()).toBe(0)
    await keyboard.press('Control+A')
    await keyboard.insertText('{"files": [{"filename": "notes.md", "content": "seen, and kept\\n"}]}')
    await areChanged.waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Call again' }))
    await keyboard.press('Enter')
    await page.getByText('Called again.').waitFor()
    await expect.poll(() => fileOf('by-keys', 'upload/notes.md')).toBe('seen, and kept\n')
    expect(await fileOf('by-keys', 'upload/plan.md')).toBe('the plan of a month\n')
    expect(errors).toEqual([])
  })

  it('finds it, takes the file back, and calls the tool again with other arguments, by the mouse alone', async () => {
    await spoiled('by-mouse')
    const { page, errors } = await bench.newPage()
    await page.addInitScript("addEventListener('keydown', () => { throw new Error('a key was pressed') }, true)")
    await page.goto(`${bench.url}/console/`)
    await page.getByRole('link', { name: /^by-mouse(?!-)/ }).click()
    await page.getByRole('link', { name: /file_upload.*lorem ipsum/ }).click()
    await page.getByRole('link', { name: 'What changed, line by line' }).click()

    const plan = page.getByRole('article').filter({ hasText: 'upload/plan.md' })
    await plan.getByText('-the plan of a month').waitFor()
    await plan.getByText('+lorem ipsum').waitFor()
    await plan.getByRole('button', { name: 'Take this file back' }).click()
    await page.getByText('Set back: upload/plan.md is as it was').waitFor()
    expect(await fileOf('by-mouse', 'upload/plan.md')).toBe('the plan of a month\n')
    expect(await fileOf('by-mouse', 'upload/notes.md')).toBe('seen\n')

    await page.getByRole('link', { name: 'The call', exact: true }).click()
    await page.getByRole('link', { name: 'Edit in the form' }).click()
    await page.getByRole('button', { name: 'Take files 2 away' }).click()
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByRole('region', { name: 'Answer' }).getByText('stored upload/notes.md', { exact: false }).waitFor()
    expect(await fileOf('by-mouse', 'upload/plan.md')).toBe('the plan of a month\n')
    expect(errors).toEqual([])
  })
})
