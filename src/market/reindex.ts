import type { Database } from '../ports/database.ts'
import { findVersion, type PackageRow } from './rows.ts'
import { indexed } from './search.ts'

/** Makes searches find the newest version of a package. Searches leave blocked packages out by themselves. */
export async function reindex(
  db: Database,
  { no, publisher, tool }: Pick<PackageRow, 'no' | 'publisher' | 'tool'>,
): Promise<void> {
  const newest = await findVersion(db, no, null)
  if (!newest) {
    await db.batch(indexed(no, null))
    return
  }
  const { name, description } = JSON.parse(newest.definition) as { name: string; description: string }
  const { version, readme } = newest
  await db.batch(indexed(no, { publisher, name: `${tool} ${name}`, description, readme, version }))
}
