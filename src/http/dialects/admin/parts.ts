import type { ClosedTenants } from '../../../auth/closed-tenants.ts'
import type { TenantId } from '../../../core/ids.ts'
import type { Jurisdiction } from '../../../core/placement.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { InvitationStore } from '../../../ports/invitations.ts'
import type { KeyStore } from '../../../ports/keys.ts'
import type { MovedPapers } from '../../../ports/papers.ts'
import type { PlanStore } from '../../../ports/plans.ts'
import type { SandboxSpares } from '../../../ports/sandbox-spares.ts'
import type { OwnedSession } from '../../../session/api.ts'
import type { SessionRecovery } from '../../../session/recovery-api.ts'
import type { AuditApi } from '../../../tenant/audit-api.ts'
import type { TenantOwnerApi } from '../../../tenant/deletion-api.ts'
import type { UsageApi } from '../../../tenant/usage-api.ts'
import type { ReadAsset } from '../../operations/served-copy.ts'
import type { ExportedLists } from './export/source.ts'

/** Parts of the server that the admin API needs. */
export interface AdminParts {
  readonly keys: KeyStore
  readonly plans: PlanStore
  readonly invitations: Pick<InvitationStore, 'add' | 'list' | 'revoke'>
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
  /** Keeper of the warm pools, which reads them where tenants are kept. */
  readonly spares: Pick<SandboxSpares, 'poolsChanged'>
  /** False where it is known that no sandbox can be kept from the network, or from a part of it. */
  readonly canDenyInternet: boolean
  /** Moves papers that are beside the keys to the database of papers, a batch at a time; null where that is the same one. */
  readonly movePapers: (() => Promise<MovedPapers>) | null
  /** Lists of a tenant's object, for the export. */
  listsOf(tenant: TenantId): ExportedLists
  /** A session of a tenant, for the work of the server's owner on it. */
  ownedSession(tenant: TenantId, name: string): Pick<OwnedSession, 'exportPart' | keyof SessionRecovery>
  /** Tenants that this isolate refuses from now on. */
  readonly closed: Pick<ClosedTenants, 'close'>
  /** Tenant of requests without a key; null on a server that requires keys. */
  readonly openTenant: TenantId | null
  /** Ids of tenants that the server itself needs, and that cannot be deleted. */
  readonly staying: readonly string[]
  /** @throws FailureError `invalid_input` where this server cannot keep data in a jurisdiction */
  checkJurisdiction(jurisdiction: Jurisdiction): void
}

/** Scope that no key has, for the audit log of the tenant whose key was shown. */
export const OWNER_ONLY = { missingScope: 'owner' }
