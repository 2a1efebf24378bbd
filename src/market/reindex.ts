import type { Database } from '../ports/database.ts'
import { findVersion, type PackageRow } from './rows.ts'
import { indexed } from './search.ts'

/** Lets searches find what is the newest version now, if the package may be found. */
export async function reindex(
  db: Database,
  { no, publisher, tool, blocked }: Pick<PackageRow, 'no' | 'publisher' | 'tool' | 'blocked'>,
): Promise<void> {
  const newest = blocked === null ? await findVersion(db, no, null) : null
  if (!newest) {
    await db.batch(indexed(no, null))
    return
  }
  const { name, description } = JSON.parse(newest.definition) as { name: string; description: string }
  await db.batch(indexed(no, { publisher, name: `${tool} ${name}`, description, readme: newest.readme }))
}
