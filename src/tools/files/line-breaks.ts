/** Line breaks of a text: what it has, and the one that new lines of it get. */
export interface LineBreaks {
  readonly name: 'LF' | 'CRLF' | 'CR' | 'mixed'
  /** The most frequent one. */
  readonly common: '\n' | '\r\n' | '\r'
}

/** Line breaks of a text; LF for one without any. */
export function lineBreaksOf(raw: string): LineBreaks {
  if (!raw.includes('\r')) return { name: 'LF', common: '\n' }
  // By indexOf, in half the time of matches.
  const crlf = countOf('\r\n', raw)
  const cr = countOf('\r', raw) - crlf
  const lf = countOf('\n', raw) - crlf
  if (cr === 0 && lf === 0) return { name: 'CRLF', common: '\r\n' }
  if (crlf === 0 && lf === 0) return { name: 'CR', common: '\r' }
  return { name: 'mixed', common: crlf >= lf && crlf >= cr ? '\r\n' : lf >= cr ? '\n' : '\r' }
}

function countOf(wanted: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) count++
  return count
}

/** A text with plain line breaks in those of a file. */
export const withBreaks = (text: string, { common }: LineBreaks) =>
  common === '\n' ? text : text.replaceAll('\n', common)

/**
 * Positions in a text for positions in the same text with plain line breaks: they differ by one for each CRLF before.
 * @returns a function to be called with rising positions
 */
export function rawPositions(raw: string): (position: number) => number {
  let passed = 0
  let next = raw.indexOf('\r\n')
  return (position) => {
    while (next !== -1 && next - passed < position) {
      passed++
      next = raw.indexOf('\r\n', next + 2)
    }
    return position + passed
  }
}
