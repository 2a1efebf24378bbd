import { fail } from '../../../core/failure.ts'
import { CHANGE_CONTEXT_LINES, MAX_SHOWN_CHANGE_LINE_CHARS } from '../../../core/limits/edits.ts'
import { changedLines } from '../changed-lines.ts'
import { nearestLines } from '../nearest-lines.ts'
import type { LineIds } from './line-ids.ts'
import type { Hunk } from './parsed-patch.ts'

/**
 * Fails for a hunk that fits nowhere: which line differs first, where it nearly fits, and what stands there.
 * @param lines of the file, without line breaks
 * @param from index behind the hunk before
 * @throws FailureError `conflict`
 */
export function hunkMisfits(
  path: string,
  lines: readonly string[],
  hunk: Hunk,
  old: readonly string[],
  stated: number | null,
  from: number,
  ids: LineIds,
): never {
  const which = `hunk ${hunk.number} of ${path}`
  const after = hunk.lines.flatMap(({ kind, text }) => (kind === '-' ? [] : [text]))
  const [applied] = after.length > 1 ? ids.find(after, 0) : []
  if (applied !== undefined) {
    fail('conflict', `${which} does not fit; its new lines stand at line ${applied + 1} already. Nothing was changed`)
  }
  const [before] = from === 0 ? [] : ids.find(old, 0)
  if (before !== undefined) {
    fail(
      'conflict',
      `${which} fits at line ${before + 1}, before the end of the hunk above it; order hunks by line. Nothing was changed`,
    )
  }
  const at = nearIndex(lines, old, stated)
  if (at === null)
    fail(
      'conflict',
      `${which} does not fit, and nothing in the file is like its lines; read the file again. Nothing was changed`,
    )
  const by = old.findIndex((line, index) => lines[at + index] !== line)
  const found = lines[at + by]
  const shown = changedLines(
    lines,
    [{ first: at + 1, last: Math.min(at + old.length, lines.length) }],
    CHANGE_CONTEXT_LINES,
  )
  fail(
    'conflict',
    `${which} does not fit at line ${at + 1}: line ${at + by + 1} is expected to be ${quoted(old[by] ?? '')} and is ${found === undefined ? 'behind the end' : quoted(found)}. Nothing was changed. There stands:\n${shown}`,
  )
}

/** Index at which a hunk nearly fits: where it says, if half of its lines do stand there; otherwise where lines are most alike. */
function nearIndex(lines: readonly string[], old: readonly string[], stated: number | null): number | null {
  if (stated !== null && stated < lines.length) {
    const fitting = old.filter((line, by) => lines[stated + by] === line).length
    if (fitting * 2 >= old.length) return stated
  }
  const nearest = nearestLines(lines.join('\n'), old.join('\n'))
  return nearest === null ? null : nearest.line - 1
}

const quoted = (line: string) => JSON.stringify(line.slice(0, MAX_SHOWN_CHANGE_LINE_CHARS).toWellFormed())
