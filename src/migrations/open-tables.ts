import { FailureError } from '../core/failure.ts'
import { NEWER_STATE } from '../core/newer-state.ts'
import type { Sql } from '../ports/sql.ts'
import type { Migration, Migrations } from './migration.ts'

/**
 * Brings an object's tables to the newest version, in one transaction: makes them in an empty database, upgrades those of earlier
 * code, and only reads the version of current ones.
 * @param tellOwner takes advice for the operator about a refusal, once for each database
 * @throws FailureError `unavailable` for tables of newer code: nothing is changed then
 */
export function openTables(sql: Sql, migrations: Migrations, tellOwner: (advice: string) => void): void {
  bring(sql, versionOf(sql), migrations, tellOwner)
}

/** Opens tables as {@link openTables} does, but leaves an empty database empty. @returns false for an empty one */
export function openExisting(sql: Sql, migrations: Migrations, tellOwner: (advice: string) => void): boolean {
  const version = versionOf(sql)
  if (version !== null) bring(sql, version, migrations, tellOwner)
  return version !== null
}

function bring(sql: Sql, version: number | null, { object, steps }: Migrations, tellOwner: (advice: string) => void) {
  if (version === steps.length) return
  if (version !== null && version > steps.length) {
    if (!reported.has(sql)) tellOwner(adviceFor(object, version, steps.length))
    reported.add(sql)
    throw new FailureError(NEWER_STATE)
  }
  sql.transaction(() => {
    if (version === null || version === 0) sql.all(TABLE)
    const isNew = version === null
    const whole = isNew ? steps.findLastIndex(({ create }) => create !== undefined) : -1
    const first = isNew ? Math.max(whole, 0) : version
    for (const [at, step] of [...steps.entries()].slice(first)) {
      if (at === whole) step.create?.(sql)
      else step.upgrade(sql)
      record(sql, at + 1, step)
    }
  })
}

/** Version of an object's tables: 0 for tables older than the numbering; null when there are none. */
function versionOf(sql: Sql): number | null {
  const table = foremostTable(sql)
  if (table !== 'migrations') return table === null ? null : 0
  return sql.all<{ version: number | null }>('SELECT max(number) AS version FROM migrations')[0]?.version ?? 0
}

/** Name of the table `migrations`, else of any other table of ours; null when there is none. */
function foremostTable(sql: Sql): string | null {
  const [row] = sql.all<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'
       ORDER BY name = 'migrations' DESC LIMIT 1`,
  )
  return row?.name ?? null
}

const record = (sql: Sql, number: number, { name }: Migration) =>
  sql.all('INSERT INTO migrations (number, name, at) VALUES (?, ?, ?)', number, name, Date.now())

const adviceFor = (object: string, version: number, known: number) =>
  `a ${object} has tables of version ${version}, and this code knows them up to version ${known}, so it is refused and nothing is changed: start the version of Toolyard that made them, or a newer one, or go back to a copy of the state from before`

/** Databases whose refusal was reported to the operator. */
const reported = new WeakSet<Sql>()

const TABLE = 'CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL) STRICT'
