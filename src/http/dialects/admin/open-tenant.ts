import type { TenantId } from '../../../core/ids.ts'
import { UNRESTRICTED } from '../../../core/tenant-internet.ts'
import type { KeyStore, Tenant } from '../../../ports/keys.ts'

/** A tenant as the owner of the server sees it; nobody knows since when an open one is there. */
export interface SeenTenant extends Omit<Tenant, 'createdAt'> {
  readonly createdAt: number | null
}

interface SeenTenants {
  tenant(id: TenantId): Promise<SeenTenant | null>
  /** Page of tenants, as {@link KeyStore.listTenants} has it. */
  listTenants(page: { readonly limit: number; readonly after?: string }): Promise<readonly SeenTenant[]>
}

/** All tenants with the one of requests without a key, which has no row unless somebody made it. @param open null where there is none */
export function withOpenTenant(keys: Pick<KeyStore, 'tenant' | 'listTenants'>, open: TenantId | null): SeenTenants {
  if (open === null) return keys
  const openTenant: SeenTenant = { ...NEVER, id: open, name: open, createdAt: null }
  return {
    tenant: async (id) => (await keys.tenant(id)) ?? (id === open ? openTenant : null),
    async listTenants({ limit, after = '' }) {
      const listed = await keys.listTenants({ limit, ...(after !== '' && { after }) })
      if (open <= after || (await keys.tenant(open))) return listed
      return [...listed.filter(({ id }) => id < open), openTenant, ...listed.filter(({ id }) => id > open)].slice(
        0,
        limit,
      )
    },
  }
}

const NEVER = { disabledAt: null, deletedAt: null, purgedAt: null, internet: UNRESTRICTED, warmSandboxes: 0 }
