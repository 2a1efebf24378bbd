import { shownLength, startOf } from '../core/cut-text.ts'
import { ANSWER_CHARS, MAX_ANSWER_CHARS } from '../core/limits/answers.ts'
import { integer, optional } from './arguments.ts'

/**
 * The argument `max_chars`: how long an answer may be. What is beyond the most that a tool grants is granted as that.
 * @param usual length when it is left out
 * @param of words for what is counted, e.g. "each output"
 */
export const maxChars = (usual: number = ANSWER_CHARS, { most = MAX_ANSWER_CHARS, of = 'the answer' } = {}) =>
  optional(integer.refine((chars) => chars >= 1, 'must be at least 1'))
    .transform((given): number => Math.min(given ?? usual, most))
    .describe(`Characters of ${of}; a longer one is cut. Default ${grouped(usual)}, at most ${grouped(most)}`)

/** Number with its thousands apart: `32,000`. */
const grouped = (number: number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Beginning of a list of lines: whole lines, as many as fit; of a first line that is too long, its beginning. */
export function firstLines(lines: readonly string[], chars: number) {
  let taken = 0
  const over = lines.findIndex((line) => {
    taken += shownLength(line)
    return taken > chars
  })
  if (over === -1) return { content: lines.join(''), lines: lines.length, truncated: false }
  if (over > 0) return { content: lines.slice(0, over).join(''), lines: over, truncated: true }
  return { content: startOf(lines[0] ?? '', chars), lines: 1, truncated: true }
}
