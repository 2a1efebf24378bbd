import { applyD1Migrations } from 'cloudflare:test'
import marketplace from '../../migrations/0003_marketplace.sql'
import { migrateKeys } from './keys-database.ts'
import { migratePapers } from './papers-database.ts'

/** Brings all tables that tenants share into a database of workerd. */
export async function migrateAll(db: D1Database): Promise<void> {
  await migrateKeys(db)
  await migratePapers(db)
  const queries = marketplace
    .replace(/^--.*$/gm, '')
    .split(';')
    .filter((query) => query.trim() !== '')
  await applyD1Migrations(db, [{ name: '0003_marketplace.sql', queries }])
}
