import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'
import { type StandIn, startStandIn } from '../../support/stand-in.ts'

let bench: ConsoleBench
/** A server of somebody else, and paths that it was asked for. */
let elsewhere: StandIn
let requested: string[]

beforeAll(async () => {
  elsewhere = await startStandIn(({ path }) => {
    requested.push(path)
    return { status: 204 }
  })
  bench = await startConsole()
  for (const name of ['hostile', 'notebooks', 'output', 'large']) await bench.ask('POST', '/v1/sessions', { name })
})
beforeEach(() => {
  requested = []
})
afterAll(async () => {
  await bench?.end()
  await elsewhere?.stop()
})

/** What a hostile script does, wherever it runs: each of these is seen by {@link watch}. */
const run = () =>
  ["top.postMessage('ran', '*')", "document.title = 'ran'", `fetch('${elsewhere.url}/script')`].join(';')
const script = () => `<script>${run()}</script>`
const image = () => `<img src="x" onerror="${run()}">`
const markup = () => `${script()}${image()}<img src="${elsewhere.url}/image">`
const pageOf = () => `<title>harmless</title>${markup()}<iframe srcdoc="${script().replaceAll('"', '&quot;')}"></iframe>
  <meta http-equiv="refresh" content="0;url=${elsewhere.url}/refresh"><p>shown</p>`
const svg =
  () => `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" onload="${run()}"><script>${run()}</script>
  <image href="${elsewhere.url}/image" width="5" height="5"/><rect width="20" height="10"/></svg>`

interface Watched {
  readonly page: Page
  readonly context: BrowserContext
  /** Words of messages that the page got, paths that were asked for elsewhere, and titles that the page had. */
  seen(): Promise<readonly string[]>
}

/** A page of the width of a telephone that notes whatever hostile code could do. */
async function watch(options: { readonly bypassCSP: boolean }): Promise<Watched> {
  const { page, context } = await bench.newPage({ viewport: { width: 375, height: 700 }, ...options })
  await page.addInitScript("window.heard = []; addEventListener('message', ({ data }) => heard.push(data))")
  const seen = async () => {
    const title = await page.title()
    return [
      ...((await page.evaluate('heard')) as string[]),
      ...requested,
      ...(/(^| · )Toolyard$/.test(title) ? [] : [title]),
      ...((await page.evaluate('document.documentElement.scrollWidth > innerWidth')) ? ['it is too wide'] : []),
    ]
  }
  return { page, context, seen }
}

/** Elements of the page: a browser lays out some ten thousands within a moment. */
const nodesOf = (page: Page) => page.evaluate("document.querySelectorAll('*').length") as Promise<number>

/** Puts a file into the session and opens it. */
async function open(page: Page, session: string, name: string, body: string) {
  const path = `/v1/sessions/${session}/files/${encodeURIComponent(name)}`
  expect((await fetch(`${bench.url}${path}`, { method: 'PUT', body })).ok).toBe(true)
  await page.goto(`${bench.url}/console/sessions/${session}/files/${encodeURIComponent(name)}`)
  await page.getByRole('heading', { name }).waitFor()
}

// Without the policy nothing but the view itself keeps what it shows from running.
describe.each([
  { bypassCSP: false, policy: 'under the content security policy' },
  { bypassCSP: true, policy: 'in a browser that heeds no content security policy' },
])('what a tenant holds does nothing in the console, $policy:', ({ bypassCSP }) => {
  it('a page', async () => {
    const { page, seen } = await watch({ bypassCSP })
    await open(page, 'hostile', 'page.html', pageOf())
    await page.frameLocator('iframe').getByText('shown').waitFor()
    // A picture of elsewhere is kept out by the policy alone.
    const isPicture = (word: string) => bypassCSP && word === '/image'
    expect((await seen()).filter((word) => !isPicture(word))).toEqual([])
    if (!bypassCSP) return
    // The same page in a frame that lets scripts run is heard of, so that silence says something.
    await page.evaluate(`
      const copy = document.querySelector('iframe').cloneNode()
      copy.sandbox = 'allow-scripts'
      document.body.append(copy)`)
    await expect.poll(seen).toContain('ran')
  })

  it('a picture of SVG', async () => {
    const { page, seen } = await watch({ bypassCSP })
    await open(page, 'hostile', 'picture.svg', svg())
    const picture = page.getByRole('img', { name: 'picture.svg' })
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(20)
    expect(await seen()).toEqual([])
  })

  it('a name of a file', async () => {
    const { page, seen } = await watch({ bypassCSP })
    const name = `${image().replaceAll('/', '')}.txt`
    await open(page, 'hostile', name, 'text')
    await page.getByRole('navigation', { name: 'Files' }).getByText(name).waitFor()
    await page.goto(`${bench.url}/console/sessions/hostile/history`)
    await page.getByRole('list', { name: 'Changes' }).getByText('<img', { exact: false }).first().waitFor()
    expect(await page.getByRole('img').count()).toBe(0)
    expect(await seen()).toEqual([])
  })

  it('a notebook', async () => {
    const { page, seen } = await watch({ bypassCSP })
    const display = (data: object) => ({ output_type: 'display_data', data, metadata: {} })
    const cells = [
      { cell_type: 'markdown', metadata: {}, source: [`# Heading ${markup()}`, `[link](javascript:${run()})`] },
      {
        cell_type: 'code',
        metadata: {},
        source: `print("${markup()}")`,
        outputs: [
          display({ 'text/html': markup(), 'text/plain': `plain ${markup()}` }),
          display({ 'image/svg+xml': svg(), 'text/plain': 'a picture of SVG' }),
          display({ 'application/javascript': run(), 'text/plain': 'a script' }),
          display({ 'image/png': `x" onerror="${run()}` }),
          { output_type: 'stream', name: 'stdout', text: `\u001b]0;ran\u0007\u001b[31m${markup()}` },
          { output_type: 'error', ename: 'E', evalue: 'v', traceback: [`\u001b[31m${markup()}\u001b[0m`] },
        ],
      },
    ]
    const body = JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells })
    await open(page, 'notebooks', 'hostile.ipynb', body)
    const main = page.getByRole('main')
    await main.getByText('a picture of SVG').waitFor()
    await main.getByText('plain <script>', { exact: false }).waitFor()
    expect(await main.locator('script, svg, iframe, img[onerror], a[href^="javascript"]').count()).toBe(0)
    expect(await seen()).toEqual([])
  })

  it('the output of a command, with sequences for terminals', async () => {
    const { page, seen } = await watch({ bypassCSP })
    const text = `\u001b]0;ran\u0007\u001b]8;;javascript:${run()}\u001b\\a link\u001b]8;;\u001b\\ \u001b[31m${markup()}\u001b[0m \u001b[2J\u001b[H\u001bP+q\u001b\\ whole`
    await bench.call('output', 'file_write', { file_path: 'output.txt', content: text })
    const call = await bench.call('output', 'file_read', { file_path: 'output.txt' })
    await page.goto(`${bench.url}/console/sessions/output/calls/${call}`)
    const main = page.getByRole('main')
    await main.locator('.ansi-red').getByText('<script>', { exact: false }).first().waitFor()
    await main.getByText('a link', { exact: false }).first().waitFor()
    expect(await main.locator('script, img, a[href^="javascript"]').count()).toBe(0)
    expect(await seen()).toEqual([])
  })

  it('a description and a schema of a tool', async () => {
    const { page, seen } = await watch({ bypassCSP })
    const properties = { [markup()]: { type: 'string', description: markup(), default: markup(), enum: [markup()] } }
    await bench.ask('PUT', '/v1/tools/registered/my.hostile', {
      name: `hostile ${image().slice(0, 40)}`,
      description: `described ${markup()}`,
      input_schema: { type: 'object', properties },
      executor: { kind: 'http', target: 'https://weather.example/now' },
    })
    for (const path of ['registered/my.hostile', 'my.hostile', '?q=hostile']) {
      await page.goto(`${bench.url}/console/tools/${path}`)
      await page
        .getByRole('main')
        .getByText('described <script>', { exact: false })
        .filter({ visible: true })
        .first()
        .waitFor()
      expect(await page.locator('main img, main script').count()).toBe(0)
      expect(await seen()).toEqual([])
    }
  })
})

it('a page of a tenant runs nothing in a tab of its own either', async () => {
  const { page, context } = await watch({ bypassCSP: false })
  await open(page, 'hostile', 'tab.html', `<title>harmless</title>${markup()}<p>shown</p>`)
  await page.frameLocator('iframe').getByText('shown').waitFor()
  const shown = (await page.locator('iframe').getAttribute('src')) ?? ''
  const inTab = async (address: string) => {
    const tab = await context.newPage()
    await tab.goto(address)
    await tab.getByText('shown').waitFor()
    return (await tab.evaluate('[document.title, origin]')) as string[]
  }
  expect(await inTab(shown)).toEqual(['harmless', bench.url])
  expect(requested).toEqual([])
})

/** Elements that a view may have. */
const ELEMENTS_MAX = 50_000

it.each([
  ['columns', `a|\n-|\n${'|'.repeat(40_000)}`],
  ['rows', `a|\n-|\n${'a|b|c|d\n'.repeat(100_000)}`],
  ['items', '- a\n'.repeat(200_000)],
  ['runs', '*a*'.repeat(300_000)],
  ['links that do not end', `![](${'a'.repeat(2_200)}`.repeat(450)],
])('Markdown of any number of %s is drawn up to a bound', async (name, text) => {
  const { page, errors } = await bench.newPage()
  await open(page, 'large', `${name}.md`, text)
  const end = page.getByRole('article').getByText(name.startsWith('links') ? '![](aaa' : 'The rest is in the source.')
  await end.waitFor()
  expect(await nodesOf(page)).toBeLessThan(ELEMENTS_MAX)
  expect(errors).toEqual([])
})

it('a notebook of any number of outputs is drawn up to a bound, and says how many are left out', async () => {
  const { page, errors } = await bench.newPage()
  const outputs = Array.from({ length: 10_000 }, () => ({ output_type: 'stream', name: 'stdout', text: '\u001b[1ma' }))
  const long = [{ output_type: 'stream', name: 'stdout', text: `\u001b[31m${'b'.repeat(30_000)}` }]
  const cells = [outputs, long].map((outputs) => ({ cell_type: 'code', source: '1', outputs }))
  await open(page, 'large', 'outputs.ipynb', JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }))
  const main = page.getByRole('main')
  await main.getByText('9,900 more outputs are in the source.').waitFor()
  await main.getByText('The first 20,000 characters. The rest is in the source.').waitFor()
  expect(await main.locator('.ansi-bold').count()).toBe(100)
  expect(errors).toEqual([])
})

it('a name has its place in the title, and looks like no count of questions', async () => {
  const { page } = await bench.newPage()
  await open(page, 'large', '(7) \u202e\n People.txt', 'text')
  await expect.poll(() => page.title()).toBe('7) People.txt · large · Toolyard')
})
