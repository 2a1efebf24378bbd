import { jsonBatches } from '../core/json-batches.ts'
import { ancestors, ROOT, type WorkspacePath } from '../core/workspace-path.ts'
import type { Sql } from '../ports/sql.ts'
import { Changeset, DIRECTORY_MODE, FILE_MODE, type HashedChange, LINK_MODE, permissions, timeOf } from './changeset.ts'
import { ENTRY_COLUMNS, type EntryRow } from './entry-row.ts'

/** Changes of many paths at once, each of which makes an entry stand there. */
type Making = Extract<HashedChange, { op: 'write' | 'mkdir' | 'link' }>

/** A run of changes shorter than this is not worth its looks at the tables. */
const MIN_RUN = 32

/**
 * Applies changes in their order, as {@link Changeset.apply} does: many that only make entries together, where they can be.
 * @throws FailureError as {@link Changeset.apply}
 */
export function applyAll(sql: Sql, changes: readonly HashedChange[], commit: { seq: number; now: number }): void {
  const changeset = new Changeset(sql, commit.seq, commit.now)
  for (let from = 0; from < changes.length; ) {
    const run = makingRun(changes, from)
    if (run.length < MIN_RUN || !makeEntries(sql, run, commit)) {
      for (const change of changes.slice(from, from + Math.max(1, run.length))) changeset.apply(change)
    }
    from += Math.max(1, run.length)
  }
}

/** Changes from a place on that make entries, up to the first of another kind. */
function makingRun(changes: readonly HashedChange[], from: number): readonly Making[] {
  const run: Making[] = []
  for (let change = changes[from]; change && isMaking(change); change = changes[from + run.length]) run.push(change)
  return run
}

const isMaking = (change: HashedChange): change is Making =>
  change.op === 'write' || change.op === 'mkdir' || change.op === 'link'

/**
 * Makes many entries by few statements, with the rows that a `Changeset` writes one by one, inside the caller's transaction.
 * @returns false, with nothing changed, for changes that are not independent of each other or cannot all be made: one by one
 * they say why
 */
function makeEntries(
  sql: Sql,
  changes: readonly Making[],
  { seq, now }: { readonly seq: number; readonly now: number },
): boolean {
  const made = new Map<WorkspacePath, Making>()
  for (const change of changes) {
    if (made.has(change.path) || !isPlain(change)) return false
    made.set(change.path, change)
  }
  const above = new Set<WorkspacePath>()
  for (const path of made.keys()) for (const each of ancestors(path)) above.add(each)
  above.delete(ROOT)

  const there = present(sql, new Set([...above, ...made.keys()]))
  const rows: EntryRow[] = []
  for (const path of above) {
    const change = made.get(path)
    if ((change && change.op !== 'mkdir') || (there.get(path)?.kind ?? 'directory') !== 'directory') return false
    if (!change && !there.has(path)) rows.push(rowOf({ op: 'mkdir', path }, null, now))
  }
  for (const change of made.values()) {
    const before = there.get(change.path) ?? null
    if (before && (before.kind === 'directory') !== (change.op === 'mkdir')) return false
    const row = rowOf(change, before, now)
    if (change.op !== 'mkdir' || before?.mode !== row.mode) rows.push(row)
  }
  // In the order of the tables, which takes half the time.
  rows.sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const batch of jsonBatches(rows.map(valuesOf))) {
    sql.run(NOTE, seq, batch)
    sql.run(PUT, batch)
  }
  return true
}

/** Whether a change can be made beside others. A text that is no Unicode becomes another one in JSON than as a parameter. */
const isPlain = (change: Making) =>
  change.path !== ROOT && (change.op !== 'link' || (change.target !== '' && change.target.isWellFormed()))

type Present = Pick<EntryRow, 'path' | 'kind' | 'mode' | 'mtime'>

function present(sql: Sql, paths: ReadonlySet<WorkspacePath>): ReadonlyMap<string, Present> {
  const rows = [...jsonBatches([...paths])].flatMap((batch) => sql.all<Present>(PRESENT, batch))
  return new Map(rows.map((row) => [row.path, row]))
}

function rowOf(change: Making, before: Present | null, now: number): EntryRow {
  const { path } = change
  const row = { path, hash: null, size: null, target: null }
  if (change.op === 'mkdir') {
    const mode = permissions(change.mode ?? before?.mode ?? DIRECTORY_MODE)
    return { ...row, kind: 'directory', mode, mtime: before?.mtime ?? now }
  }
  const mtime = timeOf(change.mtimeMs, now)
  if (change.op === 'link') return { ...row, kind: 'link', mode: LINK_MODE, mtime, target: change.target }
  const kept = before?.kind === 'file' ? before.mode : FILE_MODE
  const { hash, size } = change
  return { ...row, kind: 'file', hash, size, mode: permissions(change.mode ?? kept), mtime }
}

const valuesOf = ({ path, kind, hash, size, mode, mtime, target }: EntryRow) => [
  ...[path, kind, hash, size, mode, mtime, target],
]

const PRESENT = `SELECT e.path, e.kind, e.mode, e.mtime FROM json_each(?) made JOIN workspace_entries e ON e.path = made.value`
const NOTE = `INSERT INTO workspace_changes (seq, ${ENTRY_COLUMNS})
  SELECT ?1, made.value ->> 0, e.kind, e.hash, e.size, e.mode, e.mtime, e.target
    FROM json_each(?2) made LEFT JOIN workspace_entries e ON e.path = made.value ->> 0 WHERE true ON CONFLICT DO NOTHING`
const PUT = `INSERT INTO workspace_entries (${ENTRY_COLUMNS})
  SELECT ${Array.from(ENTRY_COLUMNS.split(', '), (_, at) => `made.value ->> ${at}`).join(', ')} FROM json_each(?) made WHERE true
  ON CONFLICT (path) DO UPDATE SET kind = excluded.kind, hash = excluded.hash, size = excluded.size,
    mode = excluded.mode, mtime = excluded.mtime, target = excluded.target`
