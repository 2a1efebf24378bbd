import { env } from 'cloudflare:workers'
import { tenantClient } from '../../src/objects.ts'
import type { TenantApi } from '../../src/tenant/api.ts'

/** A tenant's object inside workerd, as its callers have it. */
export const tenantOf = (tenant: string): TenantApi => tenantClient(() => env.TENANTS.getByName(tenant))
