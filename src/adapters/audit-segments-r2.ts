import type { TenantId } from '../core/ids.ts'
import type { Slots } from '../core/slots.ts'
import type { SegmentStore } from '../ports/audit-segments.ts'
import { orUpstream } from './blobs-r2.ts'

/** Digits of a key's number, so that keys are in the order of the segments. */
const KEY_DIGITS = 16

/** Sealed segments of one tenant's audit log, in R2. @param slot places of the calling object for requests to the store */
export function auditSegmentsR2(bucket: R2Bucket, tenant: TenantId, slot: Slots): SegmentStore {
  const keyOf = (first: number) => `t/${tenant}/audit/${String(first).padStart(KEY_DIGITS, '0')}.jsonl.gz`
  return {
    put: (first, content, sha256) =>
      // R2 checks the sum itself: it refuses bytes that were changed on the way.
      orUpstream(async () => void (await slot(() => bucket.put(keyOf(first), content, { sha256 })))),

    get: (first, most) =>
      orUpstream(async () => {
        const object = await slot(() => bucket.get(keyOf(first)))
        if (!object) return null
        if (object.size <= most) return new Uint8Array(await object.arrayBuffer())
        await object.body.cancel()
        return new Uint8Array()
      }),

    delete: (firsts) =>
      orUpstream(async () => {
        if (firsts.length > 0) await slot(() => bucket.delete(firsts.map(keyOf)))
      }),
  }
}
