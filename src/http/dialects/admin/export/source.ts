import type { KeyStore } from '../../../../ports/keys.ts'
import type { OwnedSession } from '../../../../session/api.ts'
import type { TenantApi } from '../../../../tenant/api.ts'
import type { TenantOwnerApi } from '../../../../tenant/deletion-api.ts'
import type { SeenTenant } from '../open-tenant.ts'

/** Lists of a tenant's object that its export reads. */
export type ExportedLists = Pick<
  TenantApi,
  'audit' | 'childKeys' | 'limits' | 'mcpServers' | 'secrets' | 'sessions' | 'toolkits' | 'usage' | 'webhooks'
>

/** A tenant, and the parts of the server that have something of it. */
export interface ExportSource {
  readonly tenant: SeenTenant
  /** Roots of child keys that are no keys themselves, as the one of an open tenant. */
  readonly roots: readonly string[]
  readonly keys: Pick<KeyStore, 'listKeys'>
  readonly owned: Pick<TenantOwnerApi, 'exportTools' | 'sessionDefaults'>
  readonly api: ExportedLists
  /** A session of the tenant, existing or not. */
  readonly session: (name: string) => Pick<OwnedSession, 'exportPart'>
  readonly now: () => number
}
