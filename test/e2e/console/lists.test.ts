import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
})
afterAll(() => bench?.end())

const MANY = 10_000
/** Rows that are drawn of any list: those that a window of 800 pixels shows, and some beyond its edges. */
const DRAWN_MAX = 100

const drawn = (page: Page) => page.locator('[data-at]').count()

describe('lists of ten thousand rows', () => {
  it('of calls draw what is seen of them, and are followed to the last by G', async () => {
    await bench.newSessionOfCalls('calls', MANY)
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/calls/calls`)
    await page.getByRole('link', { name: /absent-10000 / }).waitFor()
    expect(await drawn(page)).toBeLessThan(DRAWN_MAX)
    await page.keyboard.press('G')
    await page.getByRole('link', { name: /absent-1 / }).waitFor()
    expect(await drawn(page)).toBeLessThan(DRAWN_MAX)
    expect(await page.locator('[data-at]').last().getAttribute('aria-setsize')).toBe(String(MANY))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Call again' }).waitFor()
    expect(errors).toEqual([])
  })

  it('of files in one directory too, by End, and the last one is opened beside them', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'files' })
    const command = `mkdir many && cd many && for n in $(seq -w ${MANY}); do echo "file $n" > "f$n.txt"; done`
    await bench.call('files', 'execute_shell', { command })
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/files/files/code_run/many/`)
    await page.getByRole('link', { name: /^f00001\.txt/ }).waitFor()
    await page.getByText('Loading …').waitFor({ state: 'detached' })
    await page.keyboard.press('End')
    const last = page.getByRole('link', { name: new RegExp(`^f${MANY}\\.txt`) })
    await last.waitFor()
    expect(await drawn(page)).toBeLessThan(DRAWN_MAX)
    // Below the directory's last file are two directories beside it: logs/ and upload/.
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.getByLabel('Text of the file').getByText(`file ${MANY}`).waitFor()
    expect(await last.getAttribute('aria-current')).toBe('page')
    expect(await drawn(page)).toBeLessThan(DRAWN_MAX)
    expect(errors).toEqual([])
  })
})

describe('the tree of files', () => {
  it('reads no directory again for a file that is opened, and shows what was uploaded', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'tree' })
    for (const file_path of ['docs/a.txt', 'docs/deep/b.txt', 'c.txt']) {
      await bench.call('tree', 'file_write', { file_path, content: `text of ${file_path}` })
    }
    const { page, errors } = await bench.newPage()
    const listed: string[] = []
    page.on('response', (answer) => {
      const { pathname, searchParams } = new URL(answer.url())
      if (pathname.includes('/files') && searchParams.has('limit')) listed.push(pathname)
    })
    await page.goto(`${bench.url}/console/sessions/tree/files/docs/deep/b.txt`)
    await page.getByLabel('Text of the file').getByText('text of docs/deep/b.txt').waitFor()
    await page.getByRole('link', { name: /^a\.txt/ }).waitFor()
    const before = listed.length
    await page.getByRole('link', { name: /^a\.txt/ }).click()
    await page.getByLabel('Text of the file').getByText('text of docs/a.txt').waitFor()
    expect(listed.slice(before)).toEqual([])

    const file = { name: 'up.txt', mimeType: 'text/plain', buffer: Buffer.from('text of up') }
    await page.getByLabel('Upload, or drop files here').setInputFiles(file)
    await page.getByLabel('Text of the file').getByText('text of up').waitFor()
    await page.getByRole('link', { name: /^up\.txt/ }).waitFor()
    expect(errors).toEqual([])
  })

  it('is walked by keys, directories too', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'walked' })
    await bench.call('walked', 'file_write', { file_path: 'a/inner.txt', content: 'found by keys' })
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/walked/files`)
    await page.getByRole('button', { name: 'a/' }).waitFor()
    await page.keyboard.press('j')
    expect(await page.locator(':focus').textContent()).toBe('a/')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /^inner\.txt/ }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByLabel('Text of the file').getByText('found by keys').waitFor()
    expect(errors).toEqual([])
  })
})

describe('the tree of files beside a file', () => {
  it('keeps the focus on the row that was opened, so that j goes on from there', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'kept' })
    const files = ['b', 'c', 'd'].map((name) => ({ filename: `${name}.txt`, content: `text of ${name}` }))
    await bench.call('kept', 'file_upload', { files })
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/kept/files/upload/`)
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    await page.getByRole('link', { name: /^b\.txt/ }).waitFor()
    for (const name of ['b', 'c']) {
      await page.getByRole('link', { name: new RegExp(`^${name}\\.txt`) }).focus()
      await page.keyboard.press('Enter')
      await page.getByLabel('Text of the file').getByText(`text of ${name}`).waitFor()
      expect(await focused()).toContain(`${name}.txt`)
    }
    await page.keyboard.press('j')
    expect(await focused()).toContain('d.txt')
    // By an address, the file that is shown is where j begins.
    await page.goto(`${bench.url}/console/sessions/kept/files/upload/c.txt`)
    await page.getByRole('link', { name: /^d\.txt/ }).waitFor()
    await page.keyboard.press('j')
    expect(await focused()).toContain('d.txt')

    await page.goto(`${bench.url}/console/sessions/kept/files`)
    await page.getByRole('button', { name: 'upload/' }).click()
    await page.getByRole('link', { name: /^b\.txt/ }).click()
    await page.getByLabel('Text of the file').getByText('text of b').waitFor()
    expect(await focused()).toContain('b.txt')
    expect(errors).toEqual([])
  })
})

describe('keys', () => {
  beforeAll(() => bench.ask('POST', '/v1/sessions', { name: 'keys' }))

  it('go from one changed place of a difference to the next, and from commit to commit', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'hunks' })
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`)
    await bench.call('hunks', 'file_write', { file_path: 'long.md', content: lines.join('\n') })
    const changed = lines.map((line, at) => (at === 2 || at === 35 ? `${line}, changed` : line))
    await bench.call('hunks', 'file_write', { file_path: 'long.md', content: changed.join('\n') })
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/hunks/history`)
    await page.getByRole('link', { name: /^3\. / }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.locator('.added', { hasText: 'line 35, changed' }).waitFor()
    const focused = () => page.locator(':focus').textContent()
    await page.keyboard.press('n')
    expect(await focused()).toContain('line 2, changed')
    await page.keyboard.press('j')
    expect(await focused()).toContain('line 35, changed')
    await page.keyboard.press('k')
    expect(await focused()).toContain('line 2, changed')
    await page.getByRole('link', { name: /^3\. / }).focus()
    await page.keyboard.press('j')
    expect(await focused()).toMatch(/^2\. /)
    expect(errors).toEqual([])
  })

  it.each(['sessions', 'sessions/keys/calls', 'tools', 'tools/from/marketplace', 'audit'])(
    'have / for the search of %s, and ? says so',
    async (place) => {
      const { page } = await bench.newPage()
      await page.goto(`${bench.url}/console/${place}`)
      await page.getByRole('searchbox').waitFor()
      await page.keyboard.press('/')
      expect(await page.evaluate('document.activeElement.type')).toBe('search')
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      const help = page.getByRole('dialog', { name: 'Keys' })
      await help.getByText('/', { exact: true }).waitFor()
      await help.getByText('Search', { exact: true }).waitFor()
    },
  )
})
