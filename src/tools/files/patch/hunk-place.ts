import { fail } from '../../../core/failure.ts'
import { MAX_COMPARED_HUNK_LINES, MAX_NAMED_LINES } from '../../../core/limits/edits.ts'
import { occurrences, type Sequence } from '../../../core/occurrences.ts'
import { hunkMisfits } from './hunk-misfits.ts'
import type { Hunk } from './parsed-patch.ts'

/** Lines by number: equal lines have the same, and those that no hunk has are -1. */
export class LineIds {
  readonly #ids = new Map<string, number>()
  readonly #lines: Int32Array
  #compared = 0

  constructor(lines: readonly string[], hunks: readonly Hunk[]) {
    for (const { text } of hunks.flatMap((hunk) => hunk.lines)) {
      if (!this.#ids.has(text)) this.#ids.set(text, this.#ids.size)
    }
    this.#lines = Int32Array.from(lines, (line) => this.#ids.get(line) ?? -1)
  }

  /** Whether lines stand at an index. */
  stand(wanted: readonly string[], at: number): boolean {
    return (
      at >= 0 &&
      at + wanted.length <= this.#lines.length &&
      wanted.every((line, by) => this.#ids.get(line) === this.#lines[at + by])
    )
  }

  /** Indexes from `from` on at which lines stand. @throws FailureError `limit_exceeded` after MAX_COMPARED_HUNK_LINES in all */
  *find(wanted: readonly string[], from: number): Generator<number> {
    this.#compared += this.#lines.length - from + wanted.length
    if (this.#compared > MAX_COMPARED_HUNK_LINES) {
      fail(
        'limit_exceeded',
        'too many hunks do not stand at their line numbers; correct the numbers, or split the patch',
      )
    }
    const ids = wanted.map((line) => this.#ids.get(line) ?? -1)
    yield* occurrences(sequenceOf(ids), sequenceOf(this.#lines), from)
  }
}

const sequenceOf = (ids: ArrayLike<number>): Sequence => ({ length: ids.length, unit: (index) => ids[index] ?? -1 })

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

export const oldLines = ({ lines }: Hunk): string[] => lines.flatMap(({ kind, text }) => (kind === '+' ? [] : [text]))

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
