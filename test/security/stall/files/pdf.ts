import { constants, deflateSync } from 'node:zlib'
import type { HostileFile } from '../hostile-file.ts'

type PdfObject = string | readonly [dictionary: string, stream: Uint8Array]

/** A PDF out of numbered objects, from 1 on; the first one is its catalogue. */
function pdfOf(objects: readonly PdfObject[], trailer = ''): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  let length = parts[0]?.length ?? 0
  const push = (part: string | Uint8Array) => {
    const bytes = Buffer.from(part as string, 'latin1')
    parts.push(bytes)
    length += bytes.length
  }
  const places: number[] = []
  for (const [at, object] of objects.entries()) {
    places.push(length)
    push(`${at + 1} 0 obj\n`)
    if (typeof object === 'string') push(object)
    else for (const part of [`${object[0]}\nstream\n`, object[1], '\nendstream']) push(part)
    push('\nendobj\n')
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  push(`xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\n`)
  push(
    `startxref\n${length - `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\n`.length - table.length - `xref\n0 ${size}\n0000000000 65535 f \n`.length}\n%%EOF\n`,
  )
  return new Uint8Array(Buffer.concat(parts))
}

const deflated = (stream: Uint8Array, more = ''): PdfObject => [
  `<< /Length ${stream.length} /Filter /FlateDecode ${more} >>`,
  stream,
]
const packed = (content: string, more = '') => deflated(deflateSync(content, { level: 9 }), more)
/** Packed as runs of one byte, which takes a fraction of the time for the same bytes. */
const manySpaces = () => deflateSync(Buffer.alloc(400_000_000, 32), { strategy: constants.Z_RLE })
const plain = (content: string, more = ''): PdfObject => [
  `<< /Length ${content.length} ${more} >>`,
  Buffer.from(content, 'latin1'),
]

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const ONE_PAGE = '<< /Type /Pages /Count 1 /Kids [4 0 R] >>'
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const page = (resources: string) =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F 3 0 R >> ${resources} >> /Contents 5 0 R >>`

/** One page that draws `content`; further objects are 6 and on. */
const drawing = (content: PdfObject, { font = FONT, resources = '', more = [] as readonly PdfObject[] } = {}) =>
  pdfOf([CATALOG, ONE_PAGE, font, page(resources), content, ...more])

/** As many forms, each of which draws the next one `times` times. */
function nestedForms(count: number, times: number): Uint8Array {
  const forms = Array.from({ length: count }, (_, at) =>
    packed(
      '/X Do '.repeat(times),
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${7 + at} 0 R >> >>`,
    ),
  )
  const last = plain(
    'BT /F 9 Tf (a) Tj ET',
    '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F 3 0 R >> >>',
  )
  return drawing(packed('/X Do'), { resources: '/XObject << /X 6 0 R >>', more: [...forms, last] })
}

const wide = (widths: string) =>
  `<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ${widths} /FontDescriptor << /Type /FontDescriptor /FontName /A /Flags 4 /FontBBox [0 0 9 9] /ItalicAngle 0 /Ascent 8 /Descent 0 /CapHeight 8 /StemV 8 >> >>] >>`
const mapped = (map: string) =>
  drawing(plain('BT /F 9 Tf <0041> Tj ET'), {
    font: wide('').replace(/>>$/, '/ToUnicode 6 0 R >>'),
    more: [packed(`/CIDInit begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${map} endcmap`)],
  })

/** An xref stream that claims its entries without a byte for each. */
function claimedObjects(): Uint8Array {
  const head = `%PDF-1.7\n1 0 obj\n${CATALOG}\nendobj\n2 0 obj\n<< /Type /Pages /Count 0 /Kids [] >>\nendobj\n`
  const xref =
    '3 0 obj\n<< /Type /XRef /Size 2000000000 /W [0 0 0] /Index [0 2000000000] /Root 1 0 R /Length 1 >>\nstream\n \nendstream\nendobj\n'
  return new Uint8Array(Buffer.from(`${head}${xref}startxref\n${head.length}\n%%EOF\n`, 'latin1'))
}

const text = 'BT /F 10 Tf 1 0 0 1 72 700 Tm (x) Tj ET '

const FILES: Readonly<Record<string, () => Uint8Array>> = {
  'ten million saved states in 21 KB': () => drawing(packed('q '.repeat(10_000_000))),
  'states saved and restored': () => drawing(packed('q Q '.repeat(4_000_000))),
  'lines without end': () => drawing(packed('0 0 l '.repeat(5_000_000))),
  'a stream of 400 MB of spaces': () => drawing(deflated(manySpaces())),
  'a stream packed twice': () =>
    drawing(['<< /Filter [/FlateDecode /FlateDecode] >>', deflateSync(manySpaces(), { level: 9 })]),
  'run lengths': () =>
    drawing(['<< /Filter /RunLengthDecode >>', Buffer.alloc(4_000_000, Buffer.from([129, 113, 129, 32]))]),
  'run lengths in hexadecimal': () =>
    drawing(['<< /Filter [/ASCIIHexDecode /RunLengthDecode] >>', Buffer.from('81718120'.repeat(500_000), 'latin1')]),
  'pieces of text in one place': () => drawing(packed(`BT /F 9 Tf ${'(a) Tj '.repeat(800_000)}ET`)),
  'pieces of text all over the page': () =>
    drawing(
      packed(
        `BT /F 9 Tf ${Array.from({ length: 150_000 }, (_, at) => `1 0 0 1 ${(at * 7) % 600} ${(at * 13) % 790} Tm (w${at}) Tj`).join(' ')} ET`,
      ),
    ),
  'a text far beyond the page': () => drawing(packed(`BT /F 9 Tf 1 0 0 1 900000000 5 Tm (a) Tj ET ${text.repeat(20)}`)),
  'one string of three million letters': () => drawing(packed(`BT /F 9 Tf (${'a '.repeat(1_500_000)}) Tj ET`)),
  'brackets within each other': () => drawing(packed('['.repeat(2_000_000))),
  'dictionaries within each other': () => drawing(packed('<<'.repeat(2_000_000))),
  'strings within each other': () => drawing(packed('('.repeat(2_000_000))),
  'commands that nobody knows': () => drawing(packed('zz '.repeat(2_000_000))),
  'pictures in the text': () => drawing(packed('BI ID '.repeat(400_000))),
  'fonts set without end': () => drawing(packed(`BT ${'/F 9 Tf '.repeat(1_000_000)}ET`)),
  'forms that draw ten of each other, ten deep': () => nestedForms(10, 10),
  'forms that draw two of each other, forty deep': () => nestedForms(40, 2),
  'a form that draws itself': () =>
    drawing(packed('/X Do '.repeat(1000)), {
      resources: '/XObject << /X 6 0 R >>',
      more: [
        plain('/X Do /X Do', '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>'),
      ],
    }),
  'widths of two thousand million glyphs': () =>
    drawing(plain('BT /F 9 Tf <0041> Tj ET'), { font: wide('/W [0 2000000000 500]') }),
  'widths of the same glyphs again and again': () =>
    drawing(plain('BT /F 9 Tf <0041> Tj ET'), { font: wide(`/W [${'0 65535 500 '.repeat(100_000)}]`) }),
  'heights of two thousand million glyphs': () =>
    drawing(plain('BT /F 9 Tf <0041> Tj ET'), {
      font: wide('/W2 [0 2000000000 500 500 500]').replace('Identity-H', 'Identity-V'),
    }),
  'a character map of sixteen million': () => mapped('1 beginbfrange <00000000> <00fffffe> <0041> endbfrange'),
  'a character map of many ranges': () =>
    mapped(`100 beginbfrange ${'<0000> <ffff> <0041> '.repeat(20_000)} endbfrange`),
  'a character map of wide ranges to one place': () =>
    mapped(`100 begincidrange ${'<00000000> <00fffff0> 0 '.repeat(1_000)} endcidrange`),
  'objects that are only claimed': claimedObjects,
  'a thousand million pages that are only claimed': () =>
    pdfOf([CATALOG, '<< /Type /Pages /Count 1000000000 /Kids [4 0 R] >>', FONT, page(''), plain(text)]),
  'a tree of pages that is a circle': () =>
    pdfOf([
      CATALOG,
      '<< /Type /Pages /Count 1000 /Kids [3 0 R 3 0 R] >>',
      '<< /Type /Pages /Count 500 /Parent 2 0 R /Kids [2 0 R 3 0 R] >>',
    ]),
  'a tree of pages of five thousand levels': () =>
    pdfOf([
      CATALOG,
      ...Array.from({ length: 5_000 }, (_, at) => `<< /Type /Pages /Count 1 /Kids [${at + 3} 0 R] >>`),
      '<< /Type /Page /Parent 5001 0 R /MediaBox [0 0 9 9] >>',
    ]),
  'a page that is listed three thousand times': () =>
    pdfOf([CATALOG, `<< /Type /Pages /Count 3000 /Kids [${'4 0 R '.repeat(3_000)}] >>`, FONT, page(''), plain(text)]),
  'a length that refers to itself': () =>
    drawing(['<< /Length 5 0 R >>', Buffer.from(text)], { more: ['7 0 R', '6 0 R'] }),
  'numbers without end': () => drawing(plain(`${'9'.repeat(4_000_000)} Tf`)),
  'names without end': () => drawing(plain(`/${'#41'.repeat(1_000_000)} Tf`)),
  'objects without a table': () =>
    new Uint8Array(Buffer.from(`%PDF-1.7\n${'1 0 obj\n<< >>\nendobj\n'.repeat(150_000)}trailer << /Root 1 0 R >>`)),
  'beginnings of objects': () => new Uint8Array(Buffer.from(`%PDF-1.7\n${'1 0 obj '.repeat(400_000)}`)),
  trailers: () => new Uint8Array(Buffer.from(`%PDF-1.7\n${'trailer << /Root 1 0 R >>\n'.repeat(100_000)}`)),
  'beginnings of streams': () =>
    new Uint8Array(Buffer.from(`%PDF-1.7\n${'1 0 obj << /Length 9 >> stream\n'.repeat(50_000)}`)),
}

export const pdfs: readonly HostileFile[] = Object.entries(FILES).map(([name, bytes]) => ({
  name,
  format: 'pdf',
  bytes,
}))
