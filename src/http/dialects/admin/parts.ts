import type { ClosedTenants } from '../../../auth/closed-tenants.ts'
import type { TenantId } from '../../../core/ids.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { KeyStore } from '../../../ports/keys.ts'
import type { MovedPapers } from '../../../ports/papers.ts'
import type { OwnedSession } from '../../../session/api.ts'
import type { AuditApi } from '../../../tenant/audit-api.ts'
import type { TenantOwnerApi } from '../../../tenant/deletion-api.ts'
import type { UsageApi } from '../../../tenant/usage-api.ts'
import type { ReadAsset } from '../../operations/served-copy.ts'
import type { ExportedLists } from './export/source.ts'

/** Parts of the server that the admin API needs. */
export interface AdminParts {
  readonly keys: KeyStore
  readonly clock: Clock
  /** The owner's secret. */
  readonly adminToken: string
  readonly readAsset: ReadAsset
  /** Audit log of a tenant, for changes of its keys. */
  auditOf(tenant: TenantId): Pick<AuditApi, 'noteKey'>
  /** Use of a tenant's calls. */
  usageOf(tenant: TenantId): Pick<UsageApi, 'read'>
  /** A tenant's object, for the work of the server's owner on it. */
  ownedTenant(tenant: TenantId): TenantOwnerApi
  /** Moves papers that are beside the keys to the database of papers, a batch at a time; null where that is the same one. */
  readonly movePapers: (() => Promise<MovedPapers>) | null
  /** Lists of a tenant's object, for the export. */
  listsOf(tenant: TenantId): ExportedLists
  /** A session of a tenant, for the work of the server's owner on it. */
  ownedSession(tenant: TenantId, name: string): Pick<OwnedSession, 'exportPart'>
  /** Tenants that this isolate refuses from now on. */
  readonly closed: Pick<ClosedTenants, 'close'>
  /** Ids of tenants that the server itself needs, and that cannot be deleted. */
  readonly staying: readonly string[]
}

/** Scope that no key has, for the audit log of the tenant whose key was shown. */
export const OWNER_ONLY = { missingScope: 'owner' }
