import { env } from 'cloudflare:workers'
import { blobsR2 } from '../../src/adapters/blobs-r2.ts'
import { tenantId } from '../../src/core/ids.ts'
import { blobsContract } from './blobs.ts'

blobsContract('R2', () => {
  const tenant = tenantId(`t-${crypto.randomUUID()}`)
  return {
    forSession: (nodeId) => blobsR2({ bucket: env.BLOBS, tenantApi: env.TENANTS.getByName(tenant), tenant, nodeId }),
  }
})
