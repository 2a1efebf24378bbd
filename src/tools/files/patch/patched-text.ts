import type { LineRange } from '../changed-lines.ts'
import { lineBreaksOf } from '../line-breaks.ts'
import { hunkPlace } from './hunk-place.ts'
import { LineIds } from './line-ids.ts'
import type { Hunk } from './parsed-patch.ts'

export interface PatchedText {
  /** The text with its line breaks. */
  readonly raw: string
  /** Lines afterwards, and those of them that are new, or before which some are gone. */
  readonly lines: readonly string[]
  readonly ranges: readonly LineRange[]
  readonly added: number
  readonly removed: number
  readonly notes: readonly string[]
}

/**
 * A text with hunks applied. Lines that stay do so to the byte; new ones get the line break that the text has most. The last line stays
 * without one, if it was, unless the patch says otherwise.
 * @param raw text with its own line breaks; a line ends with LF or CRLF
 * @throws FailureError `conflict` when a hunk does not fit
 */
export function patchedText(path: string, raw: string, hunks: readonly Hunk[]): PatchedText {
  const rows = raw === '' ? [] : raw.split(/(?<=\n)/)
  const lines = rows.map((row) => row.replace(/\r?\n$/, ''))
  const ids = new LineIds(lines, hunks)
  const out = new Output(raw)
  const notes: string[] = []
  let [next, drift] = [0, 0]
  for (const hunk of hunks) {
    const { at, offset } = hunkPlace(path, lines, ids, hunk, next, drift)
    if (offset !== 0) {
      const way = offset > 0 ? 'further down' : 'further up'
      notes.push(`Hunk ${hunk.number} of ${path} fitted ${Math.abs(offset)} lines ${way}, at line ${at + 1}.`)
    }
    for (; next < at; next++) out.keep(rows[next] ?? '')
    for (const line of hunk.lines) {
      if (line.kind === '+') out.add(line.text, line.unended === true)
      else if (line.kind === ' ') out.keep(rows[next++] ?? '')
      else {
        next++
        out.remove(line.unended === true)
      }
    }
    if (offset !== 0 || hunk.oldStart !== null) drift = offset
  }
  for (; next < rows.length; next++) out.keep(rows[next] ?? '')
  return { ...out.end(), notes }
}

/** The patched text while it is put together, row by row. */
class Output {
  readonly #rows: string[] = []
  readonly #ranges: { first: number; last: number }[] = []
  readonly #break: string
  readonly #wasUnended: boolean
  #added = 0
  #removed = 0
  /** Whether the last row is new, and what the patch says of its end. */
  #last: 'kept' | 'ended' | 'unended' = 'kept'
  #saysUnended = false

  constructor(raw: string) {
    this.#break = lineBreaksOf(raw).common === '\r\n' ? '\r\n' : '\n'
    this.#wasUnended = raw !== '' && !raw.endsWith('\n')
  }

  keep(row: string): void {
    this.#push(row)
    this.#last = 'kept'
  }

  add(text: string, unended: boolean): void {
    this.#push(`${text}${this.#break}`)
    this.#last = unended ? 'unended' : 'ended'
    this.#added++
    this.#change(this.#rows.length, this.#rows.length)
  }

  remove(unended: boolean): void {
    this.#saysUnended ||= unended
    this.#removed++
    this.#change(this.#rows.length + 1, this.#rows.length)
  }

  end() {
    const staysUnended = this.#last === 'unended' || (this.#last === 'ended' && this.#wasUnended && !this.#saysUnended)
    if (staysUnended) this.#rows.push((this.#rows.pop() ?? '').replace(/\r?\n$/, ''))
    return {
      raw: this.#rows.join(''),
      lines: this.#rows,
      ranges: this.#ranges,
      added: this.#added,
      removed: this.#removed,
    }
  }

  #push(row: string): void {
    const last = this.#rows.at(-1)
    if (last !== undefined && !last.endsWith('\n')) this.#rows[this.#rows.length - 1] = `${last}${this.#break}`
    this.#rows.push(row)
  }

  #change(first: number, last: number): void {
    const before = this.#ranges.at(-1)
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last)
    else this.#ranges.push({ first, last })
  }
}
