import { analyse } from 'chardet'
import iconv from 'iconv-lite'
import { fail } from '../core/failure.ts'
import { joined } from '../core/joined.ts'
import { field, ifKnown, say } from '../core/saying/saying.ts'

/** Encoding of a text's bytes. */
export interface Encoding {
  /** Name as in Python's chardet: `ascii`, `utf-8`, `UTF-8-SIG`, `UTF-16`, `GB2312`, `Big5`, `ISO-8859-1` … */
  readonly name: string
  /** Name as in iconv-lite. */
  readonly codec: string
  /** The mark before the text; empty for most. */
  readonly bom: readonly number[]
}

export const UTF8: Encoding = { name: 'utf-8', codec: 'utf8', bom: [] }
const ASCII: Encoding = { name: 'ascii', codec: 'utf8', bom: [] }
const LATIN1: Encoding = { name: 'ISO-8859-1', codec: 'latin1', bom: [] }
/** GB 18030 holds all of GB 2312 and GBK, and every other character too. */
const CHINESE: Encoding = { name: 'GB2312', codec: 'gb18030', bom: [] }
const JAPANESE: Encoding = { name: 'SHIFT_JIS', codec: 'shiftjis', bom: [] }

// The longer mark first: UTF-32's begins with UTF-16's.
const MARKED: readonly Encoding[] = [
  { name: 'UTF-32', codec: 'utf32le', bom: [0xff, 0xfe, 0, 0] },
  { name: 'UTF-32', codec: 'utf32be', bom: [0, 0, 0xfe, 0xff] },
  { name: 'UTF-8-SIG', codec: 'utf8', bom: [0xef, 0xbb, 0xbf] },
  { name: 'UTF-16', codec: 'utf16le', bom: [0xff, 0xfe] },
  { name: 'UTF-16', codec: 'utf16be', bom: [0xfe, 0xff] },
]

/** Names of encodings that differ between chardet for JavaScript and for Python. */
const PYTHON_NAMES = new Map([
  ['Shift_JIS', 'SHIFT_JIS'],
  ['windows-1251', 'Windows-1251'],
  ['windows-1252', 'Windows-1252'],
  ['windows-1253', 'Windows-1253'],
  ['windows-1255', 'Windows-1255'],
  ['windows-1256', 'Windows-1256'],
  ['windows-874', 'TIS-620'],
])

/** Looked for already; and the Latin ones that Python's chardet does not guess either: they win over Latin-1 too easily. */
const NEVER_GUESSED = /^(?:ASCII|UTF-|ISO-2022|ISO-8859-2$|windows-125[0478]$)/

/** Confidence from which a guess by letter frequencies counts more than the shape of the bytes. */
const CONFIDENT = 50
const SAMPLE_BYTES = 64 * 1024

/**
 * Detects the encoding of bytes: by their mark, as ASCII, as valid UTF-8, else the likeliest of those that fit.
 * @returns null for bytes that are not text: they hold NUL
 */
export function detectEncoding(bytes: Uint8Array): Encoding | null {
  const marked = MARKED.find((encoding) => isMarked(bytes, encoding))
  if (marked) return marked
  if (bytes.includes(0)) return null
  const text = decodeUtf8(bytes)
  if (text !== null) return text.length === bytes.length ? ASCII : UTF8 // other characters take more bytes than units
  const firstHigh = bytes.findIndex((byte) => byte >= 0x80)
  const sample = bytes.subarray(Math.max(0, firstHigh - 1024), firstHigh + SAMPLE_BYTES)
  return guesses(sample).find((guess) => tryDecode(bytes, guess) !== null) ?? LATIN1
}

/**
 * Encoding by a caller's name for it, in any of the spellings that Python knows.
 * @param bytes the file, whose mark tells the byte order where the name leaves it open
 * @throws FailureError `invalid_input` for an unknown name
 */
export function encodingNamed(given: string, bytes: Uint8Array = new Uint8Array()): Encoding {
  const key = folded(given)
  const marked = MARKED.filter(({ name }) => [key, `${key}sig`].includes(folded(name)))
  const inFile = marked.find((encoding) => isMarked(bytes, encoding))
  if (inFile) return { ...inFile, name: given }
  if (key === 'utf8') return UTF8
  if (marked[0]) return { ...marked[0], name: given }
  if (key === 'gb2312') return { ...CHINESE, name: given }
  // iconv-lite counts ways to write bytes as text among its encodings.
  if (key === 'base64' || key === 'hex' || !iconv.encodingExists(key)) {
    const shown = JSON.stringify(given.slice(0, 40))
    fail('invalid_input', `unknown encoding: ${shown}; use for example utf-8, gbk, gb18030, big5, utf-16 or latin1`)
  }
  return { name: given, codec: key, bom: [] }
}

/** The text, without its mark. @returns null when the bytes do not fit the encoding */
export function tryDecode(bytes: Uint8Array, encoding: Encoding): string | null {
  const body = isMarked(bytes, encoding) ? bytes.subarray(encoding.bom.length) : bytes
  if (encoding.codec === 'utf8') return decodeUtf8(body)
  const text = iconv.decode(body, encoding.codec, { stripBOM: false })
  // U+FFFD stands for bytes that do not fit; a file may also hold it, and is then written as it was read.
  return text.includes('\ufffd') && !iconv.encode(text, encoding.codec).equals(body) ? null : text
}

/**
 * The bytes of a text that goes into a file which has its mark already.
 * @throws FailureError `invalid_input` when the encoding has no bytes for some of its characters
 */
export function encodeText(text: string, encoding: Encoding): Uint8Array {
  if (encoding.codec === 'utf8') return ENCODER.encode(text)
  const bytes = iconv.encode(text, encoding.codec)
  const back = iconv.decode(bytes, encoding.codec, { stripBOM: false })
  if (back !== text) {
    const first = JSON.stringify(firstDifference(text, back))
    fail(
      'invalid_input',
      say`the text has characters that ${encoding.name} cannot hold, e.g. ${first}; ${ifKnown(say`give ${field('encoding')} "utf-8"`, 'leave them out')}`,
    )
  }
  return bytes
}

/** The first character of a text that another one does not have in its place. */
function firstDifference(text: string, other: string): string {
  let at = 0
  for (const character of text) {
    if (!other.startsWith(character, at)) return character
    at += character.length
  }
  return ''
}

/**
 * Name of what bytes written in an encoding are. It differs from the encoding's where that is GB 2312, which is written by the rules of
 * GB 18030: bytes with characters beyond GB 2312 are GBK, or GB18030 where some have four bytes.
 */
export function writtenName(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding.codec !== CHINESE.codec || folded(encoding.name) !== 'gb2312') return encoding.name
  let name = encoding.name
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0
    if (lead < 0x80) continue
    const trail = bytes[++at] ?? 0
    if (trail < 0x40) return 'GB18030'
    if (!inGb2312(lead, trail)) name = 'GBK'
  }
  return name
}

/** Ranges of the second byte, by first byte, in the rows of GB 2312 that are not full. */
const GB2312_ROWS = new Map<number, readonly (readonly [number, number])[]>([
  [0xa1, [[0xa1, 0xfe]]],
  [
    0xa2,
    [
      [0xb1, 0xe2],
      [0xe5, 0xee],
      [0xf1, 0xfc],
    ],
  ],
  [0xa3, [[0xa1, 0xfe]]],
  [0xa4, [[0xa1, 0xf3]]],
  [0xa5, [[0xa1, 0xf6]]],
  [
    0xa6,
    [
      [0xa1, 0xb8],
      [0xc1, 0xd8],
    ],
  ],
  [
    0xa7,
    [
      [0xa1, 0xc1],
      [0xd1, 0xf1],
    ],
  ],
  [
    0xa8,
    [
      [0xa1, 0xba],
      [0xc5, 0xe9],
    ],
  ],
  [0xa9, [[0xa4, 0xef]]],
  [0xd7, [[0xa1, 0xf9]]],
])

function inGb2312(lead: number, trail: number): boolean {
  const row = GB2312_ROWS.get(lead) ?? (lead >= 0xb0 && lead <= 0xf7 ? [[0xa1, 0xfe]] : [])
  return row.some(([low = 0, high = 0]) => trail >= low && trail <= high)
}

/** The bytes of a whole file: the encoding's mark, then the text. Throws as {@link encodeText} does. */
export function encodeFile(text: string, encoding: Encoding): Uint8Array {
  const bytes = encodeText(text, encoding)
  return encoding.bom.length === 0 ? bytes : joined([Uint8Array.from(encoding.bom), bytes])
}

/** ASCII grows into UTF-8 as soon as it has to; nothing of the file changes by that. */
export const writable = (encoding: Encoding): Encoding => (encoding === ASCII ? UTF8 : encoding)

const folded = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const isMarked = (bytes: Uint8Array, { bom }: Encoding) => bom.length > 0 && bom.every((byte, at) => bytes[at] === byte)

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const ENCODER = new TextEncoder()

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return STRICT_UTF8.decode(bytes)
  } catch {
    return null // a fatal decoder throws for nothing else
  }
}

/**
 * Likeliest first. In short texts letter frequencies say little; there, high bytes that always come in pairs are
 * Chinese, as the Tool Server takes them, and single ones are accented letters.
 */
function guesses(sample: Uint8Array): Encoding[] {
  const found = analyse(sample).filter(({ name }) => !NEVER_GUESSED.test(name) && iconv.encodingExists(name))
  const sure = found.filter(({ confidence }) => confidence >= CONFIDENT)
  const unsure = found.filter(({ name, confidence }) => confidence < CONFIDENT && /^(?:ISO|windows|KOI8)/.test(name))
  const shape = comesInPairs(sample) ? [CHINESE] : looksJapanese(sample) ? [JAPANESE] : []
  return [...sure.map(fromChardet), ...shape, ...unsure.map(fromChardet)]
}

const fromChardet = ({ name }: { readonly name: string }): Encoding =>
  name === 'GB18030' ? CHINESE : { name: PYTHON_NAMES.get(name) ?? name, codec: name, bom: [] }

/** Shift_JIS is the one that puts common characters between 0x81 and 0x9f, and may follow them with an ASCII byte. */
function looksJapanese(bytes: Uint8Array): boolean {
  let pairs = 0
  let common = 0
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0
    if (lead < 0x80 || (lead >= 0xa1 && lead <= 0xdf)) continue
    const trail = bytes[at + 1]
    if (trail === undefined) break // the sample may end in the middle
    if (lead === 0x80 || lead === 0xa0 || lead > 0xfc || trail < 0x40 || trail === 0x7f || trail > 0xfc) return false
    pairs++
    if (lead <= 0x9f) common++
    at++
  }
  return pairs > 1 && common > pairs / 2
}

function comesInPairs(bytes: Uint8Array): boolean {
  let run = 0
  for (const byte of bytes) {
    if (byte >= 0x80) run++
    else if (run % 2 === 1) return false
    else run = 0
  }
  return run % 2 === 0
}
