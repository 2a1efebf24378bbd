import { compoundFile, docx, paragraph, pptx, shape, xls, xlsx } from '../../../support/documents.ts'
import type { Format, HostileFile } from '../hostile-file.ts'

const nested = (open: string, close: string, inner: string, depth: number) =>
  `${open.repeat(depth)}${inner}${close.repeat(depth)}`

const root = (depth: number) => nested('<m:rad><m:deg>', '</m:deg><m:e/></m:rad>', '<m:r><m:t>x</m:t></m:r>', depth)
const box = '<w:p><w:r><w:pict><w:txbxContent>'
const boxEnd = '</w:txbxContent></w:pict></w:r></w:p>'

const DOCX: Readonly<Record<string, () => Uint8Array>> = {
  'roots within the degrees of roots': () => docx(`<w:p><m:oMath>${root(60)}</m:oMath></w:p>`),
  'tables within each other': () =>
    docx(nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', paragraph('x | y').repeat(20_000), 60)),
  'text boxes within each other': () => docx(nested(box, boxEnd, paragraph('x').repeat(20_000), 40)),
  'cells that span many': () =>
    docx(
      `<w:tbl>${`<w:tr>${'<w:tc><w:tcPr><w:gridSpan w:val="64"/></w:tcPr></w:tc>'.repeat(300)}</w:tr>`.repeat(300)}</w:tbl>`,
    ),
  'one wide row among many short ones': () =>
    docx(`<w:tbl>${'<w:tr><w:tc/></w:tr>'.repeat(50_000)}<w:tr>${'<w:tc/>'.repeat(20_000)}</w:tr></w:tbl>`),
  'paragraphs without content': () => docx('<w:p/>'.repeat(1_500_000)),
  'one paragraph of very many runs': () => docx(`<w:p>${'<w:r><w:t>x</w:t></w:r>'.repeat(200_000)}</w:p>`),
  'more elements than a tree may have': () => docx(`<w:p>${'<w:r/>'.repeat(2_000_000)}</w:p>`),
  'an element of a hundred thousand attributes': () =>
    docx(`<w:p ${Array.from({ length: 100_000 }, (_, at) => `a${at}="x"`).join(' ')}/>`),
  'levels of lists that are no numbers': () =>
    docx(
      ['-1000000000', '1e9', '1.5', 'NaN', '99999999999']
        .map((level) => paragraph('x', `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`))
        .join(''),
    ),
  'footnotes that refer to each other': () =>
    docx('<w:p><w:r><w:footnoteReference w:id="0"/></w:r></w:p>', {
      'word/footnotes.xml': `<w:footnotes>${Array.from({ length: 20_000 }, (_, at) => `<w:footnote w:id="${at}"><w:p><w:r><w:footnoteReference w:id="${at + 1}"/><w:footnoteReference w:id="${at}"/></w:r></w:p></w:footnote>`).join('')}</w:footnotes>`,
    }),
  'styles that build on each other': () =>
    docx(paragraph('x', '<w:pStyle w:val="s0"/>'), {
      'word/styles.xml': `<w:styles>${Array.from({ length: 30_000 }, (_, at) => `<w:style w:styleId="s${at}"><w:basedOn w:val="s${(at + 1) % 30_000}"/></w:style>`).join('')}</w:styles>`,
    }),
  'quotes that do not end': () => docx('<w:p a="'.repeat(200_000)),
  'comments that do not end': () => docx('<!--'.repeat(500_000)),
  'sections of character data': () => docx(`<w:p>${'<![CDATA['.repeat(200_000)}]]></w:p>`),
  'character references': () => docx(paragraph('&#x41;&amp;&nothing;'.repeat(150_000))),
}

const ROW_CLAIM = '<row r="999999999999"><c r="A999999999999"><v>1</v></c></row>'
const merges = (count: number) => `<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(count)}</mergeCells>`

const XLSX: Readonly<Record<string, () => Uint8Array>> = {
  'a row far below': () => xlsx({ A: ROW_CLAIM }),
  'rows far below, up and down': () =>
    xlsx({
      A: Array.from({ length: 20_000 }, (_, at) => `<row r="${at % 2 ? 1 : 1_048_576}"><c><v>1</v></c></row>`).join(''),
    }),
  'values in the first and the last cell': () =>
    xlsx({ A: '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>' }),
  'the last column in each row': () =>
    xlsx({
      A: Array.from({ length: 60_000 }, (_, at) => `<row r="${at + 1}"><c r="XFD${at + 1}"><v>1</v></c></row>`).join(
        '',
      ),
    }),
  'one wide row among many short ones': () =>
    xlsx({ A: `${'<row><c><v>1</v></c></row>'.repeat(200_000)}<row><c r="XFD200001"><v>1</v></c></row>` }),
  'merged cells': () => xlsx({ A: `<row><c><v>1</v></c></row></sheetData>${merges(50_000)}<sheetData>` }),
  'shared texts that unpack to much': () => xlsx({ A: '<row><c t="s"><v>0</v></c></row>' }, ['x'.repeat(30_000_000)]),
  'one long text in every cell': () =>
    xlsx({ A: `<row>${'<c t="s"><v>0</v></c>'.repeat(20)}</row>`.repeat(2_000) }, ['long '.repeat(2_000)]),
  'references to texts that are not there': () =>
    xlsx({ A: '<row><c t="s"><v>-1</v></c><c t="s"><v>1e99</v></c><c t="s"><v>length</v></c></row>'.repeat(20_000) }),
  'numbers of dates out of every calendar': () =>
    xlsx({
      A: ['-1e300', '1e300', '2958465.9999999', 'Infinity', '-0', '1e-320']
        .map((value) => `<row>${[0, 1, 2, 3].map((style) => `<c s="${style}"><v>${value}</v></c>`).join('')}</row>`)
        .join(''),
    }),
  'cells without content': () => xlsx({ A: `<row>${'<c/>'.repeat(1_500_000)}</row>` }),
  'rows without content': () => xlsx({ A: '<row/>'.repeat(1_500_000) }),
}

const slide = (inner: string) => pptx([inner])
const PPTX: Readonly<Record<string, () => Uint8Array>> = {
  'groups within each other': () => slide(nested('<p:grpSp>', '</p:grpSp>', shape('', ['x']).repeat(5_000), 150)),
  'a table with one wide row': () =>
    slide(
      `<p:graphicFrame><a:tbl>${'<a:tr><a:tc/></a:tr>'.repeat(50_000)}<a:tr>${'<a:tc/>'.repeat(20_000)}</a:tr></a:tbl></p:graphicFrame>`,
    ),
  'levels that are no numbers': () =>
    slide(
      ['-5', '1e9', '-1e9', 'NaN', '2.5']
        .map(
          (level) =>
            `<p:sp><p:nvSpPr><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><p:txBody>${`<a:p><a:pPr lvl="${level}"><a:buChar/></a:pPr><a:r><a:t>x</a:t></a:r></a:p>`.repeat(3)}</p:txBody></p:sp>`,
        )
        .join(''),
    ),
  'two hundred thousand shapes': () => slide(shape('', ['x']).repeat(30_000)),
  'one slide shown ten thousand times': () => pptx(Array.from({ length: 3_000 }, () => shape('title', ['x']))),
}

/** A workbook of 1997 with numbers of it set to extremes: its table of sectors, its chains, its records. */
const changedXls = (places: readonly (readonly [at: number, value: number])[]) => {
  const bytes = xls().slice()
  const view = new DataView(bytes.buffer)
  for (const [at, value] of places) view.setUint32(at, value, true)
  return bytes
}
const u16 = (value: number) => [value & 0xff, (value >> 8) & 0xff]
const record = (id: number, data: readonly number[]) => [...u16(id), ...u16(data.length), ...data]

function xlsOf(records: readonly (readonly number[])[]): Uint8Array {
  const begin = record(0x809, [...u16(0x600), ...u16(5), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  const end = record(0x0a, [])
  const globals = (offset: number) => [
    ...begin,
    ...record(0x85, [...u16(offset & 0xffff), ...u16(offset >> 16), 0, 0, 1, 0, 65]),
    ...end,
  ]
  const length = globals(0).length
  const bytes = [globals(length), begin, ...records, end]
  return compoundFile({ Workbook: Uint8Array.from(bytes.flat()) })
}

const number = (row: number, column: number) =>
  record(0x203, [...u16(row), ...u16(column), 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f])
const XLS: Readonly<Record<string, () => Uint8Array>> = {
  'values in the first and the last cell': () => xlsOf([number(0, 0), number(65_535, 65_535)]),
  'the last column in each row': () => xlsOf(Array.from({ length: 3_000 }, (_, at) => number(at, 65_535))),
  'rows up and down': () => xlsOf(Array.from({ length: 3_000 }, (_, at) => number(at % 2 ? 0 : 65_535, 0))),
  'a table of sectors that is a circle': () =>
    changedXls([
      [68, 0],
      [72, 0xffffffff],
    ]),
  'a directory that is a circle': () => changedXls([[48, 0]]),
  'more sectors than there are': () => changedXls([[44, 0xffffffff]]),
  'sheets that begin beyond the end': () => changedXls([[3 * 512 + 40, 0xffffffff]]),
}

const filesOf = (format: Format, files: Readonly<Record<string, () => Uint8Array>>): HostileFile[] =>
  Object.entries(files).map(([name, bytes]) => ({ name, format, bytes }))

export const office: readonly HostileFile[] = [
  ...filesOf('docx', DOCX),
  ...filesOf('xlsx', XLSX),
  ...filesOf('pptx', PPTX),
  ...filesOf('xls', XLS),
]
