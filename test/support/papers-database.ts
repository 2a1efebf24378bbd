import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import papers from '../../migrations/0002_papers.sql'

/** Brings the schema of papers into a database of workerd. */
export async function migratePapers(db: D1Database): Promise<void> {
  const withoutComments = papers.replace(/^--.*$/gm, '')
  const queries = withoutComments.split(';').filter((query) => query.trim() !== '')
  await applyD1Migrations(db, [{ name: '0002_papers.sql', queries }])
}

/** The database of papers that vitest.config.ts binds, as a deployment does. */
export const PAPERS: D1Database = env.PAPERS ?? missing()

function missing(): never {
  throw new Error('vitest.config.ts binds no database as PAPERS')
}
