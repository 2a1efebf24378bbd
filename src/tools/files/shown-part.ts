import { MAX_ANSWER_CHARS } from '../../core/limits/answers.ts'
import { firstLines } from '../answer-budget.ts'

/** Part of a file's text that an answer shows. */
interface ShownPart {
  readonly content: string
  /** Number of its last line. */
  readonly last: number
  /** Text of the answer. */
  readonly text: string
  /** Fields that say where to read on; none when all the wanted lines are shown whole. */
  readonly more: Readonly<Record<string, unknown>>
  /** Notes for a caller about a line that is cut. */
  readonly notes: readonly string[]
}

/**
 * Lines as far as they fit, and where to read on.
 * @param wanted the lines, of which the first has the number `first`
 * @param total number of lines of the file
 */
export function shownPart(
  wanted: readonly string[],
  {
    first,
    total,
    chars,
    path,
  }: { readonly first: number; readonly total: number; readonly chars: number; readonly path: string },
): ShownPart {
  const { content, lines, truncated } = firstLines(wanted, chars)
  const last = first + lines - 1
  if (!truncated) return { content, last, text: content || `${path} is empty`, more: {}, notes: [] }
  const line = wanted[0] ?? ''
  const notes = content.length < line.length ? [cutLine(first, line, content)] : []
  const how = last < total ? `; read on with start_line ${last + 1}` : ''
  const text = `${content}\n[lines ${first}-${last} of ${total}, cut${how}]`
  const next = last < total && { next_start_line: last + 1 }
  return { content, last, text, more: { truncated: true, ...next }, notes }
}

/** Note on a line of which only the beginning is shown. */
function cutLine(number: number, line: string, shown: string): string {
  const more = `max_chars shows more (at most ${MAX_ANSWER_CHARS}), execute_shell any part: sed -n ${number}p FILE | cut -c ${shown.length + 1}-`
  return `line ${number} has ${line.length} characters, of which the first ${shown.length} are shown; ${more}`
}
