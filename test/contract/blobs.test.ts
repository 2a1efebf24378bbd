import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { blobsR2 } from '../../src/adapters/blobs-r2.ts'
import { tenantId } from '../../src/core/ids.ts'
import { tenantOf } from '../support/tenant-of.ts'
import { blobsContract } from './blobs.ts'

blobsContract('R2', () => {
  const tenant = tenantId(`t-${crypto.randomUUID()}`)
  return {
    forSession: (nodeId) => blobsR2({ bucket: env.BLOBS, ledger: tenantOf(tenant).blobs, tenant, nodeId }),
  }
})

it('other work has its turn while a large content is copied inside of the store', async () => {
  const tenant = tenantId(`t-${crypto.randomUUID()}`)
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let isCopying = false
  // The store says where its second write begins and ends; all else is R2's own.
  const bucket = new Proxy(env.BLOBS, {
    get(target, name) {
      if (name !== 'put') return Reflect.get(target, name).bind(target)
      return async (key: string, ...rest: [never, never]) => {
        isCopying = key.includes('/blobs/')
        if (isCopying) begin()
        return target.put(key, ...rest).finally(() => {
          isCopying = false
        })
      }
    },
  })
  const blobs = blobsR2({ bucket, ledger: tenantOf(tenant).blobs, tenant, nodeId: 'node' })
  const size = 24 * 1024 * 1024
  const { readable, writable } = new FixedLengthStream(size)
  const writing = async () => {
    const writer = writable.getWriter()
    for (let at = 0; at < size; at += 1024 * 1024) await writer.write(new Uint8Array(1024 * 1024).fill(at >> 20))
    await writer.close()
  }
  const [hash] = await Promise.all([
    blobs.putStream(readable, size),
    writing(),
    begun.then(async () => {
      let turns = 0
      for (; isCopying; turns++) await new Promise((resolve) => setTimeout(resolve, 0))
      expect(turns).toBeGreaterThan(12)
    }),
  ])
  expect((await blobs.get(hash))?.size).toBe(size)
})
