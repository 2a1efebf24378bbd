import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decodePage } from '../../../../src/tools/web/page-charset.ts'
import { imageMark, readPage } from '../../../../src/tools/web/page-markdown.ts'

const URL_OF_PAGE = 'https://example.com/news/page.html'
const PARAGRAPH =
  'This paragraph tells something at some length, with commas, so that it is taken for content. '.repeat(4)
const article = (content: string, head = '') =>
  `<!doctype html><html><head><title>A title | Site</title>${head}</head><body><nav><a href="/menu">Menu entry</a></nav>
  <article><h1>A title</h1><p>${PARAGRAPH}</p>${content}<p>${PARAGRAPH}</p></article><footer>Imprint</footer></body></html>`
const markdown = async (content: string) => (await readPage(article(content), URL_OF_PAGE)).markdown

describe('the text of a page', () => {
  it.each([
    ['its mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('é')]), 'text/html; charset=gbk', 'é'],
    ['its mark in UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('é', 'utf16le')]), '', 'é'],
    ['its header', iconv.encode('中文', 'gbk'), 'text/html; charset=GB2312', '中文'],
    [
      'its meta',
      iconv.encode('<meta charset="Shift_JIS">日本', 'shift_jis'),
      'text/html',
      '<meta charset="Shift_JIS">日本',
    ],
    [
      'its older meta',
      iconv.encode('<meta http-equiv="Content-Type" content="text/html; charset=big5">中', 'big5'),
      '',
      '中',
    ],
    ['UTF-8 in it', Buffer.from('naïve 中'), 'text/html', 'naïve 中'],
    ['nothing', iconv.encode('naïve “x”', 'windows-1252'), 'text/html', 'naïve “x”'],
    ['a header that nobody knows', Buffer.from('é'), 'text/html; charset=x-none', 'é'],
    [
      'a header of Latin-1, as browsers take it',
      iconv.encode('“x”', 'windows-1252'),
      'text/html; charset=iso-8859-1',
      '“x”',
    ],
  ])('is decoded by %s', (_, body, contentType, text) => {
    expect(decodePage(new Uint8Array(body), contentType)).toContain(text)
  })
})

describe('the Markdown of a page', () => {
  it('has the article and not what stands around it', async () => {
    const page = await readPage(article('<h2>Part</h2><ul><li>one</li><li>two</li></ul>'), URL_OF_PAGE)
    expect(page.markdown).toContain('## Part')
    expect(page.markdown).toMatch(/-\s+one\n-\s+two/)
    expect(page.markdown).not.toMatch(/Menu entry|Imprint/)
    expect(page.title).toMatch(/^A title/)
  })

  it('says who wrote it and when', async () => {
    const head =
      '<meta name="author" content="Ada Lovelace"><meta property="article:published_time" content="2026-01-02">'
    expect(await readPage(article('', head), URL_OF_PAGE)).toMatchObject({ byline: 'Ada Lovelace', date: '2026-01-02' })
    expect(await readPage(article(''), URL_OF_PAGE)).toMatchObject({ byline: null, date: null })
  })

  it('keeps links, absolute, and only those that lead somewhere', async () => {
    const text = await markdown(
      '<p>See <a href="../other?a=1">other</a>, <a href="javascript:alert(1)">script</a> here.</p>',
    )
    expect(text).toContain('[other](https://example.com/other?a=1)')
    expect(text).toContain('script')
    expect(text).not.toContain('javascript:')
  })

  it('keeps tables', async () => {
    const table = `<table><caption>Sizes</caption><thead><tr><th>Name</th><th>Size</th></tr></thead>
      <tbody><tr><td>a|b</td><td><a href="/x">1</a><br>2</td></tr><tr><td colspan="2">both</td></tr></tbody></table>`
    const text = await markdown(table)
    expect(text).toContain('| Name | Size |\n| --- | --- |\n| a\\|b | [1](https://example.com/x) 2 |\n| both | |')
  })

  it('marks images, by their absolute address, each once', async () => {
    const content =
      '<p>x <img src="/a.png" alt="A"> <img data-src="b.png" src="data:image/gif;base64,R0"> <img src="/a.png"></p>'
    const page = await readPage(article(content), URL_OF_PAGE)
    expect(page.images).toEqual(['https://example.com/a.png', 'https://example.com/news/b.png'])
    expect(page.markdown).toContain(`![A](${imageMark(0)})`)
    expect(page.markdown).toContain(`![](${imageMark(1)})`)
  })

  it('keeps code as it is', async () => {
    expect(await markdown('<pre><code class="language-py">if a:\n    b()\n</code></pre>')).toContain('    b()')
  })

  it('of a page that is a list is the whole list', async () => {
    const links = Array.from({ length: 20 }, (_, at) => `<li><a href="/${at}">Entry ${at}</a></li>`).join('')
    const page = await readPage(`<title>List</title><ul>${links}</ul><script>bad()</script>`, URL_OF_PAGE)
    expect(page.markdown).toContain('[Entry 19](https://example.com/19)')
    expect(page.markdown).not.toContain('bad()')
    expect(page.title).toBe('List')
  })

  it.each(['', '<', '<html>', 'plain words', '<table><tr>', '</p></p>', '<base href="::"><a href="x">y</a>'])(
    'is made of %j too',
    async (html) => {
      expect(typeof (await readPage(html, URL_OF_PAGE)).markdown).toBe('string')
    },
  )

  it('is made of long tables and lists whose elements are left open', async () => {
    const html = `<table>${'<tr><td>a<td>b'.repeat(1_000)}</table><ul>${'<li>c'.repeat(1_000)}</ul>${'<p>d'.repeat(1_000)}`
    expect((await readPage(html, URL_OF_PAGE)).markdown).toContain('| a | b |')
  })

  it.each(['<div>', '<li><p>', '<b>', '<table><tr><td>'])('is not made of %s without end', async (tag) => {
    await expect(readPage(tag.repeat(100_000), URL_OF_PAGE)).rejects.toThrow('MAX_PAGE_DEPTH')
  })

  it('takes no script, style or handler along', async () => {
    const text = await markdown(
      '<p onclick="evil()">fine</p><script>evil()</script><style>p{}</style><iframe src="x"></iframe>',
    )
    expect(text).toContain('fine')
    expect(text).not.toMatch(/evil|p\{\}|iframe/)
  })
})
