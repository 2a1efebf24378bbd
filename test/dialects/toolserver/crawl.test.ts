import iconv from 'iconv-lite'
import { afterAll, expect } from 'vitest'
import {
  jsonAnswer,
  type StandIn,
  type StandInAnswer,
  type StandInRequest,
  startStandIn,
} from '../../support/stand-in.ts'
import { aToolServer, verifies } from './support.ts'

let site: StandIn | undefined
let strict: StandIn | undefined
let browser: StandIn | undefined
const server = aToolServer(async () => {
  strict = await startStandIn(({ path }) =>
    path === '/robots.txt' ? { body: 'User-agent: *\nDisallow: /private' } : html(article('Strict')),
  )
  site = await startStandIn(asSite)
  browser = await startStandIn(() => jsonAnswer({ success: true, result: article('Rendered') }))
  return {
    vars: {
      DANGEROUSLY_ALLOW_HOSTS: [site.host, strict.host].join(','),
      BROWSER_RENDERING_BASE_URL: browser.url,
      BROWSER_RENDERING_ACCOUNT_ID: 'account',
      BROWSER_RENDERING_API_TOKEN: 'token-of-the-operator',
    },
  }
})
afterAll(async () => {
  await Promise.all([site, strict, browser].map((standIn) => standIn?.stop()))
})
const at = (path: string) => `${site?.url}${path}`

const SENTENCES = 'A sentence of an article, with a comma in it, and some length. '.repeat(20)
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
const html = (body: string | Uint8Array, type = 'text/html; charset=utf-8'): StandInAnswer => ({
  headers: { 'content-type': type },
  body,
})
const article = (title: string, content = '') =>
  `<!doctype html><html><head><title>${title}</title><meta name="author" content="Ada Lovelace">
  <meta property="article:published_time" content="2026-01-02T03:04:05Z"></head>
  <body><nav>Menu</nav><article><p>${SENTENCES}</p>${content}</article></body></html>`

function asSite({ path }: StandInRequest): StandInAnswer {
  switch (path) {
    case '/page':
      return html(
        article('A page', '<p>See <a href="/other">this</a>.</p><table><tr><th>a</th></tr><tr><td>1</td></tr></table>'),
      )
    case '/moved':
      return { status: 302, headers: { location: '/page' } }
    case '/gbk':
      return html(iconv.encode(article('中文标题', '<p>内容在这里。</p>'), 'gbk'), 'text/html; charset=gb2312')
    case '/gbk-meta':
      return html(iconv.encode(article('中文标题').replace('<meta', '<meta charset="gbk"><meta'), 'gbk'), 'text/html')
    case '/images':
      return html(
        article('Images', '<p><img src="/i/a.png" alt="A"><img src="/j/a.png"><img src="/none.png" alt="gone"></p>'),
      )
    case '/i/a.png':
    case '/j/a.png':
      return html(PNG, 'image/png')
    case '/paper':
      return html('%PDF-1.7 not much of one', 'application/pdf')
    case '/hidden.pdf':
      return html('%PDF-1.7 not much of one', 'application/octet-stream')
    case '/notes.txt':
      return html('line one\nline two', 'text/plain')
    case '/picture':
      return html(PNG, 'image/png')
    case '/script':
      return html('<title>App</title><div id="root"></div><script src="app.js"></script>')
    case '/deep':
      return html('<div>'.repeat(100_000))
    case '/large':
      return html('<p>word</p>'.repeat(500_000))
    case '/inward':
      return { status: 302, headers: { location: 'http://169.254.169.254/' } }
    case '/to-private':
      return { status: 302, headers: { location: `${strict?.url}/private/page` } }
    default:
      return { status: 404, body: 'no such page' }
  }
}

verifies('toolserver:crawl:answer', async () => {
  const task = await server.task()
  expect(await task.done('crawl_page', { url: at('/page'), output_dir: 'pages' })).toEqual({
    url: at('/page'),
    output_dir: 'upload/pages',
    markdown_file: 'upload/pages/content.md',
    download_images: false,
    images_dir: null,
    title: 'A page',
    byline: 'Ada Lovelace',
    date: '2026-01-02T03:04:05Z',
  })
  const text = String(await task.read('upload/pages/content.md'))
  expect(text).toMatch(/^# A page\n\nSource: <http:\/\/127\.0\.0\.1:\d+\/page>/)
  expect(text).toContain(`[this](${at('/other')})`)
  expect(text).toContain('| a |\n| --- |\n| 1 |')
  expect(text).not.toContain('Menu')
  expect(await task.done('crawl_page', { url: at('/moved') })).toMatchObject({
    markdown_file: 'upload/crawled_content/content.md',
    final_url: at('/page'),
  })
  const plain = await task.done('crawl_page', { url: at('/notes.txt') })
  expect(await task.read(String(plain.markdown_file))).toContain('line one\nline two')
})

verifies('toolserver:crawl:again', async () => {
  const task = await server.task()
  const crawled = await Promise.all([1, 2, 3, 4].map(() => task.done('crawl_page', { url: at('/page') })))
  expect(crawled.map(({ markdown_file }) => markdown_file).sort()).toEqual([
    'upload/crawled_content/content.md',
    'upload/crawled_content/content_2.md',
    'upload/crawled_content/content_3.md',
    'upload/crawled_content/content_4.md',
  ])
})

verifies('toolserver:crawl:charset', async () => {
  const task = await server.task()
  const page = await task.done('crawl_page', { url: at('/gbk') })
  expect(page.title).toBe('中文标题')
  expect(await task.read(String(page.markdown_file))).toContain('内容在这里。')
  expect(await task.done('crawl_page', { url: at('/gbk-meta') })).toMatchObject({ title: '中文标题' })
})

verifies('toolserver:crawl:images', async () => {
  const task = await server.task()
  await task.done('crawl_page', { url: at('/images'), output_dir: 'without' })
  expect(await task.read('upload/without/content.md')).not.toContain('![')
  const page = { url: at('/images'), output_dir: 'with', download_images: 'true' }
  expect(await task.done('crawl_page', page)).toMatchObject({
    download_images: true,
    images_dir: 'upload/with/images',
    images: 2,
  })
  const text = await task.read('upload/with/content.md')
  expect(text).toContain('![A](<images/a.png>)')
  expect(text).toContain('![](<images/a_2.png>)')
  expect(text).toContain(`![gone](<${at('/none.png')}>)`)
  const image = await server.request(`/api/download/${task.id}/upload/with/images/a_2.png`)
  expect(new Uint8Array(await image.arrayBuffer())).toEqual(PNG)
})

verifies('toolserver:crawl:pdf', async () => {
  const task = await server.task()
  expect(await task.done('crawl_page', { url: at('/paper') })).toMatchObject({
    markdown_file: null,
    file: 'upload/crawled_content/paper.pdf',
    note: expect.stringContaining('parse_document'),
  })
  expect(await task.done('crawl_page', { url: at('/hidden.pdf') })).toMatchObject({
    file: 'upload/crawled_content/hidden.pdf',
  })
  const kept = await server.request(`/api/download/${task.id}/upload/crawled_content/paper.pdf`)
  expect(await kept.text()).toBe('%PDF-1.7 not much of one')
})

verifies('toolserver:crawl:robots', async () => {
  const task = await server.task()
  await task.done('crawl_page', { url: `${strict?.url}/public` })
  const refused = `${strict?.host} does not let programs read this page (robots.txt); look for another source`
  expect(await task.failure('crawl_page', { url: `${strict?.url}/private/page` })).toBe(refused)
  expect(await task.failure('crawl_page', { url: at('/to-private') })).toBe(refused)
})

verifies('toolserver:crawl:scripts', async () => {
  const task = await server.task()
  expect(await task.done('crawl_page', { url: at('/script') })).toMatchObject({ title: 'Rendered' })
  expect(browser?.requests.at(-1)).toMatchObject({
    body: JSON.stringify({ url: at('/script') }),
    headers: { authorization: 'Bearer token-of-the-operator' },
  })
})

verifies('toolserver:crawl:errors', async () => {
  const task = await server.task()
  const failure = (url: string) => task.failure('crawl_page', { url })
  expect(await failure('')).toBe('url is required')
  expect(await failure('example')).toMatch(/is not a URL; give it whole/)
  expect(await failure(at('/nothing'))).toBe(`${site?.host} answered 404 and no page; check url`)
  expect(await failure(at('/picture'))).toMatch(/is image\/png and no page; get it with download_file_from_url/)
  expect(await failure(at('/large'))).toMatch(/MAX_PAGE_BYTES/)
  expect(await failure(at('/inward'))).toMatch(/link-local/)
  expect(await task.failure('crawl_page', { url: at('/page'), output_dir: '../../x' })).toMatch(/task/)
  expect(await failure(at('/deep'))).toMatch(/MAX_PAGE_DEPTH/)
  expect(await task.done('dir_list', { dir_path: 'upload' })).toMatchObject({ tree: { children: [] } })
})
