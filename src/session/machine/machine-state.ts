import type { Sql } from '../../ports/sql.ts'

/** What a session remembers of its sandbox while it sleeps. */
export interface MachineState {
  readonly sandboxId: string
  /** The workspace's state that was pushed last. */
  readonly pushedSeq: number
  /** Of the watcher; null when there is none. */
  readonly watchPort: number | null
}

/** The one row about the session's sandbox, and the packages that go into each of them. */
export class MachineStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  static createTables(sql: Sql): void {
    sql.all(
      'CREATE TABLE IF NOT EXISTS machine (id INTEGER PRIMARY KEY CHECK (id = 1), generation INTEGER NOT NULL, state TEXT) STRICT',
    )
    sql.all('CREATE TABLE IF NOT EXISTS packages (spec TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT')
    sql.all('CREATE TABLE IF NOT EXISTS distributions (pin TEXT PRIMARY KEY) STRICT')
  }

  /** How many sandboxes this session has had. */
  generation(): number {
    return this.#sql.all<{ generation: number }>('SELECT generation FROM machine')[0]?.generation ?? 0
  }

  /** @returns null when the session has no sandbox. */
  load(): MachineState | null {
    const [row] = this.#sql.all<{ state: string | null }>('SELECT state FROM machine')
    return row?.state ? (JSON.parse(row.state) as MachineState) : null
  }

  /** Before the sandbox is filled: a crash must not leave a machine that nobody knows of. */
  begin(state: MachineState): void {
    this.#sql.all(
      `INSERT INTO machine (id, generation, state) VALUES (1, 1, ?)
       ON CONFLICT (id) DO UPDATE SET generation = generation + 1, state = excluded.state`,
      JSON.stringify(state),
    )
  }

  save(state: MachineState): void {
    this.#sql.all('UPDATE machine SET state = ?', JSON.stringify(state))
  }

  forget(): void {
    this.#sql.all('UPDATE machine SET state = NULL')
  }

  /** Requirement specifiers in the order in which they were asked for. */
  packages(): string[] {
    return this.#sql.all<{ spec: string }>('SELECT spec FROM packages ORDER BY position').map(({ spec }) => spec)
  }

  addPackages(specs: readonly string[]): void {
    for (const spec of specs) {
      this.#sql.all(
        'INSERT OR IGNORE INTO packages (spec, position) VALUES (?, (SELECT 1 + ifnull(max(position), 0) FROM packages))',
        spec,
      )
    }
  }

  /** What is in the task's environment, as `name==version`. */
  distributions(): string[] {
    return this.#sql.all<{ pin: string }>('SELECT pin FROM distributions ORDER BY pin').map(({ pin }) => pin)
  }

  setDistributions(pins: readonly string[]): void {
    const before = this.distributions()
    if (before.length === pins.length && before.every((pin, i) => pin === pins[i])) return
    this.#sql.transaction(() => {
      this.#sql.all('DELETE FROM distributions')
      for (const pin of pins) this.#sql.all('INSERT OR IGNORE INTO distributions (pin) VALUES (?)', pin)
    })
  }
}
