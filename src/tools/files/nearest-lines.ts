import { MAX_COMPARED_CHARS, MAX_COMPARED_LINE_CHARS, MAX_COMPARED_LINES } from '../../core/limits/edits.ts'
import { occurrences, unitsOf } from '../../core/occurrences.ts'

/** A place that is like a text which was not found. */
export interface NearestLines {
  /** Number of the first line, from 1. */
  readonly line: number
  /** How the text differs from the place, where that is known. */
  readonly because: 'white space' | 'letter case' | null
}

/** Share of three-character pieces that two lines must have in common to be called alike. */
const ALIKE = 0.4

/**
 * The place in a text that is most like `wanted`, which does not stand in it; null when nothing is. Only the first MAX_COMPARED_CHARS
 * are looked through, in time linear in them.
 * @param text with plain line breaks
 * @param wanted with plain line breaks
 */
export function nearestLines(text: string, wanted: string): NearestLines | null {
  const beginning = text.slice(0, MAX_COMPARED_CHARS)
  const wantedBeginning = wanted.slice(0, MAX_COMPARED_CHARS)
  const spaced = lineOf(oneSpaced(wantedBeginning), oneSpaced(beginning))
  if (spaced !== null) return { line: spaced, because: 'white space' }
  const unspaced = lineOf(unSpaced(wantedBeginning), unSpaced(beginning))
  if (unspaced !== null) return { line: unspaced, because: 'white space' }
  const cased = lineOf(wantedBeginning.toLowerCase(), beginning.toLowerCase())
  if (cased !== null) return { line: cased, because: 'letter case' }
  const line = mostAlike(beginning.split('\n'), wantedBeginning.split('\n', MAX_COMPARED_LINES * 4))
  return line === null ? null : { line, because: null }
}

/** A text with one space for any white space within a line, and none at the ends of lines. */
const oneSpaced = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .join('\n')

/** A text without white space within its lines. */
const unSpaced = (text: string) => text.replace(/[^\S\n]+/g, '')

/** Number of the line in which a text begins; null when it does not stand there. */
function lineOf(wanted: string, text: string): number | null {
  const begin = wanted.search(/[^\n]/)
  if (begin === -1) return null
  const [at] = occurrences(unitsOf(wanted.slice(begin).replace(/\n$/, '')), unitsOf(text))
  return at === undefined ? null : text.slice(0, at).split('\n').length
}

/** Number of the line with which the lines most like the wanted ones begin. */
function mostAlike(lines: readonly string[], wanted: readonly string[]): number | null {
  const compared = [...wanted.entries()]
    .map(([offset, line]) => ({ offset, line: line.trim().slice(0, MAX_COMPARED_LINE_CHARS) }))
    .filter(({ line }) => line.length > 2)
    .slice(0, MAX_COMPARED_LINES)
  if (compared.length === 0) return null
  const places = placesOfPieces(compared.map(({ line }) => line))
  const scores = new Float64Array(lines.length)
  const common = new Uint16Array(MAX_COMPARED_LINES)
  for (const [index, whole] of lines.entries()) {
    const line = whole.trim().slice(0, MAX_COMPARED_LINE_CHARS)
    if (line.length < 3) continue
    countCommon(line, places, common)
    for (const [which, { offset, line: other }] of compared.entries()) {
      const start = Math.max(index - offset, 0)
      const share = (common[which] ?? 0) / (Math.max(line.length, other.length) - 2)
      scores[start] = (scores[start] ?? 0) + Math.min(share, 1)
    }
  }
  const best = scores.reduce((best, score, index) => (score > (scores[best] ?? 0) ? index : best), 0)
  return (scores[best] ?? 0) / compared.length < ALIKE ? null : best + 1
}

/** Number that stands for three characters; others may have the same, which only blurs the likeness. */
const pieceAt = (line: string, at: number) =>
  ((line.charCodeAt(at) * 31 + line.charCodeAt(at + 1)) * 31 + line.charCodeAt(at + 2)) & 0xffff

/** Lines that have a piece, as the bits of a byte, by piece. */
function placesOfPieces(lines: readonly string[]): Uint8Array {
  const places = new Uint8Array(0x10000)
  for (const [which, line] of lines.entries()) {
    for (let at = 0; at + 3 <= line.length; at++) {
      const piece = pieceAt(line, at)
      places[piece] = (places[piece] ?? 0) | (1 << which)
    }
  }
  return places
}

/** Counts the pieces of a line that each of the compared lines has, too. */
function countCommon(line: string, places: Uint8Array, common: Uint16Array): void {
  common.fill(0)
  for (let at = 0; at + 3 <= line.length; at++) {
    const bits = places[pieceAt(line, at)] ?? 0
    for (let which = 0; bits >> which !== 0; which++) {
      if (bits & (1 << which)) common[which] = (common[which] ?? 0) + 1
    }
  }
}
