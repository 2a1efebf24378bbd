import { isWithin, ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import { type EntryRow, entryFromRow, looksOf, pathFromRow } from '../entry-row.ts'
import type { Difference } from '../history/compare.ts'
import { compareCodePoints } from '../path-range.ts'
import type { EntryPage } from './fork-pages.ts'
import { entriesOf } from './packed-entries.ts'

/** Pages of the entries of two workspaces, each from behind a path. */
export interface EntryPages {
  readonly before: (after: string) => Promise<EntryPage>
  readonly after: (after: string) => Promise<EntryPage>
}

export interface BetweenQuery {
  /** Path at and below which to look; the root for all. */
  readonly path: WorkspacePath
  /** Path behind which the page begins. */
  readonly after: string
  readonly limit: number
}

/**
 * Page of the differences that lead from one workspace to another, sorted by path. Both are read a page of entries at a time, so memory
 * does not grow with them; paths that differ in nothing but their time are left out.
 */
export async function differencesBetween(
  pages: EntryPages,
  { path, after, limit }: BetweenQuery,
): Promise<{ readonly differences: readonly Difference[]; readonly more: boolean }> {
  const before = rowsOf(pages.before, { path, after })
  const now = rowsOf(pages.after, { path, after })
  const differences: Difference[] = []
  let [one, other] = [await before.next(), await now.next()]
  while (!one.done || !other.done) {
    const order = one.done ? 1 : other.done ? -1 : compareCodePoints(one.value.path, other.value.path)
    const old = order <= 0 && !one.done ? one.value : null
    const present = order >= 0 && !other.done ? other.value : null
    if (looksOf(old) !== looksOf(present)) {
      if (differences.length === limit) return { differences, more: true }
      differences.push({
        path: pathFromRow((old ?? present) as EntryRow),
        before: old && entryFromRow(old),
        after: present && entryFromRow(present),
      })
    }
    if (old) one = await before.next()
    if (present) other = await now.next()
  }
  return { differences, more: false }
}

/** Entries at or below a path, in order. */
async function* rowsOf(
  page: (after: string) => Promise<EntryPage>,
  { path, after }: Pick<BetweenQuery, 'path' | 'after'>,
): AsyncGenerator<EntryRow, undefined> {
  for (let behind: string | null = after; behind !== null; ) {
    const { texts, next }: EntryPage = await page(behind)
    for (const text of texts) {
      for (const row of entriesOf(text)) {
        if (path === ROOT || isWithin(pathFromRow(row), path)) yield row
      }
    }
    behind = next
  }
}
