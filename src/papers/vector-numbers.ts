import { type Database, sql } from '../ports/database.ts'

/**
 * Numbers, of some, that no paper of a database has. While papers are moved, two databases number theirs alike, and share the
 * vectors: the vector of a number belongs to the paper in the database that is searched.
 */
export async function numbersWithoutPaper(searched: Database, numbers: readonly number[]): Promise<number[]> {
  const used = await searched.rows<{ no: number }>(
    sql('SELECT no FROM papers WHERE no IN (SELECT value FROM json_each(?))', JSON.stringify(numbers)),
  )
  const taken = new Set(used.map(({ no }) => no))
  return numbers.filter((no) => !taken.has(no))
}
