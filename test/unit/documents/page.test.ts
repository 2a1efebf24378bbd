import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decodePage } from '../../../src/documents/page/charset.ts'
import { imageMark } from '../../../src/documents/page/image-marks.ts'
import { readPage } from '../../../src/documents/page/read-page.ts'
import { costOf, expectCost, plainPassMs } from '../../support/processor-time.ts'

const URL_OF_PAGE = 'https://example.com/news/page.html'
const PARAGRAPH =
  'This paragraph tells something at some length, with commas, so that it is taken for content. '.repeat(4)
const article = (content: string, head = '') =>
  `<!doctype html><html><head><title>A title | Site</title>${head}</head><body><nav><a href="/menu">Menu entry</a></nav>
  <article><h1>A title</h1><p>${PARAGRAPH}</p>${content}<p>${PARAGRAPH}</p></article><footer>Imprint</footer></body></html>`
const markdown = async (content: string) => (await readPage(article(content), URL_OF_PAGE)).markdown

const CHINESE = '这是一个没有说明编码的网页，它的内容是中文。'
const JAPANESE = 'このページは文字コードを示していませんが、内容は日本語です。'

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
    [
      'UTF-8 in it, though a byte is damaged',
      Buffer.concat([Buffer.from('汉字在这里'), Buffer.from([0xff])]),
      'text/html; charset=utf-8',
      '汉字在这里',
    ],
    ['what it is, whatever its header says', iconv.encode(CHINESE, 'gbk'), 'text/html; charset=utf-8', CHINESE],
    ['the likeliest for its bytes', iconv.encode(CHINESE, 'gbk'), 'text/html', CHINESE],
    ['the likeliest for Japanese', iconv.encode(JAPANESE, 'shift_jis'), '', JAPANESE],
    ['its zeros', iconv.encode('<p>é', 'utf16be'), 'text/html', '<p>é'],
  ])('is decoded by %s', (_, body, contentType, text) => {
    expect(decodePage(new Uint8Array(body), contentType)).toContain(text)
  })
})

describe('the Markdown of a page', () => {
  it('has the article and not what stands around it', async () => {
    const page = await readPage(article('<h2>Part</h2><ul><li>one</li><li>two</li></ul>'), URL_OF_PAGE)
    expect(page.markdown).toContain('## Part')
    expect(page.markdown).toContain('* one\n* two')
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
    expect(text).toContain('| Name | Size |\n| --- | --- |\n| a\\|b | [1](https://example.com/x)<br>2 |\n| both |  |')
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

  it('keeps what highlighting, scripts and hiding make of code, equations and images', async () => {
    const content = `<pre><code class="language-py">a</code></pre><p>Inline <span class="mwe-math-element"><span
      class="mwe-math-mathml" style="display: none;"><math alttext="a^2"></math></span><img class="mwe-math-fallback-image"
      aria-hidden="true" src="m.svg" alt="a2"></span> and <script type="math/tex">b</script>.</p>
      <ul><li><input type="checkbox" checked> ticked, and more</li></ul><p><img srcset="/s.png 1x, /l.png 2x"></p>`
    const page = await readPage(article(content), URL_OF_PAGE)
    expect(page.markdown).toContain('```py\na\n```\n\nInline $a^2$ and $b$.\n\n* [x] ticked, and more')
    expect(page.images).toEqual(['https://example.com/l.png'])
  })

  it('leaves images out when they are not wanted, but not what they say as links', async () => {
    const content = '<p>x <img src="/a.png" alt="A"> <a href="/b"><img src="/b.png" alt="Next"></a></p>'
    const page = await readPage(article(content), URL_OF_PAGE, false)
    expect(page.markdown).toContain('x [Next](https://example.com/b)')
    expect(page.images).toEqual([])
  })

  it('keeps links within the page apart, and follows its base', async () => {
    const text = await readPage(
      article(
        '<p><a href="#x">to x</a>, <a href="/news/page.html#y">to y</a>, <a href="z">to z</a></p><h2>Part <a href="#p">#</a></h2>',
        '<base href="/base/">',
      ),
      URL_OF_PAGE,
    )
    expect(text.markdown).toContain('to x, to y, [to z](https://example.com/base/z)\n\n## Part\n')
  })

  it('says which address is its own', async () => {
    const head = '<link rel="canonical" href="/own">'
    expect(await readPage(article('', head), URL_OF_PAGE)).toMatchObject({ canonicalUrl: 'https://example.com/own' })
    expect(await readPage(article('', `<link rel="canonical" href="${URL_OF_PAGE}">`), URL_OF_PAGE)).toMatchObject({
      canonicalUrl: null,
    })
  })

  it('names its author without what stands around the name', async () => {
    const content =
      '<p class="byline">By <a rel="author" href="/ada">Ada Lovelace</a> · <time datetime="2026-02-03">3 February</time></p>'
    expect(await readPage(article(content), URL_OF_PAGE)).toMatchObject({ byline: 'Ada Lovelace', date: '2026-02-03' })
  })

  it('does not begin with its title once more', async () => {
    const page = await readPage('<title>One</title><main><h1>One</h1><p>text</p></main>', URL_OF_PAGE)
    expect(page).toMatchObject({ title: 'One', markdown: 'text' })
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

  it('is read in a few seconds when elements that are counted again and again stand within each other', async () => {
    const text = 'lorem ipsum dolor sit amet '.repeat(140_000)
    await expectCost(
      async () => {
        await readPage(`<body>${'<noscript>'.repeat(240)}${text}`, URL_OF_PAGE)
        const links = Array.from({ length: 240 }, (_, at) => `<a href="/${at}">`).join('')
        const page = await readPage(`<body>${links}${text}`, URL_OF_PAGE, true, true)
        expect(page.links).toHaveLength(240)
        expect(JSON.stringify(page.links).length).toBeLessThan(240 * 1_000)
      },
      { below: () => 800 * plainPassMs(1_000_000) },
    )
  })

  it('takes no script, style or handler along', async () => {
    const text = await markdown(
      '<p onclick="evil()">fine</p><script>evil()</script><style>p{}</style><iframe src="x"></iframe>',
    )
    expect(text).toContain('fine')
    expect(text).not.toMatch(/evil|p\{\}|iframe/)
  })
})

describe('what a page says of itself', () => {
  it('is one short line each, without what controls a terminal or turns the direction of reading', async () => {
    const head = `<link rel="canonical" href="https://a.example/${'y'.repeat(100_000)}">
      <meta property="article:published_time" content="2026${'-01'.repeat(10_000)}">`
    const title = `A\u202eb\u001b[31m ${'x'.repeat(100_000)}`
    const page = await readPage(article('', head).replace('A title | Site', title), URL_OF_PAGE)
    expect(page.title).toMatch(/^A b \[31m x{1,300}$/)
    expect(page.title.length).toBeLessThanOrEqual(300)
    expect(page.date?.length).toBeLessThanOrEqual(300)
    expect(page.canonicalUrl).toBeNull()
  })
})

it.each(['<', '&amp;', '&'])('a page of millions of %j is refused before it is parsed', async (piece) => {
  await expectCost(() => expect(readPage(piece.repeat(600_000), URL_OF_PAGE)).rejects.toThrow(/MAX_MARKUP_NODES/), {
    below: () => 100 * plainPassMs(1_000_000),
  })
})

describe('the main part of a page', () => {
  const long = (word: string) => `<p>${word} ${PARAGRAPH}</p>`
  const many = (count: number, html: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => html(at)).join('')

  it.each([
    [
      'an article, not the comments on it',
      `<article>${many(3, (at) => long(`Body ${at}`))}</article><div id="comments">${many(20, () => `<div class="comment">${long('Comment')}</div>`)}</div>`,
      ['Body 0', 'Body 2'],
      ['Comment'],
    ],
    [
      'an article of two sentences, not what is related to it',
      `<article><h1>Note</h1><p>Short, and all there is.</p></article><aside>${many(5, () => long('Related'))}</aside>`,
      ['Short, and all there is.'],
      ['Related'],
    ],
    [
      'what the page marks as main, not the menu beside it',
      `<div class="menu">${many(40, (at) => `<a href="/${at}">Entry ${at}</a>`)}</div><div role="main"><h1>f()</h1><dl><dt>f(a)</dt><dd>Does it.</dd></dl></div>`,
      ['f()', 'Does it.'],
      ['Entry'],
    ],
    [
      'all teasers of a front page, as links',
      `<main>${many(4, (at) => `<section><h2>Section ${at}</h2>${many(3, (no) => `<article><a href="/${at}/${no}"><h3>Teaser ${at}.${no}</h3></a>${long('Lead')}</article>`)}</section>`)}</main>`,
      ['## Section 0', '### [Teaser 0.0](https://example.com/0/0)', '### [Teaser 3.2](https://example.com/3/2)'],
      [],
    ],
    [
      'all posts of a thread',
      `<div class="thread">${many(12, (at) => `<div class="post"><b>user${at}</b><div>${long(`Post ${at}.`)}</div></div>`)}</div>`,
      many(12, (at) => `Post ${at}.,`)
        .split(',')
        .filter(Boolean),
      [],
    ],
    [
      'all comments where there is nothing else',
      `<main><h1>Thread</h1><div class="comments">${many(12, (at) => long(`Post ${at}.`))}</div></main>`,
      many(12, (at) => `Post ${at}.,`)
        .split(',')
        .filter(Boolean),
      [],
    ],
    [
      'all results of a search',
      `<form>${many(10, (at) => `<div><h3><a href="/r${at}">Result ${at}</a></h3>${long('Snippet')}</div>`)}<input name=q></form>`,
      ['### [Result 0](https://example.com/r0)', '### [Result 9](https://example.com/r9)'],
      [],
    ],
  ])('is %s', async (_, body, wanted, unwanted) => {
    const html = `<html><head><title>T</title></head><body><nav>Menu</nav>${body}<footer>Imprint</footer></body></html>`
    const { markdown: text } = await readPage(html, URL_OF_PAGE)
    for (const part of wanted) expect(text).toContain(part)
    for (const part of [...unwanted, 'Menu', 'Imprint']) expect(text).not.toContain(part)
  })
})

it('is read in less than three times the time where what hides its equations stands 240 deep', async () => {
  const reading = (depth: number) => {
    const page = `<body>${'<div style="display:none">'.repeat(depth)}${'<math></math>'.repeat(10_000)}`
    return () => readPage(page, URL_OF_PAGE)
  }
  await expectCost(reading(240), { below: async () => 3 * (await costOf(reading(1))) })
})
