import { type ZipEntry, zipBytes } from '../../src/documents/zip-writer.ts'

/** Small documents, made here byte by byte: a test shows the content that it is about. */

const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

export interface Related {
  readonly id: string
  readonly type: string
  readonly target: string
  readonly external?: boolean
}

export const relations = (list: readonly Related[]) =>
  `${XML}<Relationships xmlns="${RELATIONS}">${list
    .map(
      ({ id, type, target, external }) =>
        `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`

/** Zip by Node's own packer, ten times as fast as one in JavaScript: bombs have hundreds of megabytes. */
export const zip = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipBytes(Object.entries(files).map(([name, content]): ZipEntry => ({ name, content: bytesOf(content) })))

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content

const office = (kind: string, main: string) => ({
  '[Content_Types].xml': `${XML}<Types><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
  '_rels/.rels': relations([{ id: 'r1', type: 'officeDocument', target: main }]),
  'docProps/core.xml': `${XML}<cp:coreProperties><dc:title>The title</dc:title><dc:creator>An Author</dc:creator></cp:coreProperties>`,
})

/** Word document. @param body content of `w:body` @param more further files, and replacements of the usual ones */
export function docx(body: string, more: Readonly<Record<string, string>> = {}): Uint8Array {
  return zip({
    ...office('wordprocessingml.document', 'word/document.xml'),
    'word/document.xml': `${XML}<w:document xmlns:w="w"><w:body>${body}<w:sectPr/></w:body></w:document>`,
    'word/_rels/document.xml.rels': relations([
      { id: 's', type: 'styles', target: 'styles.xml' },
      { id: 'n', type: 'numbering', target: 'numbering.xml' },
      { id: 'f', type: 'footnotes', target: 'footnotes.xml' },
      { id: 'c', type: 'comments', target: 'comments.xml' },
      { id: 'site', type: 'hyperlink', target: 'https://example.com/', external: true },
      { id: 'picture', type: 'image', target: 'media/image1.png' },
    ]),
    'word/styles.xml':
      '<w:styles><w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>' +
      '<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="H2"/></w:style>' +
      '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style></w:styles>',
    'word/numbering.xml':
      '<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>' +
      '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl></w:abstractNum>' +
      '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>' +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>',
    'word/footnotes.xml':
      '<w:footnotes><w:footnote w:id="2"><w:p><w:r><w:t>The footnote.</w:t></w:r></w:p></w:footnote></w:footnotes>',
    'word/comments.xml':
      '<w:comments><w:comment w:id="7" w:author="Ada" w:date="2026-01-02T03:04:05Z"><w:p><w:r><w:t>Is it so?</w:t></w:r></w:p></w:comment></w:comments>',
    ...more,
  })
}

export const paragraph = (text: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

/** Presentation. @param slides contents of `p:spTree` @param notes of the first slide */
export function pptx(slides: readonly string[], notes = ''): Uint8Array {
  const names = slides.map((_, at) => `slides/slide${slides.length - at}.xml`)
  return zip({
    ...office('presentationml.presentation', 'ppt/presentation.xml'),
    'ppt/presentation.xml': `${XML}<p:presentation><p:sldIdLst>${names.map((_, at) => `<p:sldId id="${256 + at}" r:id="s${at}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(names.map((target, at) => ({ id: `s${at}`, type: 'slide', target }))),
    ...Object.fromEntries(
      slides.map((tree, at) => [
        `ppt/${names[at]}`,
        `${XML}<p:sld><p:cSld><p:spTree>${tree}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
    [`ppt/slides/_rels/${names[0]?.slice(7)}.rels`]: relations([
      { id: 'n', type: 'notesSlide', target: '../notesSlides/notes.xml' },
    ]),
    'ppt/notesSlides/notes.xml': `<p:notes><p:cSld><p:spTree>${shape('body', [notes])}</p:spTree></p:cSld></p:notes>`,
  })
}

export const shape = (placeholder: string, paragraphs: readonly string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder && `<p:ph type="${placeholder}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs
    .map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`

/** Workbook. @param sheets contents of `sheetData`, by name */
export function xlsx(sheets: Readonly<Record<string, string>>, strings: readonly string[] = []): Uint8Array {
  const names = Object.keys(sheets)
  return zip({
    ...office('spreadsheetml.sheet', 'xl/workbook.xml'),
    'xl/workbook.xml': `${XML}<workbook><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...names.map((_, at) => ({ id: `s${at}`, type: 'worksheet', target: `worksheets/sheet${at + 1}.xml` })),
      { id: 'strings', type: 'sharedStrings', target: 'sharedStrings.xml' },
      { id: 'styles', type: 'styles', target: 'styles.xml' },
    ]),
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs></styleSheet>',
    ...Object.fromEntries(
      Object.values(sheets).map((data, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `${XML}<worksheet><sheetData>${data}</sheetData></worksheet>`,
      ]),
    ),
  })
}

export function epub(chapters: readonly string[]): Uint8Array {
  return zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf':
      '<package><metadata><dc:title>A Book</dc:title><dc:creator>One</dc:creator><dc:creator>Two</dc:creator></metadata><manifest>' +
      `${chapters.map((_, at) => `<item id="c${at}" href="c%20${at}.xhtml"/>`).join('')}</manifest><spine>` +
      `${chapters.map((_, at) => `<itemref idref="c${chapters.length - 1 - at}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(
      chapters.map((body, at) => [
        `OPS/c ${at}.xhtml`,
        `<html><head><title/></head><body><a id="x"/>${body}</body></html>`,
      ]),
    ),
  })
}

export interface PdfText {
  readonly x: number
  /** Distance from the lower edge, in points; a page is 612 by 792. */
  readonly y: number
  readonly text: string
  readonly size?: number
}

const FONTS = {
  latin: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  // A font that is not in the file and has no map to Unicode: only Adobe's own maps say what its characters are.
  chinese:
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /GBK-EUC-H /DescendantFonts [<< /Type /Font ' +
    '/Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> ' +
    '/FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 0 1000 1000] /ItalicAngle 0 ' +
    '/Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>',
}

/** PDF. @param pages texts in their places; a text that begins with `<` is bytes in hexadecimal */
export function pdf(
  pages: readonly (readonly PdfText[])[],
  { font = 'latin', info = '/Title (The title)' }: { readonly font?: keyof typeof FONTS; readonly info?: string } = {},
): Uint8Array {
  const objects: string[] = []
  const add = (body: string) => objects.push(body)
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${5 + at * 2} 0 R`).join(' ')}] >>`)
  add(FONTS[font])
  add(`<< ${info} >>`)
  for (const [at, texts] of pages.entries()) {
    const drawn = texts.map(({ x, y, text, size = 10 }) => {
      const string = text.startsWith('<') ? text : `(${text.replace(/[\\()]/g, '\\$&')})`
      return `BT /F ${size} Tf 1 0 0 1 ${x} ${y} Tm ${string} Tj ET`
    })
    const stream = drawn.join('\n')
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F 3 0 R >> >> /Contents ${6 + at * 2} 0 R >>`,
    )
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`)
  }
  return pdfFile(objects, '/Info 4 0 R')
}

/** PDF of objects, the first of which is its catalog. @param more entries of its trailer */
export function pdfFile(objects: readonly string[], more = ''): Uint8Array {
  let file = '%PDF-1.7\n'
  const places = objects.map((body, at) => {
    const place = file.length
    file += `${at + 1} 0 obj\n${body}\nendobj\n`
    return place
  })
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${more} >>\nstartxref\n${file.length}\n%%EOF\n`
  return new TextEncoder().encode(file + end)
}

const SECTOR = 512
const FREE = 0xffffffff
const END_OF_CHAIN = 0xfffffffe
const FAT = 0xfffffffd
/** Streams shorter than this lie elsewhere: here all are filled up to it. */
const SHORT = 4096

/** The container of the office formats before 2007: a header, a table of sectors, a directory, and the streams. */
export function compoundFile(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const table: number[] = [FAT, END_OF_CHAIN]
  const bodies: Uint8Array[] = []
  const entries = [directoryEntry('Root Entry', 5, END_OF_CHAIN, 0)]
  for (const [name, content] of Object.entries(streams)) {
    const sectors = Math.max(SHORT, Math.ceil(content.length / SECTOR) * SECTOR) / SECTOR
    const body = new Uint8Array(sectors * SECTOR)
    body.set(content)
    entries.push(directoryEntry(name, 2, table.length, body.length))
    for (let at = 1; at < sectors; at++) table.push(table.length + 1)
    table.push(END_OF_CHAIN)
    bodies.push(body)
  }
  const file = new Uint8Array(SECTOR * (table.length + 1))
  const view = new DataView(file.buffer)
  file.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  view.setUint16(30, 9, true)
  view.setUint16(32, 6, true)
  view.setUint32(44, 1, true)
  view.setUint32(48, 1, true)
  view.setUint32(56, SHORT, true)
  view.setUint32(60, END_OF_CHAIN, true)
  view.setUint32(68, END_OF_CHAIN, true)
  view.setUint32(76, 0, true)
  for (let at = 0; at < SECTOR / 4; at++) view.setUint32(SECTOR + at * 4, table[at] ?? FREE, true)
  for (const [at, entry] of entries.entries()) file.set(entry, 2 * SECTOR + at * 128)
  let place = 3 * SECTOR
  for (const body of bodies) {
    file.set(body, place)
    place += body.length
  }
  return file
}

function directoryEntry(name: string, type: number, start: number, size: number): Uint8Array {
  const entry = new Uint8Array(128)
  const view = new DataView(entry.buffer)
  for (const [at, char] of [...name].entries()) view.setUint16(at * 2, char.charCodeAt(0), true)
  view.setUint16(64, (name.length + 1) * 2, true)
  entry[66] = type
  view.setUint32(116, start, true)
  view.setUint32(120, size, true)
  return entry
}

const u16 = (value: number) => [value & 0xff, (value >> 8) & 0xff]
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)]
const f64 = (value: number) => [...new Uint8Array(new Float64Array([value]).buffer)]
const wide = (text: string) => [...text].flatMap((char) => u16(char.charCodeAt(0)))
const record = (id: number, data: readonly number[]) => [...u16(id), ...u16(data.length), ...data]
const BEGIN = record(0x809, [...u16(0x600), ...u16(5), ...u32(0), ...u32(0), ...u32(0)])

/** Workbook of Excel 97 with one sheet: a shared text that continues in a second record, numbers, a date, a formula. */
export function xls(): Uint8Array {
  const end = record(0x0a, [])
  const format = (id: number) => record(0xe0, [...u16(0), ...u16(id)])
  const strings = [
    ...record(0xfc, [
      ...u32(2),
      ...u32(2),
      ...u16(4),
      0,
      ...[...'name'].map((char) => char.charCodeAt(0)),
      ...u16(4),
      0,
      0x61,
      0x62,
    ]),
    ...record(0x3c, [1, ...wide('中文')]),
  ]
  const globals = (offset: number) => [
    ...BEGIN,
    ...format(0),
    ...format(14),
    ...record(0x85, [...u32(offset), 0, 0, 4, 0, ...[...'Data'].map((char) => char.charCodeAt(0))]),
    ...strings,
    ...end,
  ]
  const cell = (row: number, column: number, style: number) => [...u16(row), ...u16(column), ...u16(style)]
  const sheet = [
    ...BEGIN,
    ...record(0xfd, [...cell(0, 0, 0), ...u32(0)]),
    ...record(0xfd, [...cell(0, 1, 0), ...u32(1)]),
    ...record(0x203, [...cell(1, 0, 0), ...f64(1.5)]),
    ...record(0x203, [...cell(1, 1, 1), ...f64(45_000)]),
    ...record(0xbd, [
      ...u16(2),
      ...u16(0),
      ...u16(0),
      ...u32((7 << 2) | 2),
      ...u16(0),
      ...u32((-250 << 2) | 3),
      ...u16(1),
    ]),
    ...record(0x06, [...cell(3, 0, 0), 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...u16(0), ...u32(0), ...u16(0)]),
    ...record(0x207, [...u16(3), 1, ...wide('sum')]),
    ...record(0x205, [...cell(3, 1, 0), 0x2a, 1]),
    ...end,
  ]
  const length = globals(0).length
  return compoundFile({ Workbook: Uint8Array.from([...globals(length), ...sheet]) })
}
