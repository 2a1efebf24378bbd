import { LEASES_MIGRATIONS } from '../../src/migrations/leases/leases.ts'
import type { Migrations } from '../../src/migrations/migration.ts'
import { openTables } from '../../src/migrations/open-tables.ts'
import { SESSION_MIGRATIONS } from '../../src/migrations/session/session.ts'
import { TENANT_MIGRATIONS } from '../../src/migrations/tenant/tenant.ts'
import type { Sql } from '../../src/ports/sql.ts'

const opener = (migrations: Migrations) => (sql: Sql) => openTables(sql, migrations, () => undefined)

/** Make the tables of an object, or bring them up to date, as the object does when it opens. */
export const openSessionTables = opener(SESSION_MIGRATIONS)
export const openTenantTables = opener(TENANT_MIGRATIONS)
export const openLeasesTables = opener(LEASES_MIGRATIONS)
