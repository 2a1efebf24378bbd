import type { TenantId } from '../core/ids.ts'
import { PURGED_OBJECTS_PER_PAGE } from '../core/limits/deletion.ts'
import type { Slots } from '../core/slots.ts'
import type { TenantObjects } from '../ports/tenant-removal.ts'

/**
 * All that a tenant has in R2: contents, and what uploads left. No tenant's id has a slash, so the prefix is one tenant's.
 * @param slot places of the calling object for requests to the store
 */
export const tenantObjectsR2 = (bucket: R2Bucket, tenant: TenantId, slot: Slots): TenantObjects => ({
  async page() {
    const { objects } = await slot(() => bucket.list({ prefix: `t/${tenant}/`, limit: PURGED_OBJECTS_PER_PAGE }))
    return objects.map(({ key, size }) => ({ key, bytes: size }))
  },
  async delete(keys) {
    if (keys.length > 0) await slot(() => bucket.delete([...keys]))
  },
})
