import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql } from '../../ports/sql.ts'
import { type Distribution, packageName } from './environment.ts'

/** Python packages that go into each of a session's sandboxes. */
export class PackageStore {
  readonly #sql: Sql
  readonly #packages: LazyTable
  readonly #distributions: LazyTable

  constructor(sql: Sql) {
    this.#sql = sql
    this.#packages = new LazyTable(sql, 'packages')
    this.#distributions = new LazyTable(sql, 'distributions')
  }

  /** Requirement specifiers in the order of their requests. */
  specs(): string[] {
    return this.#packages.read<{ spec: string }>('SELECT spec FROM packages ORDER BY position').map(({ spec }) => spec)
  }

  /** Adds specifiers. A later one replaces an earlier one for the same package. */
  add(specs: readonly string[]): void {
    for (const spec of specs) {
      const name = packageName(spec)
      for (const earlier of name === null ? [] : this.specs()) {
        if (packageName(earlier) === name) this.#packages.read('DELETE FROM packages WHERE spec = ?', earlier)
      }
      this.#packages.write(
        'INSERT OR IGNORE INTO packages (spec, position) VALUES (?, (SELECT 1 + ifnull(max(position), 0) FROM packages))',
        spec,
      )
    }
  }

  /** Packages of the task's environment, and those it had that could not be restored yet. */
  distributions(): Distribution[] {
    return this.#rows().map(({ pin, direct }) => ({ pin, direct: direct === 1 }))
  }

  /** Rows of the packages that a new sandbox gets, for another session that begins with them. */
  wanted(): Row[] {
    return this.#rows().map(({ pin, direct, missing }) => ({ pin, direct, missing }))
  }

  /** Takes the packages of another session, before the first sandbox. */
  adopt(specs: readonly string[], wanted: readonly Row[]): void {
    this.add(specs)
    this.#replace(wanted)
  }

  /** Takes the packages present now; earlier ones that a new sandbox could not get stay wanted. */
  recordInstalled(present: readonly Distribution[]): void {
    const names = new Set(present.map(({ pin }) => packageName(pin)))
    this.#replace([
      ...present.map(({ pin, direct }) => ({ pin, direct: direct ? 1 : 0, missing: 0 })),
      ...this.#rows().filter(({ pin, missing }) => missing === 1 && !names.has(packageName(pin))),
    ])
  }

  /**
   * Takes the packages of a new sandbox.
   * @returns the earlier packages that the new sandbox lacks, as `name==version`
   */
  restored(present: readonly Distribution[]): string[] {
    const names = new Set(present.map(({ pin }) => packageName(pin)))
    const missing = this.#rows().filter(({ pin }) => !names.has(packageName(pin)))
    this.#replace([
      ...present.map(({ pin, direct }) => ({ pin, direct: direct ? 1 : 0, missing: 0 })),
      ...missing.map((row) => ({ ...row, missing: 1 })),
    ])
    return missing.map(({ pin }) => pin)
  }

  #rows(): Row[] {
    return this.#distributions.read<Row>('SELECT pin, direct, missing FROM distributions ORDER BY pin')
  }

  #replace(rows: readonly Row[]): void {
    const sorted = [...rows].sort((a, b) => (a.pin < b.pin ? -1 : 1))
    if (JSON.stringify(sorted) === JSON.stringify(this.#rows())) return
    this.#distributions.make()
    this.#sql.transaction(() => {
      this.#sql.all('DELETE FROM distributions')
      for (const { pin, direct, missing } of sorted) {
        this.#sql.all(
          'INSERT OR IGNORE INTO distributions (pin, direct, missing) VALUES (?, ?, ?)',
          pin,
          direct,
          missing,
        )
      }
    })
  }
}

type Row = { pin: string; direct: number; missing: number }
