import type { Sql } from '../../ports/sql.ts'
import type { EntryPage, StoredPage } from './fork-pages.ts'
import { type ContentPage, putContents } from './packed-contents.ts'
import { PUT_PACKED_ENTRIES } from './packed-entries.ts'

/** The workspace that a fork is made from. It releases no content meanwhile. */
export interface ForkedWorkspace {
  unsent(after: string): Promise<ContentPage>
  /** Notes that the fork refers to some contents that the blob store has for the origin by now, or to all of them. */
  share(hashes: readonly string[] | 'all'): Promise<void>
  entries(after: string): Promise<EntryPage>
  countStored(): Promise<number>
  stored(after: string): Promise<StoredPage>
  /** Takes back that the fork refers to contents. */
  release(hashes: readonly string[]): Promise<void>
}

/**
 * Fills an empty workspace with the entries of another one: they are its state before its first commit, so nothing of them is in
 * its history. No content passes by that the blob store has.
 */
export async function layFork(sql: Sql, origin: ForkedWorkspace): Promise<void> {
  // Before the references: what is in the store by now is among them, and what reaches it later is copied here.
  for (let after: string | null = ''; after !== null; ) {
    const page: ContentPage = await origin.unsent(after)
    for (const part of page.parts) putContents(sql, part)
    after = page.next
  }
  await putEntries(sql, origin)
  putBlobs(sql)
  // Contents of the origin's history alone, or of its later changes.
  sql.run(DROP_UNNEEDED)
  sql.run(COUNT)
  await shareStored(sql, origin)
}

/** Takes part in all references of the origin, or copies those that it needs where it would release more of them than that. */
async function shareStored(sql: Sql, origin: ForkedWorkspace): Promise<void> {
  const [{ stored } = { stored: 0 }] = sql.all<{ stored: number }>(COUNT_BLOBS)
  if ((await origin.countStored()) <= 2 * stored) {
    await origin.share('all')
    return releaseUnneeded(sql, origin)
  }
  for (let hashes = storedFrom(sql, ''); hashes.length > 0; hashes = storedFrom(sql, hashes.at(-1) ?? ''))
    await origin.share(hashes)
}

const storedFrom = (sql: Sql, after: string): string[] =>
  sql.all<{ hash: string }>(STORED, after).map(({ hash }) => hash)

/** Puts in a page of entries while the next one is on its way. */
async function putEntries(sql: Sql, origin: ForkedWorkspace): Promise<void> {
  let coming: Promise<EntryPage> | null = origin.entries('')
  while (coming) {
    const { texts, next }: EntryPage = await coming
    coming = next === null ? null : origin.entries(next)
    // An error here must not leave it without a listener.
    coming?.catch(() => undefined)
    unchecked(sql, () => {
      for (const text of texts) sql.run(PUT_PACKED_ENTRIES, text)
    })
  }
}

/** Notes what the entries refer to: as stored, except for what was copied. */
function putBlobs(sql: Sql): void {
  const [{ copied, entries } = { copied: 0, entries: 0 }] = sql.all<{ copied: number; entries: number }>(COUNT_COPIED)
  unchecked(sql, () => {
    if (copied * MANY_COPIED > entries) return sql.run(PUT_BLOBS)
    sql.run(PUT_STORED)
    if (copied > 0) sql.run(NOTE_COPIED)
  })
}

/**
 * Runs statements without the tables' CHECK constraints, which are a fifth of the time of such a row: the words that they allow
 * are those that these statements write.
 */
function unchecked(sql: Sql, work: () => void): void {
  sql.run('PRAGMA ignore_check_constraints = ON')
  try {
    work()
  } finally {
    sql.run('PRAGMA ignore_check_constraints = OFF')
  }
}

/**
 * Releases what is in the store for the origin's history alone, for what was changed since the moment of the fork, or since it was
 * copied: a copied content is sent by the fork, which has it kept then.
 */
async function releaseUnneeded(sql: Sql, origin: ForkedWorkspace): Promise<void> {
  const [own] = sql.all<{ stored: number }>(COUNT_BLOBS)
  // Usual, and known without a list: all that is stored is the fork's, too. What the fork takes for stored is in the store for its origin,
  // which releases nothing, so equal counts are of the same contents; a copied one that was sent meanwhile is one more there.
  if (own?.stored === (await origin.countStored())) return
  for (let after: string | null = ''; after !== null; ) {
    const page: StoredPage = await origin.stored(after)
    const unneeded = sql.all<{ hash: string }>(UNNEEDED, JSON.stringify(page.hashes)).map(({ hash }) => hash)
    if (unneeded.length > 0) await origin.release(unneeded)
    after = page.next
  }
}

// A content that is here was copied, and all others are in the store. One sorting of both takes less time than a search for each.
const PUT_BLOBS = `INSERT INTO workspace_blobs (hash, size, refs, remote, local)
  SELECT hash, max(size), sum(referring), CASE WHEN max(local) IS NULL THEN 'yes' ELSE 'no' END, max(local)
    FROM (SELECT hash, size, 1 AS referring, NULL AS local FROM workspace_entries WHERE hash IS NOT NULL
      UNION ALL SELECT hash, size, 0, id FROM workspace_contents)
    GROUP BY hash HAVING sum(referring) > 0`
/** Part of the entries from which on copied contents are sorted with them. Fewer are faster noted one by one. */
const MANY_COPIED = 8
const COUNT_COPIED = `SELECT (SELECT count(*) FROM workspace_contents) AS copied, (SELECT count(*) FROM workspace_entries) AS entries`
const PUT_STORED = `INSERT INTO workspace_blobs (hash, size, refs, remote)
  SELECT hash, size, count(*), 'yes' FROM workspace_entries WHERE hash IS NOT NULL GROUP BY hash`
const NOTE_COPIED = `UPDATE workspace_blobs AS b SET remote = 'no', local = c.id FROM workspace_contents c WHERE b.hash = c.hash`
const DROP_UNNEEDED = `DELETE FROM workspace_contents
  WHERE (SELECT count(*) FROM workspace_contents) > (SELECT count(local) FROM workspace_blobs)
    AND id NOT IN (SELECT local FROM workspace_blobs WHERE local IS NOT NULL)`
const COUNT = `UPDATE workspace_state SET
  (entries, bytes) = (SELECT count(*), coalesce(sum(size), 0) FROM workspace_entries),
  local_bytes = (SELECT coalesce(sum(size), 0) FROM workspace_blobs WHERE local IS NOT NULL), sent_to = 0`
const COUNT_BLOBS = `SELECT count(*) AS stored FROM workspace_blobs WHERE remote = 'yes'`
/** References that the tenant copies in one step, between which other sessions are served. */
const SHARED_AT_ONCE = 5_000
const STORED = `SELECT hash FROM workspace_blobs WHERE remote = 'yes' AND hash > ? ORDER BY hash LIMIT ${SHARED_AT_ONCE}`
const UNNEEDED = `SELECT value AS hash FROM json_each(?)
  WHERE NOT EXISTS (SELECT 1 FROM workspace_blobs WHERE hash = value AND remote = 'yes')`
