import { describe, expect, it } from 'vitest'
import { catalog } from '../../../../src/tools/catalog.ts'
import { docx, epub, paragraph, pdf, pptx, shape, xls, xlsx } from '../../../support/documents.ts'
import { toolbench } from '../../../support/toolbench.ts'

interface Parsed {
  readonly content: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

async function parse(name: string, content: string | Uint8Array, args: object = {}): Promise<Parsed> {
  const { data, put } = toolbench(catalog)
  await put(name, content)
  return (await data('parse_document', { file_path: name, ...args })) as Parsed
}

/** As much as one call reads. */
const all = { max_chars: 1024 * 1024 }

describe('parse_document', () => {
  it('answers with the published fields', async () => {
    expect(await parse('notes.md', '# Title\n\ntwo words 汉字\n')).toEqual({
      content: '# Title\n\ntwo words 汉字\n',
      metadata: { file_type: '.md', lines: 3, encoding: 'utf-8' },
      file_path: 'notes.md',
      char_count: 22,
      word_count: 6,
    })
  })

  it('says what it cannot read, and what to do instead', async () => {
    const { failure, put } = toolbench(catalog)
    await put('a.py', 'x')
    await put('empty.pdf', '')
    await put('d/x.md', 'x')
    expect((await failure('parse_document', { file_path: 'none.pdf' })).message).toMatch(/^File not found: none.pdf/)
    expect((await failure('parse_document', { file_path: 'a.py' })).message).toMatch(
      /^Unsupported file type: .py; .*file_read/,
    )
    expect((await failure('parse_document', { file_path: 'empty.pdf' })).message).toMatch(/it is empty/)
    expect((await failure('parse_document', { file_path: 'd' })).message).toMatch(/^Not a file/)
    expect((await failure('parse_document', { file_path: '../x.md' })).code).toBe('invalid_input')
  })

  it('cuts a long text into parts that can be read on', async () => {
    const text = Array.from({ length: 5000 }, (_, at) => `Paragraph ${at} of a long text.\n`).join('\n')
    const whole = await parse('long.txt', text, { max_chars: 200_000 })
    expect(whole.metadata).toMatchObject({ parts: 3 })
    const second = await parse('long.txt', text, { pages: '2' })
    expect(whole.content).toBe(text)
    expect(text).toContain(second.content)
    expect(second.content.length).toBeLessThan(70_000)
  })

  it('stops at the size limit and names the pages to ask for next', async () => {
    const text = `${'word '.repeat(12)}\n\n`.repeat(30_000)
    const { content, truncated, next_pages } = await parse('huge.txt', text, all)
    expect(truncated).toBe(true)
    expect(content.length).toBeLessThanOrEqual(1024 * 1024)
    expect(next_pages).toMatch(/^\d+-\d+$/)
    const rest = await parse('huge.txt', text, { ...all, pages: next_pages })
    expect(rest.truncated).toBeUndefined()
    expect(`${content}\n\n${rest.content}`).toBe(text)
  })

  it('has a budget: 30,000 characters, and the pages to read on from', async () => {
    const text = Array.from({ length: 5000 }, (_, at) => `Paragraph ${at} of a long text.\n`).join('\n')
    const read: string[] = []
    for (let pages: unknown = ''; pages !== undefined; ) {
      const { content, next_pages } = await parse('long.txt', text, { pages })
      expect(content.length).toBeLessThanOrEqual(30_000)
      read.push(content)
      pages = next_pages
    }
    expect(read.length).toBeLessThan(10)
    expect(read.join('\n').match(/^Paragraph \d+/gm)).toEqual(text.match(/^Paragraph \d+/gm))
  })

  it('shows formulas that were never calculated, and the values of those that were', async () => {
    const rows = `<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>A1*C2</f><v></v></c><c r="C1"><f>A1*3</f><v>6</v></c>
      <c r="D1" t="str"><f>IF(A1&gt;0,"","x")</f><v></v></c><c r="E1"><f>SUM(A1:C1)</f></c><c r="F1"><f t="shared" si="0"/><v/></c></row>`
    const { content, notes } = await parse('a.xlsx', xlsx({ Data: rows }))
    expect(content).toContain('| 2 | =A1*C2 | 6 |  | =SUM(A1:C1) | =… |')
    expect(notes).toEqual([expect.stringMatching(/^formulas without a value are shown as they are written/)])
    const plain = await parse('b.xlsx', xlsx({ Data: '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c></row>' }))
    expect(plain).not.toHaveProperty('notes')
  })

  it('cuts even one sheet that is too long, and goes on within it', async () => {
    const row = (at: number) => `<row r="${at}"><c r="A${at}" t="str"><v>${'cell '.repeat(20)}${at}</v></c></row>`
    const book = xlsx({ Long: Array.from({ length: 20_000 }, (_, at) => row(at + 1)).join(''), Next: row(1) })
    const first = await parse('a.xlsx', book, all)
    expect(first).toMatchObject({ truncated: true, next_pages: '1.2,2' })
    expect(first.notes).toEqual([expect.stringMatching(/read on with the same max_chars$/)])
    const second = await parse('a.xlsx', book, { ...all, pages: first.next_pages })
    expect(second).toMatchObject({ truncated: true, next_pages: '1.3,2' })
    const third = await parse('a.xlsx', book, { ...all, pages: second.next_pages })
    expect(third.next_pages).toBeUndefined()
    expect(third.content).toContain('## Next')
    expect(`${first.content}\n${second.content}\n${third.content}`.match(/^\| cell/gm)).toHaveLength(20_001)
  })

  it('refuses pages that are none', async () => {
    const { failure, put } = toolbench(catalog)
    await put('a.md', 'x')
    expect((await failure('parse_document', { file_path: 'a.md', pages: 'foreword' })).message).toMatch(
      /^pages: "foreword" is no page/,
    )
    expect((await failure('parse_document', { file_path: 'a.md', pages: '7' })).message).toBe(
      'pages: there is no part 7; the document has 1',
    )
  })
})

describe('a Word document', () => {
  it('keeps headings, also of styles built on them, and emphasis', async () => {
    const { content, metadata } = await parse(
      'a.docx',
      docx(
        paragraph('One', '<w:pStyle w:val="H1"/>') +
          paragraph('Two', '<w:pStyle w:val="Own"/>') +
          '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve"> text </w:t></w:r><w:r><w:rPr><w:i/><w:b w:val="0"/></w:rPr><w:t>slanted</w:t></w:r></w:p>',
      ),
    )
    expect(content).toBe('# One\n\n## Two\n\n**bold text** *slanted*')
    expect(metadata).toEqual({ file_type: '.docx', title: 'The title', author: 'An Author', paragraphs: 3 })
  })

  it('numbers lists as Word does', async () => {
    const at = (list: number, level: number) =>
      `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`
    const body = [
      paragraph('first', at(1, 0)),
      paragraph('below', at(1, 1)),
      paragraph('beside', at(1, 1)),
      paragraph('second', at(1, 0)),
      paragraph('again', at(1, 1)),
      paragraph('bullet', at(2, 0)),
    ]
    expect((await parse('a.docx', docx(body.join('')))).content).toBe(
      '1. first\n  * a) below\n  * b) beside\n2. second\n  * a) again\n* bullet',
    )
  })

  it('keeps tables, with cells that span others', async () => {
    const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`
    const body = `<w:tbl><w:tr>${cell('wide', '<w:gridSpan w:val="2"/>')}${cell('c')}</w:tr><w:tr>${cell('high', '<w:vMerge w:val="restart"/>')}${cell('a|b')}${cell('x')}</w:tr><w:tr>${cell('hidden', '<w:vMerge/>')}${cell('d')}${cell('')}</w:tr></w:tbl>`
    expect((await parse('a.docx', docx(body))).content).toBe(
      '| wide |  | c |\n| --- | --- | --- |\n| high | a\\|b | x |\n|  | d |  |',
    )
  })

  it('keeps links, notes, comments and equations, and leaves deleted text out', async () => {
    const body =
      '<w:p><w:hyperlink r:id="site"><w:r><w:t>site</w:t></w:r></w:hyperlink><w:r><w:t>, noted</w:t><w:footnoteReference w:id="2"/></w:r>' +
      '<w:r><w:t xml:space="preserve"> said</w:t><w:commentReference w:id="7"/></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>' +
      '<w:ins><w:r><w:t xml:space="preserve"> new</w:t></w:r></w:ins></w:p>' +
      '<m:oMathPara><m:oMath><m:f><m:num><m:r><m:t>α</m:t></m:r></m:num><m:den><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:den></m:f></m:oMath></m:oMathPara>'
    expect((await parse('a.docx', docx(body))).content).toBe(
      '[site](https://example.com/), noted[^2] said[^comment-7] new\n\n$$\\frac{\\alpha}{x^{2}}$$\n\n' +
        '[^2]: The footnote.\n[^comment-7]: Ada, 2026-01-02: Is it so?',
    )
  })
})

describe('a PowerPoint presentation', () => {
  const slides = [
    shape('body', ['one', 'two']) + shape('title', ['First']),
    `${shape('title', ['Second'])}<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>k</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>v</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>`,
  ]
  it('shows slides in their order, titles first, with tables and notes', async () => {
    const { content, metadata } = await parse('a.pptx', pptx(slides, 'Say this.'))
    expect(content).toBe(
      '<!-- slide 1 -->\n\n# First\n\n* one\n* two\n\n### Notes\n\nSay this.\n\n<!-- slide 2 -->\n\n# Second\n\n| k | v |\n| --- | --- |',
    )
    expect(metadata).toMatchObject({ file_type: '.pptx', slides: 2 })
  })
  it('gives the slides that were asked for', async () => {
    expect((await parse('a.pptx', pptx(slides), { pages: 2 })).content).toMatch(/^<!-- slide 2 -->\n\n# Second/)
  })
})

describe('an Excel workbook', () => {
  it('shows each sheet as a table, with dates, percentages and the values of formulas', async () => {
    const data =
      '<row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="inlineStr"><is><t>when</t></is></c><c r="E2" t="str"><f>A1</f><v>sum</v></c></row>' +
      '<row r="3"><c r="B3"><v>0.30000000000000004</v></c><c r="C3" s="1"><v>45000</v></c><c r="D3" s="2"><v>45000.5</v></c><c r="E3" s="3"><v>0.125</v></c></row>' +
      '<row r="4"><c r="B4" t="b"><v>1</v></c><c r="C4" t="e"><v>#N/A</v></c></row>'
    const { content, metadata } = await parse('a.xlsx', xlsx({ Data: data, Empty: '' }, ['name']))
    expect(content).toBe(
      '## Data\n\n| name | when |  | sum |\n| --- | --- | --- | --- |\n| 0.3 | 2023-03-15 | 2023-03-15 12:00:00 | 12.50% |\n| TRUE | #N/A |  |  |\n\n## Empty\n\n(empty sheet)',
    )
    expect(metadata).toMatchObject({ file_type: '.xlsx', sheets: 2 })
  })
})

describe('a workbook of Excel 97', () => {
  it('is read without a sandbox, whatever its cells are kept as', async () => {
    const { content, metadata } = await parse('a.xls', xls())
    expect(content).toBe(
      '## Data\n\n| name | ab中文 |\n| --- | --- |\n| 1.5 | 2023-03-15 |\n| 7 | -2.5 |\n| sum | #N/A |',
    )
    expect(metadata).toEqual({ file_type: '.xls', sheets: 1 })
  })
})

describe('a table file', () => {
  it.each([
    ['a.csv', 'a,b\n1,"x, ""y"""\n'],
    ['a.csv', 'a;b\r\n1;x, "y"\r\n'],
    ['a.tsv', 'a\tb\n1\tx, "y"\n'],
  ])('finds out what separates the values of %s', async (name, text) => {
    expect((await parse(name, text)).content).toBe('| a | b |\n| --- | --- |\n| 1 | x, "y" |')
  })
  it('finds out its encoding', async () => {
    const shiftJis = Uint8Array.from([
      0x96, 0xbc, 0x91, 0x4f, 0x2c, 0x94, 0x4e, 0x97, 0xee, 0x0a, 0x8d, 0xb2, 0x93, 0xa1, 0x2c, 0x33, 0x30,
    ])
    expect((await parse('a.csv', shiftJis)).content).toBe('| 名前 | 年齢 |\n| --- | --- |\n| 佐藤 | 30 |')
  })
})

describe('a web page', () => {
  it('keeps what it is about, with links, lists and tables, and leaves out what navigates it', async () => {
    const page = `<html><head><title>A page</title></head><body><nav>Home</nav><main><h1>Title</h1>
      <p>Some <b>bold</b> and <a href="/x" title="T">a link</a>.</p><ul><li>one<ul><li>deep</li></ul></li><li>two</li></ul>
      <table><tr><th>k</th><th>v</th></tr><tr><td colspan="2">both</td></tr></table><pre><code class="language-js">a  &lt; b</code></pre>
      <script>alert(1)</script></main><footer>Imprint</footer></body></html>`
    const { content, metadata } = await parse('a.html', page)
    expect(content).toBe(
      '# Title\n\nSome **bold** and [a link](/x "T").\n\n* one\n  * deep\n* two\n\n| k | v |\n| --- | --- |\n| both |  |\n\n```js\na  < b\n```',
    )
    expect(metadata).toMatchObject({ title: 'A page' })
  })
  it('keeps all of a page that marks no main part', async () => {
    expect((await parse('a.htm', '<p>one<p>two<blockquote>three</blockquote>')).content).toBe('one\n\ntwo\n\n> three')
  })
})

describe('a book', () => {
  it('has its chapters in reading order, after its title', async () => {
    const { content, metadata } = await parse('a.epub', epub(['<h1>Last</h1>', '<h1>First</h1><p>x&#160;y</p>']))
    expect(content).toBe(
      '<!-- chapter 1 -->\n\n**Title:** A Book\n\n**Authors:** One, Two\n\n# First\n\nx\u00a0y\n\n<!-- chapter 2 -->\n\n# Last',
    )
    expect(metadata).toMatchObject({ title: 'A Book', chapters: 2 })
  })
})

describe('a notebook', () => {
  it('has its text, code and outputs', async () => {
    const notebook = {
      cells: [
        { cell_type: 'markdown', source: ['# T\n', 'text'] },
        {
          cell_type: 'code',
          source: 'print(1)',
          outputs: [
            { output_type: 'stream', text: ['1\n'] },
            { output_type: 'error', ename: 'ValueError', evalue: 'no' },
            { output_type: 'display_data', data: { 'image/png': 'AAAA', 'text/plain': ['<Figure>'] } },
          ],
        },
      ],
      metadata: { language_info: { name: 'python' } },
      nbformat: 4,
    }
    expect((await parse('a.ipynb', JSON.stringify(notebook))).content).toBe(
      '# T\ntext\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n```\nValueError: no\n```\n\n```\n<Figure>\n```\n\n![output](data:image/png;base64...)',
    )
  })
})

describe('a PDF', () => {
  const body = (y: number, text: string, x = 72) => ({ x, y, text })
  it('has headings by size, paragraphs joined over lines, and hyphens undone', async () => {
    const lines = [
      { x: 72, y: 720, text: 'A Title', size: 20 },
      body(690, 'The first line of a paragraph that is long enough to reach the edge, and con-'),
      body(678, 'tinues in the second one, which is as long as the first so that a third may go'),
      body(666, 'on.'),
      body(640, 'Another paragraph.'),
    ]
    const { content, metadata } = await parse('a.pdf', pdf([lines]))
    expect(content).toBe(
      '<!-- page 1 -->\n\n# A Title\n\nThe first line of a paragraph that is long enough to reach the edge, and continues in the ' +
        'second one, which is as long as the first so that a third may go on.\n\nAnother paragraph.',
    )
    expect(metadata).toEqual({ file_type: '.pdf', pages: 1, title: 'The title' })
  })

  it('finds tables that have no lines drawn', async () => {
    const row = (y: number, cells: readonly string[]) =>
      cells.map((text, at) => ({ x: 72 + at * 120, y, text })).filter(({ text }) => text !== '')
    const page = [
      body(740, 'Inventory'),
      ...row(700, ['Code', 'Place', 'Count']),
      ...row(680, ['A-1', '', '450']),
      ...row(660, ['', 'B-07', '-23']),
      ...row(640, ['C-3', 'D-1', '']),
      body(600, 'After it.'),
    ]
    expect((await parse('a.pdf', pdf([page]))).content).toBe(
      '<!-- page 1 -->\n\nInventory\n\n| Code | Place | Count |\n| --- | --- | --- |\n| A-1 |  | 450 |\n|  | B-07 | -23 |\n| C-3 | D-1 |  |\n\nAfter it.',
    )
  })

  it('reads columns one after the other', async () => {
    const column = (x: number, word: string) =>
      Array.from({ length: 12 }, (_, at) => ({
        x,
        y: 700 - at * 12,
        text: `${word} column, line ${at} of its prose text`,
      }))
    const mixed = column(60, 'left').flatMap((line, at) => [line, column(330, 'right')[at] ?? line])
    const { content } = await parse('a.pdf', pdf([mixed]))
    expect(content.indexOf('left column, line 11')).toBeLessThan(content.indexOf('right column, line 0'))
  })

  it('shows what comes again on every page only once', async () => {
    const pages = [1, 2, 3].map((number) => [
      body(770, 'The Running Head'),
      body(500, `Text of page ${'abc'[number - 1]}.`),
      body(20, `Page ${number} of 3`),
    ])
    const { content } = await parse('a.pdf', pdf(pages))
    expect(content.match(/The Running Head/g)).toHaveLength(1)
    expect(content.match(/Page \d of 3/g)).toEqual(['Page 1 of 3'])
    expect(content).toContain('<!-- page 3 -->\n\nText of page c.')
  })

  it('knows Chinese of fonts that carry no map of their own', async () => {
    const { content } = await parse(
      'a.pdf',
      pdf([[{ x: 72, y: 700, text: '<D6D0CEC4CEC4B5B5>' }]], { font: 'chinese' }),
    )
    expect(content).toContain('中文文档')
  })

  it('says so when pages have no text', async () => {
    const { content, notes } = await parse('a.pdf', pdf([[]]))
    expect(content).toContain('no text on this page')
    expect(notes).toEqual([expect.stringContaining('scans')])
  })

  it('gives the pages that were asked for', async () => {
    const pages = Array.from({ length: 6 }, (_, at) => [body(500, `This is page number ${at + 1}.`)])
    const { content } = await parse('a.pdf', pdf(pages), { pages: '5-, 2' })
    expect(content.match(/<!-- page \d -->/g)).toEqual(['<!-- page 2 -->', '<!-- page 5 -->', '<!-- page 6 -->'])
  })

  it.each([
    ['last', [6]],
    ['first', [1]],
    ['all', [1, 2, 3, 4, 5, 6]],
    [-1, [6]],
    ['-2', [5]],
    [
      [1, -1],
      [1, 6],
    ],
    ['last 2', [5, 6]],
    ['-3-', [4, 5, 6]],
    ['-3--2', [4, 5]],
    ['-9-', [1, 2, 3, 4, 5, 6]],
    ['5-last', [5, 6]],
    ['first-2', [1, 2]],
  ])('counts pages from the end, and takes words for them: %j', async (chosen, shown) => {
    const pages = Array.from({ length: 6 }, (_, at) => [body(500, `This is page number ${at + 1}.`)])
    const { content } = await parse('a.pdf', pdf(pages), { pages: chosen })
    expect(content.match(/(?<=<!-- page )\d/g)?.map(Number)).toEqual(shown)
  })

  it.each(['-7', '0', '-0', 'last-', '--1', 'end of it'])('refuses a page that is none: %j', async (pages) => {
    const { failure, put } = toolbench(catalog)
    await put('a.md', 'x')
    expect((await failure('parse_document', { file_path: 'a.md', pages })).message).toMatch(/^pages: /)
  })
})
