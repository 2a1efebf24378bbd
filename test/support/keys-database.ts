import { applyD1Migrations } from 'cloudflare:test'
import keys from '../../migrations/0001_keys.sql'

/** Brings the schema of tenants and keys into a database of workerd. */
export async function migrateKeys(db: D1Database): Promise<void> {
  const withoutComments = keys.replace(/^--.*$/gm, '')
  const queries = withoutComments.split(';').filter((query) => query.trim() !== '')
  await applyD1Migrations(db, [{ name: '0001_keys.sql', queries }])
}
