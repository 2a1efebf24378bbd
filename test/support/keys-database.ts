import { applyD1Migrations } from 'cloudflare:test'
import keys from '../../migrations/0001_keys.sql'
import childKeys from '../../migrations/0004_child_keys.sql'
import deletedTenants from '../../migrations/0005_deleted_tenants.sql'
import rotatedKeys from '../../migrations/0006_rotated_keys.sql'
import tenantInternet from '../../migrations/0007_tenant_internet.sql'
import plans from '../../migrations/0008_plans.sql'
import invitations from '../../migrations/0009_invitations.sql'
import consoleSessions from '../../migrations/0010_console_sessions.sql'
import warmSandboxes from '../../migrations/0011_warm_sandboxes.sql'

/** Brings the schema of tenants and keys into a database of workerd. */
export async function migrateKeys(db: D1Database): Promise<void> {
  const schemas = Object.entries({
    '0001_keys.sql': keys,
    '0004_child_keys.sql': childKeys,
    '0005_deleted_tenants.sql': deletedTenants,
    '0006_rotated_keys.sql': rotatedKeys,
    '0007_tenant_internet.sql': tenantInternet,
    '0008_plans.sql': plans,
    '0009_invitations.sql': invitations,
    '0010_console_sessions.sql': consoleSessions,
    '0011_warm_sandboxes.sql': warmSandboxes,
  })
  const migrations = schemas.map(([name, schema]) => {
    const withoutComments = schema.replace(/^--.*$/gm, '')
    return { name, queries: withoutComments.split(';').filter((query) => query.trim() !== '') }
  })
  await applyD1Migrations(db, migrations)
}
