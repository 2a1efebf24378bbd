import { fail } from '../../core/failure.ts'
import type { Sql } from '../../ports/sql.ts'
import { ENTRY_COLUMNS } from '../entry-row.ts'
import type { ContentPage, EntryPage } from './fork-pages.ts'

/** The workspace that a fork is made from. */
export interface ForkedWorkspace {
  entries(after: string): Promise<EntryPage>
  unsent(after: string): Promise<ContentPage>
  /** Notes that the fork refers to these contents too. @throws FailureError when one of them is not referred to by the origin */
  share(hashes: readonly string[]): Promise<void>
}

/**
 * Fills an empty workspace with the entries of another one: they are its state before its first commit, so nothing of them is in
 * its history. No content passes by that the blob store has.
 * @param keep keeps small contents, of rows that exist
 */
export async function layFork(
  sql: Sql,
  origin: ForkedWorkspace,
  keep: (contents: ContentPage['contents']) => void,
): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const page: EntryPage = await origin.entries(after)
    for (const text of page.texts) sql.all(PUT_ENTRIES, text)
    after = page.next
  }
  sql.all(PUT_BLOBS)
  sql.all(COUNT)
  for (let after: string | null = ''; after !== null; ) {
    const page: ContentPage = await origin.unsent(after)
    sql.transaction(() => {
      const own = new Set(
        sql
          .all<{ hash: string }>(MARK_UNSENT, JSON.stringify(page.contents.map(({ hash }) => hash)))
          .map(({ hash }) => hash),
      )
      keep(page.contents.filter(({ hash }) => own.has(hash)))
    })
    after = page.next
  }
  // Last, for a content that was on its way to the store when it was asked for is there by now.
  for (let hashes = storedFrom(sql, ''); hashes.length > 0; hashes = storedFrom(sql, hashes.at(-1) ?? ''))
    await origin.share(hashes)
  const [lost] = sql.all("SELECT 1 AS found FROM workspace_blobs WHERE remote = 'no' AND local IS NULL LIMIT 1")
  if (lost) fail('upstream', 'a content of the session was not found; try again')
}

const storedFrom = (sql: Sql, after: string): string[] =>
  sql
    .all<{ hash: string }>(
      `SELECT hash FROM workspace_blobs WHERE remote = 'yes' AND hash > ? ORDER BY hash LIMIT ${SHARED_AT_ONCE}`,
      after,
    )
    .map(({ hash }) => hash)

/** References that the tenant copies in one step, between which other sessions are served. */
const SHARED_AT_ONCE = 5_000

const PUT_ENTRIES = `INSERT INTO workspace_entries (${ENTRY_COLUMNS})
  SELECT ${ENTRY_COLUMNS.split(', ')
    .map((_, at) => `value->>${at}`)
    .join(', ')} FROM json_each(?)`
const PUT_BLOBS = `INSERT INTO workspace_blobs (hash, size, refs, remote)
  SELECT hash, max(size), count(*), 'yes' FROM workspace_entries WHERE hash IS NOT NULL GROUP BY hash`
const COUNT = `UPDATE workspace_state SET (entries, bytes) = (SELECT count(*), coalesce(sum(size), 0) FROM workspace_entries)`
const MARK_UNSENT = `UPDATE workspace_blobs SET remote = 'no'
  WHERE hash IN (SELECT value FROM json_each(?)) RETURNING hash`
