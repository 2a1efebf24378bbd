/** A list of texts as Python prints it: what clients of Lagent read, and may evaluate. */
export const pythonList = (texts: readonly string[]) => `[${texts.map(pythonString).join(', ')}]`

/** `repr` of a `str`. */
function pythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  return quote + text.replace(SPECIAL, (char) => escaped(char, quote)) + quote
}

/** Quotes, the backslash, and what Python calls not printable: controls, separators but the blank, unassigned. */
const SPECIAL = /['"\\]|(?! )[\p{C}\p{Z}]/gu

function escaped(char: string, quote: string): string {
  if (char === "'" || char === '"') return char === quote ? `\\${char}` : char
  const short = SHORT.get(char)
  if (short !== undefined) return short
  const code = char.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])
