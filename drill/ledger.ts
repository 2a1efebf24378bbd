import { appendFileSync } from 'node:fs'

/** An act or a sight of a drill. */
export interface Entry {
  /** A client, or what makes faults. */
  readonly who: string
  readonly what: string
  readonly [detail: string]: unknown
}

/** The account of a drill: a line of JSON for each thing that it did or saw, written before the next one happens. */
export class Ledger {
  readonly file: string
  readonly #counts = new Map<string, number>()
  readonly #start = performance.now()

  /** @param file is created */
  constructor(file: string) {
    this.file = file
    appendFileSync(file, '')
  }

  note(entry: Entry): void {
    const ms = Math.round(performance.now() - this.#start)
    appendFileSync(this.file, `${JSON.stringify({ ms, ...entry })}\n`)
  }

  /** Adds one to a row of the table that a drill ends with. */
  count(row: string, by = 1): void {
    this.#counts.set(row, (this.#counts.get(row) ?? 0) + by)
  }

  counted(row: string): number {
    return this.#counts.get(row) ?? 0
  }

  /** Rows whose name begins so, without it, the most frequent first. */
  rows(prefix: string): readonly (readonly [string, number])[] {
    return [...this.#counts]
      .filter(([row]) => row.startsWith(prefix))
      .map(([row, count]) => [row.slice(prefix.length), count] as const)
      .sort(([, a], [, b]) => b - a)
  }
}
