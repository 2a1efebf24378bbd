import { fail } from '../../../core/failure.ts'
import { MAX_NAMED_LINES } from '../../../core/limits/edits.ts'
import { hunkMisfits } from './hunk-misfits.ts'
import type { LineIds } from './line-ids.ts'
import type { Hunk } from './parsed-patch.ts'

export interface Place {
  /** Index of the first old line. */
  readonly at: number
  /** Lines by which it stands further down than the hunk says; 0 when the hunk does not say. */
  readonly offset: number
}

/**
 * Place of a hunk: where it says, or as far from there as the hunk before was, or the only other place where its old lines stand.
 * @param from index behind the hunk before
 * @param drift offset of the hunk before
 * @throws FailureError `conflict` where it fits nowhere, or in several places
 */
export function hunkPlace(
  path: string,
  lines: readonly string[],
  ids: LineIds,
  hunk: Hunk,
  from: number,
  drift: number,
): Place {
  const old = oldLines(hunk)
  const stated = statedIndex(hunk, old.length)
  if (old.length === 0) return { at: insertionIndex(path, lines, hunk, stated, from), offset: 0 }
  for (const offset of stated === null ? [] : [drift, 0]) {
    const at = (stated ?? 0) + offset
    if (at >= from && ids.stand(old, at)) return { at, offset }
  }
  const found: number[] = []
  for (const at of ids.find(old, from)) if (found.push(at) > MAX_NAMED_LINES) break
  const [only] = found
  if (only === undefined) return hunkMisfits(path, lines, hunk, old, stated, from, ids)
  if (found.length > 1) {
    const numbers = found.slice(0, MAX_NAMED_LINES).map((at) => at + 1)
    const rest = found.length > MAX_NAMED_LINES ? ', …' : ''
    fail(
      'conflict',
      `hunk ${hunk.number} of ${path} fits in several places, lines ${numbers.join(', ')}${rest}; correct its line number or give more lines around. Nothing was changed`,
    )
  }
  return { at: only, offset: stated === null ? 0 : only - stated }
}

const oldLines = ({ lines }: Hunk): string[] => lines.flatMap(({ kind, text }) => (kind === '+' ? [] : [text]))

/** Index at which a hunk says that its old lines stand. A hunk without any names the line before its place. */
function statedIndex({ oldStart }: Hunk, oldLines: number): number | null {
  if (oldStart === null) return null
  return oldLines === 0 ? oldStart : Math.max(oldStart - 1, 0)
}

function insertionIndex(
  path: string,
  lines: readonly string[],
  hunk: Hunk,
  stated: number | null,
  from: number,
): number {
  const at = stated ?? (lines.length === 0 ? 0 : null)
  if (at !== null && at >= from && at <= lines.length) return at
  return fail(
    'conflict',
    `hunk ${hunk.number} of ${path} only adds lines, and ${at === null ? 'has no line number' : `the file has ${lines.length} lines`}; give the lines around. Nothing was changed`,
  )
}
