import { strToU8, unzipSync, zipSync } from 'fflate'
import { docx, epub, paragraph, pdf, pptx, shape, xls, xlsx } from '../../support/documents.ts'
import { type Format, utf8 } from './hostile-file.ts'
import { mutated } from './mutations.ts'

/** A sound file that is changed, and how its changes get past its container. */
export interface Seed {
  readonly format: Format
  readonly bytes: Uint8Array
  /** Changes a file inside of it: changes of the packed bytes alone mostly end at its checksum. */
  readonly isZip: boolean
}

const list = paragraph('item', '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>')
const cellTable =
  '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc/><w:tc/></w:tr></w:tbl>'
const equation =
  '<w:p><m:oMath><m:rad><m:deg><m:r><m:t>3</m:t></m:r></m:deg><m:e><m:r><m:t>x</m:t></m:r></m:e></m:rad></m:oMath></w:p>'
const html =
  '<html><head><title>T</title><meta charset="utf-8"></head><body><main><h1>H</h1><p>Some <b>bold</b> text, and <a href="/x">a link</a>.</p>' +
  '<ul><li>one<ul><li>two</ul></ul><table><tr><th>a<th>b<tr><td colspan=2>c</table><pre><code class="language-js">x</code></pre>' +
  '<picture><source srcset="a 1x, b 2x"><img alt="i" src="/i.png"></picture><math alttext="x">y</math><blockquote>q</blockquote></main></body></html>'
const notebook = JSON.stringify({
  cells: [
    { cell_type: 'markdown', source: ['# T\n', 'text'] },
    {
      cell_type: 'code',
      source: 'x = 1',
      outputs: [
        { output_type: 'stream', text: ['1\n'] },
        { output_type: 'error', ename: 'E', evalue: 'v' },
      ],
    },
  ],
  metadata: { language_info: { name: 'python' } },
})
const yaml =
  'kind: tool\na: &a [1, 2, {b: "c"}]\nd: *a\ne: >\n  folded\n  text\nf: |\n  kept\n<<: {g: 1}\nh: 2001-01-01\ni: !!str 1\n'
const api = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'A', version: '1' },
  servers: [{ url: 'https://a.example/{b}', variables: { b: { default: 'c' } } }],
  paths: {
    '/a/{id}': {
      get: {
        operationId: 'a',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { $ref: '#/components/schemas/I' } }],
        responses: { 200: { description: 'x' } },
      },
    },
  },
  components: {
    schemas: { I: { type: 'object', properties: { a: { type: 'array', items: { $ref: '#/components/schemas/I' } } } } },
  },
})
const tex =
  '\\documentclass{article}\\newcommand{\\a}[1]{x#1}\\title{T}\\author{A \\and B}\\begin{document}\\maketitle\\begin{abstract}abs\\end{abstract}' +
  "\\section{S}text $x^2$ \\a{y} \\cite{k} \\'e \\begin{tabular}{cc}a&b\\\\\\hline\\end{tabular}\\begin{verbatim}v\\end{verbatim}\\verb|x|\\footnote{f}\\end{document}"

const text = (format: Format, content: string): Seed => ({ format, bytes: utf8(content), isZip: false })
const zipped = (format: Format, bytes: Uint8Array): Seed => ({ format, bytes, isZip: true })

export const SEEDS: readonly Seed[] = [
  zipped(
    'docx',
    docx(
      `${paragraph('Title', '<w:pStyle w:val="H1"/>')}${list}${list}${cellTable}${equation}<w:p><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
    ),
  ),
  zipped(
    'xlsx',
    xlsx(
      {
        A: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>45000</v></c></row><row r="5"><c r="C5" s="3"><v>0.5</v></c></row>',
      },
      ['text'],
    ),
  ),
  zipped('pptx', pptx([`${shape('title', ['T'])}${shape('body', ['a', 'b'])}`, shape('', ['x'])], 'notes')),
  zipped('epub', epub(['<h1>One</h1><p>text</p>', '<p>two</p>'])),
  { format: 'xls', bytes: xls(), isZip: false },
  {
    format: 'pdf',
    bytes: pdf([
      [
        { x: 72, y: 700, text: 'Title', size: 20 },
        { x: 72, y: 600, text: 'Some text' },
        { x: 300, y: 600, text: 'beside' },
      ],
      [{ x: 72, y: 700, text: 'Page two' }],
    ]),
    isZip: false,
  },
  { format: 'pdf', bytes: pdf([[{ x: 72, y: 700, text: '<d6d0cec4>' }]], { font: 'chinese' }), isZip: false },
  text('csv', 'a,b,"c ""d"", e"\n1,2,3\n4;5;6\n"x\ny",z\n'),
  text('html', html),
  text('page', html),
  text('ipynb', notebook),
  text('md', '# T\n\ntext `code`\n\n```js\nx\n```\n\n## References\n\n* a\n'),
  text('json', notebook),
  text('yaml', yaml),
  text('openapi', api),
  text('xml', '<?xml version="1.0"?><a b="c"><![CDATA[x]]><!-- y --><d>&amp;&#65;</d></a>'),
  text('tex', tex),
  text('robots', 'User-agent: *\nDisallow: /a*b$ # why\nAllow: /a\n'),
]

/** A changed copy of a seed; of an archive, one of its files is changed as often as its bytes. */
export function changed(seed: Seed, other: Seed, random: () => number): Uint8Array {
  if (!seed.isZip || random() < 0.3) return mutated(seed.bytes, other.bytes, random)
  const files = unzipSync(seed.bytes)
  const names = Object.keys(files)
  const name = names[Math.floor(random() * names.length)] ?? ''
  const donor = other.isZip ? strToU8('<w:p><a:p><c r="A1"><v>1</v></c>') : other.bytes
  return zipSync({ ...files, [name]: mutated(files[name] ?? new Uint8Array(), donor, random) }, { level: 0 })
}
