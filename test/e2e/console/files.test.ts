import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'
import { png } from '../../support/images.ts'

const run = promisify(execFile)
let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
})
afterAll(() => bench?.end())

const pathOf = (session: string, file: string) => `${bench.url}/v1/sessions/${session}/files/${file}`
const fileOf = async (session: string, file: string) => (await fetch(pathOf(session, file))).text()
/** Writes a file. @returns the number of the commit */
async function write(session: string, file: string, body: string | Uint8Array) {
  const answer = await fetch(pathOf(session, file), { method: 'PUT', body: Buffer.from(body) })
  expect(answer.ok).toBe(true)
  return Number(answer.headers.get('Toolyard-Commit'))
}
const newSession = (name: string) => bench.ask('POST', '/v1/sessions', { name })

describe('the files of a session in the console', () => {
  it('are uploaded by dropping them, into the directory that is shown', async () => {
    await newSession('dropped')
    await write('dropped', 'notes/first.txt', 'first')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/dropped/files/notes/first.txt`)
    await page.getByLabel('Text of the file').getByText('first').waitFor()
    const dataTransfer = await page.evaluateHandle(`(() => {
      const dropped = new DataTransfer()
      dropped.items.add(new File(['one\\n'], 'one & two.txt'))
      dropped.items.add(new File([new Uint8Array([0, 255, 10])], 'bytes.bin'))
      return dropped
    })()`)
    const place = page.getByRole('region', { name: 'Files' })
    for (const event of ['dragover', 'drop']) await place.dispatchEvent(event, { dataTransfer })
    await page.getByText('Uploaded notes/one & two.txt and 1 more.').waitFor()
    await page.getByLabel('Text of the file').getByText('one').waitFor()
    expect(await fileOf('dropped', 'notes/one%20%26%20two.txt')).toBe('one\n')
    const bytes = new Uint8Array(await (await fetch(pathOf('dropped', 'notes/bytes.bin'))).arrayBuffer())
    expect([...bytes]).toEqual([0, 255, 10])
    expect(errors).toEqual([])
  })

  it('follow what others change, are what they were on the way back to them, and may be empty', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'followed' })
    const write = (file_path: string, content: string) => bench.call('followed', 'file_write', { file_path, content })
    await write('a.txt', 'old\n')
    await bench.call('followed', 'execute_shell', { command: 'touch empty.txt', workdir: '.' })
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/followed/files/a.txt`)
    await page.getByLabel('Text of the file').getByText('old').waitFor()
    await write('a.txt', 'new\n')
    await write('b.txt', 'beside\n')
    await page.getByLabel('Text of the file').getByText('new').waitFor()
    const tree = page.getByRole('navigation', { name: 'Files' })
    await tree.getByRole('link', { name: /b\.txt/ }).waitFor()
    await page.getByText(/3 files/).waitFor()

    const tabs = page.getByRole('navigation', { name: 'Session' })
    await tabs.getByRole('link', { name: 'Calls' }).click()
    await page.getByRole('list', { name: 'Calls' }).waitFor()
    await tabs.getByRole('link', { name: 'Files' }).click()
    await page.getByRole('region', { name: 'a.txt' }).waitFor()
    await tree.getByRole('link', { name: /empty\.txt/ }).click()
    await page.getByText('The file is empty.').waitFor()
    expect(errors).toEqual([])
  })

  it('are not written down more often because somebody looks at them', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'unseen' })
    await bench.call('unseen', 'file_write', { file_path: 'seen.txt', content: 'seen\n' })
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/unseen/history`)
    await page.getByRole('list', { name: 'Changes' }).getByRole('link').first().waitFor()
    const path = '/v1/sessions/unseen/calls'
    const command = 'n=0; until [ -e ../go ]; do n=$((n + 1)); echo $n >> log.txt; sleep 0.1; done'
    const answered = bench.ask('POST', path, { tool: 'execute_shell', arguments: { command } })
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await page.getByRole('link', { name: /until/ }).getByText('running').waitFor()
    type History = { readonly data: readonly { readonly commit: number; readonly author: string }[] }
    const known = async () => (await bench.ask<History>('GET', '/v1/sessions/unseen/history?look=false')).data
    const [{ commit = 0, author = '' } = {}] = await known()
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round++) {
        await page.waitForResponse((response) => response.url().includes('/history?limit=1&'))
      }
    }
    for (const place of ['calls', `calls/${author}`, `history?from=0&to=${commit}`, 'files/seen.txt']) {
      await page.goto(`${bench.url}/console/sessions/unseen/${place}`)
      // A place that is opened may look once with each list; what it reads by itself from then on does not.
      await page.waitForLoadState('networkidle')
      const before = (await known()).length
      await rounds(3)
      expect((await known()).length, place).toBe(before)
    }
    await bench.ask('PUT', '/v1/sessions/unseen/files/go')
    await bench.call('unseen', 'execute_shell', { command: 'true' })
    await answered
    expect(errors).toEqual([])
  })

  it('are downloaded all together, as they are and as they were', async () => {
    await newSession('zipped')
    const image = png(3, 2)
    await write('zipped', 'a/picture.png', image)
    const then = await write('zipped', 'text.md', 'as it was\n')
    await write('zipped', 'text.md', 'as it is\n')
    const { page, errors } = await bench.newPage()
    const downloaded = async (query: string) => {
      await page.goto(`${bench.url}/console/sessions/zipped/files${query}`)
      const waits = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download all as zip' }).click()
      const program =
        'import json, sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(json.dumps({n: z.read(n).hex() for n in z.namelist() if not n.endswith("/")}))'
      const { stdout } = await run('python3', ['-c', program, await (await waits).path()])
      return JSON.parse(stdout) as Record<string, string>
    }
    const hex = (content: string | Uint8Array) => Buffer.from(content).toString('hex')
    const picture = { 'a/picture.png': hex(image) }
    expect(await downloaded('')).toMatchObject({ ...picture, 'text.md': hex('as it is\n') })
    expect(await downloaded(`?as_of=${then}`)).toMatchObject({ ...picture, 'text.md': hex('as it was\n') })
    expect(errors).toEqual([])
  })

  it('are shown as they were after any change, and taken back from there', async () => {
    await newSession('earlier')
    const first = await write('earlier', 'plan.txt', 'the first plan\n')
    await write('earlier', 'plan.txt', 'the second plan\n')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/earlier/files/plan.txt`)
    await page.getByLabel('Text of the file').getByText('the second plan').waitFor()
    await page.getByRole('link', { name: 'History' }).last().click()
    await page.getByRole('link', { name: new RegExp(`^${first}\\. `) }).click()
    await page.locator(`a[href$="files?as_of=${first}"]`, { hasText: 'Files then' }).click()
    await page.getByText(`as of commit ${first} · now`, { exact: true }).waitFor()
    await page
      .getByRole('navigation', { name: 'Files' })
      .getByRole('link', { name: /plan\.txt/ })
      .click()
    await page.getByLabel('Text of the file').getByText('the first plan').waitFor()
    expect(await fileOf('earlier', 'plan.txt')).toBe('the second plan\n')
    await page.getByRole('button', { name: 'Take this file back' }).click()
    await page.getByText(`Set back: plan.txt is as it was at commit ${first}.`).waitFor()
    await page.getByLabel('Text of the file').getByText('the first plan').waitFor()
    expect(await fileOf('earlier', 'plan.txt')).toBe('the first plan\n')
    expect(errors).toEqual([])
  })

  it('are compared between two changes that are no neighbours', async () => {
    await newSession('compared')
    const commits: number[] = []
    for (const word of ['one', 'two', 'three', 'four']) commits.push(await write('compared', 'n.md', `same\n${word}\n`))
    await write('compared', 'later.md', 'later\n')
    const { page, errors } = await bench.newPage()
    const [first = 0, , , fourth = 0] = commits
    await page.goto(`${bench.url}/console/sessions/compared/history?from=${fourth - 1}&to=${fourth}`)
    const differs = page.getByRole('region', { name: 'What differs' })
    await differs.locator('.removed', { hasText: '-three' }).waitFor()
    await differs.getByRole('spinbutton', { name: 'From' }).fill(String(first))
    await page.keyboard.press('Enter')
    await differs.locator('.removed', { hasText: '-one' }).waitFor()
    expect(await differs.locator('.added, .removed').allTextContents()).toEqual(['-one\n', '+four\n'])
    expect(new URL(page.url()).search).toBe(`?from=${first}&to=${fourth}`)
    await page.reload()
    await differs.locator('.removed', { hasText: '-one' }).waitFor()
    expect(errors).toEqual([])
  })

  it('are drawn by what they are: a picture, source in colours, and a table', async () => {
    await newSession('drawn')
    await write('drawn', 'seven.png', png(7, 5))
    await write('drawn', 'count.py', 'def count():  # all\n    return "two", 2\n')
    await write('drawn', 'table.csv', 'name,words\nbee,"a ""small"" one, busy"\nant,12\n')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/drawn/files/seven.png`)
    const picture = page.getByRole('img', { name: 'seven.png' })
    const size = () =>
      picture.evaluate((image) => {
        const { naturalWidth, naturalHeight } = image as unknown as Record<string, number>
        return [naturalWidth, naturalHeight]
      })
    await expect.poll(size).toEqual([7, 5])

    await page.goto(`${bench.url}/console/sessions/drawn/files/count.py`)
    const source = page.getByLabel('Text of the file')
    await source.locator('span').first().waitFor()
    expect(await source.locator('.line-numbers').textContent()).toBe('1\n2')
    const coloured = await page.evaluate(`(() => {
      const source = document.querySelector('[aria-label="Text of the file"]')
      const plain = getComputedStyle(source).color
      const spans = [...source.querySelectorAll('span')]
      return spans.filter((span) => getComputedStyle(span).color !== plain).map((span) => span.textContent)
    })()`)
    expect(coloured).toEqual(['def', '# all', 'return', '"two"', '2'])

    await page.goto(`${bench.url}/console/sessions/drawn/files/table.csv`)
    const table = page.getByRole('table')
    await table.getByRole('columnheader', { name: 'words' }).waitFor()
    expect(await table.getByRole('cell').allTextContents()).toEqual(['bee', 'a "small" one, busy', 'ant', '12'])
    expect(errors).toEqual([])
  })
})
