import { CHANGE_CONTEXT_LINES } from '../../core/limits/edits.ts'
import { occurrences, unitsOf } from '../../core/occurrences.ts'
import { field, type Part, type Saying, say } from '../../core/saying/saying.ts'
import { changedLines } from './changed-lines.ts'
import { splitLines } from './lines.ts'
import { nearestLines } from './nearest-lines.ts'

/**
 * Message for a text that does not stand in a file: how it differs from what does, and the lines that are nearest to it.
 * @param text of the file, with plain line breaks
 * @param wanted with plain line breaks
 * @param name the argument that has the text
 */
export function textNotFound(file: string, text: string, wanted: string, name: Part = field('old_text')): Saying {
  const guise = guiseOf(wanted, text)
  if (guise !== null) return say`${name} not found in ${file}: ${guise}`
  const nearest = nearestLines(text, wanted)
  if (nearest === null)
    return say`${name} not found in ${file}, nor anything like it; read the file and copy the text from it`
  const lines = splitLines(text)
  const first = numberedAsShown(text, nearest.line)
  const last = first + Math.min(splitLines(wanted).length, 2 * CHANGE_CONTEXT_LINES) - 1
  const shown = changedLines(lines, [{ first, last: Math.min(last, lines.length) }], 0)
  const difference = nearest.because === null ? '' : `, which differs only in ${nearest.because}`
  return say`${name} not found in ${file}; nearest is line ${first}${difference}:\n${shown}`
}

/** Number of the line by {@link splitLines}, which counts a form feed as an end, too, for its number by line feeds alone. */
function numberedAsShown(text: string, line: number): number {
  let at = 0
  for (let number = 1; number < line; number++) at = text.indexOf('\n', at) + 1
  return splitLines(`${text.slice(0, at)}x`).length
}

/** Advice on what to leave out of a text, or to change in it, so that it is found; null when that does not help. */
function guiseOf(wanted: string, text: string): string | null {
  const lines = wanted.split('\n')
  const numbered = /^\s*\d+(?:: ?|\||\t| {2})/
  if (lines.every((line) => line === '' || numbered.test(line))) {
    const plain = lines.map((line) => line.replace(numbered, '')).join('\n')
    if (stands(plain, text)) return 'leave out the line numbers before its lines'
  }
  if (!wanted.includes('\n') && wanted.includes('\\n') && stands(wanted.replaceAll('\\n', '\n'), text)) {
    return 'write its line breaks as line breaks, not as a backslash and n'
  }
  return null
}

function stands(wanted: string, text: string): boolean {
  if (wanted.trim() === '') return false
  const [at] = occurrences(unitsOf(wanted), unitsOf(text))
  return at !== undefined
}
