import { CHANGE_CONTEXT_LINES, MAX_SHOWN_CHANGE_CHARS, MAX_SHOWN_CHANGE_LINE_CHARS } from '../../core/limits/edits.ts'
import { withoutBreak } from './lines.ts'
import { linePrefix } from './numbered.ts'

/** Lines by number, from 1, both ends included. `last` is `first - 1` for the place before `first`. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/**
 * Changed lines behind their numbers, with the unchanged ones around them, up to MAX_SHOWN_CHANGE_CHARS.
 * @param lines of the file after the change
 * @param ranges the changed ones, in rising order
 * @param around unchanged lines shown on either side
 */
export function changedLines(
  lines: readonly string[],
  ranges: readonly LineRange[],
  around = CHANGE_CONTEXT_LINES,
): string {
  const shown: string[] = []
  let chars = 0
  let next = 1
  for (const { first, last } of ranges) {
    const from = Math.max(first - around, next)
    const to = Math.min(last + around, lines.length)
    if (from > next && shown.length > 0 && from <= to) shown.push('   …')
    for (let number = from; number <= to; number++) {
      const line = `${linePrefix(number)}${cut(withoutBreak(lines[number - 1] ?? ''))}`
      chars += line.length
      if (chars > MAX_SHOWN_CHANGE_CHARS) return [...shown, `[cut before line ${number}]`].join('\n')
      shown.push(line)
    }
    next = Math.max(next, to + 1)
  }
  return shown.join('\n')
}

const cut = (line: string) =>
  line.length > MAX_SHOWN_CHANGE_LINE_CHARS
    ? `${line.slice(0, MAX_SHOWN_CHANGE_LINE_CHARS).toWellFormed()}… [${line.length} characters]`
    : line
