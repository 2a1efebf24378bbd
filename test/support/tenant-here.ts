import { serveGroups } from '../../src/adapters/object-groups.ts'
import { TENANT_RULES, tenantClient } from '../../src/objects.ts'
import type { TenantApi } from '../../src/tenant/api.ts'
import type { Tenant } from '../../src/tenant/tenant.ts'

class TenantHere {
  readonly tenant: Tenant

  constructor(tenant: Tenant) {
    this.tenant = tenant
  }

  static {
    serveGroups<TenantHere, TenantApi>(TenantHere, TENANT_RULES, {
      open: ({ tenant }) => tenant,
      removing: (_, work) => work(),
    })
  }
}

/** A tenant in this process, as its callers have it: by the client of its object, and the object's own table of methods. */
export const tenantHere = (tenant: Tenant): TenantApi => tenantClient(() => new TenantHere(tenant))
