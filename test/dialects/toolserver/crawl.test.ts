import iconv from 'iconv-lite'
import { afterAll, expect } from 'vitest'
import { docx, paragraph, pdf, pptx, shape } from '../../support/documents.ts'
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
const SENTENCE = 'A sentence of a page that is long enough to be one, and to be read.'
const PAPER = pdf([
  [
    { x: 72, y: 700, text: 'A Heading', size: 20 },
    { x: 72, y: 660, text: 'The first page says something.' },
  ],
  [{ x: 72, y: 660, text: 'The second page says more.' }],
])
/** More text than one answer has. */
const LONG = pdf(
  Array.from({ length: 10 }, (_, page) =>
    Array.from({ length: 150 }, (_, line) => ({
      x: 20,
      y: 780 - line * 5,
      text: `${page}.${line} ${SENTENCE.repeat(15)}`,
      size: 1,
    })),
  ),
)
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
      return html(PAPER, 'application/pdf')
    case '/hidden':
      return html(PAPER, 'application/octet-stream')
    case '/broken.pdf':
      return html('%PDF-1.7 not much of one', 'application/pdf')
    case '/long.pdf':
      return html(LONG, 'application/pdf')
    case '/report':
      return html(
        docx(`${paragraph('One', '<w:pStyle w:val="H1"/>')}${paragraph('text')}`),
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      )
    case '/sums.csv':
      return html('a;b\n1;2\n', 'text/csv')
    case '/slides.pptx':
      return html(pptx([shape('title', ['First'])]), 'application/octet-stream')
    case '/data.json':
      return html('{"a": [1, 2]}', 'application/json')
    case '/sends-on':
      return html('<meta http-equiv="refresh" content="0; url=/page"><p>This page moved.</p>')
    case '/sends-inward':
      return html('<meta http-equiv="refresh" content="0; url=http://169.254.169.254/">')
    case '/sends-to-private':
      return html(`<meta http-equiv="refresh" content="0; url=${strict?.url}/private/page">`)
    case '/sends-itself':
      return html('<meta http-equiv="refresh" content="1; url=/sends-itself?x">')
    case '/sjis':
      return html(iconv.encode(article('日本語の題名', '<p>本文はここにあります。</p>'), 'shift_jis'), 'text/html')
    case '/utf16':
      return html(iconv.encode(article('Großes'), 'utf16le'), 'text/html')
    case '/empty':
      return html('<title>Nothing</title>')
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
    case '/huge.pdf':
      return html(new Uint8Array(21 * 1024 * 1024), 'application/pdf')
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
  expect(await task.done('crawl_page', { url: at('/empty') })).toMatchObject({
    title: 'Nothing',
    notes: ['there is no text in this page'],
  })
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
  expect(await task.done('crawl_page', { url: at('/sjis') })).toMatchObject({ title: '日本語の題名' })
  expect(await task.done('crawl_page', { url: at('/utf16') })).toMatchObject({ title: 'Großes' })
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
  expect(await task.done('crawl_page', { url: at('/paper') })).toEqual({
    url: at('/paper'),
    output_dir: 'upload/crawled_content',
    markdown_file: 'upload/crawled_content/content.md',
    download_images: false,
    images_dir: null,
    file: 'upload/crawled_content/paper.pdf',
    title: 'The title',
    pages: 2,
  })
  const text = String(await task.read('upload/crawled_content/content.md'))
  expect(text).toMatch(
    /^# The title\n\nSource: <.*\/paper> {2}\nFile: <upload\/crawled_content\/paper.pdf> {2}\nPages: 2\n/,
  )
  expect(text).toContain('<!-- page 1 -->\n\n# A Heading\n\nThe first page says something.\n\n<!-- page 2 -->')
  expect(await task.done('crawl_page', { url: at('/hidden') })).toMatchObject({
    file: 'upload/crawled_content/hidden.pdf',
    markdown_file: 'upload/crawled_content/content_2.md',
  })
  const kept = await server.request(`/api/download/${task.id}/upload/crawled_content/paper.pdf`)
  expect(new Uint8Array(await kept.arrayBuffer())).toEqual(PAPER)
})

verifies('toolserver:crawl:pdf:unread', async () => {
  const task = await server.task()
  expect(await task.done('crawl_page', { url: at('/broken.pdf') })).toMatchObject({
    markdown_file: null,
    file: 'upload/crawled_content/broken.pdf',
    notes: [expect.stringMatching(/^its text could not be read: it is damaged or not a PDF; check/)],
  })
  const long = await task.done('crawl_page', { url: at('/long.pdf') })
  const [, rest] = /pages "(\d+)-10" reads on/.exec(String(long.notes)) ?? []
  expect(long).toMatchObject({ pages: 10, notes: [expect.stringContaining('upload/crawled_content/long.pdf')] })
  const text = String(await task.read(String(long.markdown_file)))
  expect(text).toContain(`<!-- page ${Number(rest) - 1} -->`)
  expect(text).not.toContain(`<!-- page ${rest} -->`)
  expect(text.trimEnd()).toMatch(/reads on\]$/)
  expect(
    await task.done('parse_document', { file_path: String(long.file), pages: `${rest}-10`, max_chars: 500_000 }),
  ).not.toHaveProperty('next_pages')
})

verifies('toolserver:crawl:documents', async () => {
  const task = await server.task()
  const read = async (path: string) => {
    const { file, markdown_file } = await task.done('crawl_page', { url: at(path) })
    return `${file}\n${await task.read(String(markdown_file))}`
  }
  expect(await read('/report')).toMatch(
    /^upload\/crawled_content\/report\.docx\n# The title\n[\s\S]*By: An Author\n\n# One\n\ntext/,
  )
  expect(await read('/slides.pptx')).toMatch(/Slides: 1\n\n<!-- slide 1 -->\n\n# First/)
  expect(await read('/sums.csv')).toContain('| a | b |\n| --- | --- |\n| 1 | 2 |')
  const { markdown_file } = await task.done('crawl_page', { url: at('/data.json') })
  expect(await task.read(String(markdown_file))).toContain('```json\n{"a": [1, 2]}\n```')
})

verifies('toolserver:crawl:refresh', async () => {
  const task = await server.task()
  expect(await task.done('crawl_page', { url: at('/sends-on') })).toMatchObject({
    title: 'A page',
    final_url: at('/page'),
  })
  expect(await task.failure('crawl_page', { url: at('/sends-inward') })).toMatch(/link-local/)
  expect(await task.failure('crawl_page', { url: at('/sends-to-private') })).toMatch(/robots\.txt/)
  expect(await task.failure('crawl_page', { url: at('/sends-itself') })).toMatch(/404/)
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
  expect(await failure(at('/huge.pdf'))).toMatch(/MAX_EDIT_BYTES\); keep it with download_file_from_url/)
  expect(await failure(at('/inward'))).toMatch(/link-local/)
  expect(await task.failure('crawl_page', { url: at('/page'), output_dir: '../../x' })).toMatch(/task/)
  expect(await failure(at('/deep'))).toMatch(/MAX_PAGE_DEPTH/)
  expect(await task.done('dir_list', { dir_path: 'upload' })).toMatchObject({ tree: { children: [] } })
})

verifies('toolserver:infiagent:saved', async () => {
  const task = await server.task()
  const save_path = 'temp/crawl_page/page.md'
  for (const _again of [1, 2]) {
    const crawled = await task.done('crawl_page', { url: at('/page'), save_path, download_images: false })
    expect(crawled).toMatchObject({ markdown_file: save_path, title: 'A page' })
    expect(await task.read(save_path)).toMatch(/^# A page\n/)
  }
})
