import { fail } from '../../core/failure.ts'
import { MAX_NAMED_LINES } from '../../core/limits/edits.ts'
import { occurrences, unitsOf } from '../../core/occurrences.ts'
import { field, say } from '../../core/saying/saying.ts'
import { changedLines, type LineRange } from './changed-lines.ts'
import { universalNewlines } from './lines.ts'

/**
 * Refuses an edit of lines that are not what its caller takes them for.
 * @param lines of the file, with plain line breaks
 * @param expected any line breaks; the last one may be missing
 * @throws FailureError `conflict`, with what stands in the lines, and where the expected ones do
 */
export function requireExpected(path: string, lines: readonly string[], range: LineRange, expected: string): void {
  const wanted = ended(universalNewlines(expected))
  if (ended(lines.slice(range.first - 1, range.last).join('')) === wanted) return
  const elsewhere = wanted === '' ? [] : linesWith(wanted, lines)
  const hint = elsewhere.length === 0 ? '' : `; the expected text stands at line ${elsewhere.join(', ')}`
  const { first, last } = range
  const which = first === last ? `line ${first}` : `lines ${first}-${last}`
  const standing =
    last < first ? `No line is replaced before line ${first}` : `There stands:\n${changedLines(lines, [range], 0)}`
  fail(
    'conflict',
    say`the content of ${which} of ${path} is not the ${field('expected_content')}${hint}. Nothing was changed. ${standing}`,
  )
}

const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** Numbers of the lines at which whole lines stand, the first MAX_NAMED_LINES. */
function linesWith(wanted: string, lines: readonly string[]): number[] {
  const found: number[] = []
  let [index, position] = [0, 0]
  for (const start of occurrences(unitsOf(wanted), unitsOf(ended(lines.join(''))))) {
    for (; position < start; index++) position += lines[index]?.length ?? 1
    if (position === start) found.push(index + 1)
    if (found.length === MAX_NAMED_LINES) break
  }
  return found
}
