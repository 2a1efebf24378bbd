import { applyD1Migrations } from 'cloudflare:test'
import keys from '../../migrations/0001_keys.sql'
import childKeys from '../../migrations/0004_child_keys.sql'
import deletedTenants from '../../migrations/0005_deleted_tenants.sql'
import rotatedKeys from '../../migrations/0006_rotated_keys.sql'

/** Brings the schema of tenants and keys into a database of workerd. */
export async function migrateKeys(db: D1Database): Promise<void> {
  const schemas = Object.entries({
    '0001_keys.sql': keys,
    '0004_child_keys.sql': childKeys,
    '0005_deleted_tenants.sql': deletedTenants,
    '0006_rotated_keys.sql': rotatedKeys,
  })
  const migrations = schemas.map(([name, schema]) => {
    const withoutComments = schema.replace(/^--.*$/gm, '')
    return { name, queries: withoutComments.split(';').filter((query) => query.trim() !== '') }
  })
  await applyD1Migrations(db, migrations)
}
