/** Two-byte codes of newer tables of the encoding that CPython's codec `gbk` lacks, first and last included. */
const NOT_IN_PYTHON: readonly (readonly [number, number])[] = [
  [0xa2e3, 0xa2e3],
  [0xa6d9, 0xa6df],
  [0xa6ec, 0xa6ed],
  [0xa6f3, 0xa6f3],
  [0xa8bc, 0xa8bc],
  [0xa8bf, 0xa8bf],
  [0xa989, 0xa995],
  [0xfe50, 0xfefe],
]

let known: ReadonlySet<string> | null = null

/**
 * Text without characters that GBK lacks: emoji, €, ñ and ö go; Chinese, é, ü, Russian and Greek stay. Lagent does this to
 * all results, silently. Where the runtime lacks GBK, the text stays unchanged.
 */
export function keepGbk(text: string): string {
  known ??= encodable()
  const { size } = known
  return size === 0 ? text : text.replaceAll(/[^\p{ASCII}]/gu, (character) => (known?.has(character) ? character : ''))
}

/** Characters of GBK, from the runtime's decoder instead of a table: all two-byte codes, decoded. Takes some milliseconds. */
function encodable(): ReadonlySet<string> {
  const characters = new Set<string>()
  const decoder = gbkDecoder()
  if (!decoder) return characters
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (const character of decoder.decode(row(lead))) if (isPublic(character)) characters.add(character)
  }
  return characters
}

function gbkDecoder(): { decode(bytes: Uint8Array): string } | null {
  try {
    return new TextDecoder('gbk')
  } catch {
    return null // a runtime that was built without the tables
  }
}

function row(lead: number): Uint8Array {
  const codes = Array.from({ length: 0xfe - 0x40 + 1 }, (_, at) => 0x40 + at).filter(
    (trail) => trail !== 0x7f && !NOT_IN_PYTHON.some(([first, last]) => inside((lead << 8) | trail, first, last)),
  )
  return Uint8Array.from(codes.flatMap((trail) => [lead, trail]))
}

/**
 * Whether a character belongs to GBK: no placeholder for a code without a character, no ASCII byte after such a code, none
 * for private use.
 */
function isPublic(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return code > 0x7f && code !== 0xfffd && !inside(code, 0xe000, 0xf8ff) && code <= 0xffff
}

const inside = (code: number, first: number, last: number) => first <= code && code <= last
