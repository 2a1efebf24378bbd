import { fail } from '../../../core/failure.ts'
import { MAX_COMPARED_HUNK_LINES } from '../../../core/limits/edits.ts'
import { occurrences, type Sequence } from '../../../core/occurrences.ts'
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
