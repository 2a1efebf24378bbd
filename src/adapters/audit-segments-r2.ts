import type { TenantId } from '../core/ids.ts'
import type { SegmentStore } from '../ports/audit-segments.ts'
import { orUpstream } from './blobs-r2.ts'

/** Digits of a key's number, so that keys are in the order of the segments. */
const KEY_DIGITS = 16

/** Sealed segments of one tenant's audit log, in R2. */
export function auditSegmentsR2(bucket: R2Bucket, tenant: TenantId): SegmentStore {
  const keyOf = (first: number) => `t/${tenant}/audit/${String(first).padStart(KEY_DIGITS, '0')}.jsonl.gz`
  return {
    put: (first, content, sha256) =>
      // R2 checks the sum itself: it refuses bytes that were changed on the way.
      orUpstream(async () => void (await bucket.put(keyOf(first), content, { sha256 }))),

    get: (first, most) =>
      orUpstream(async () => {
        const object = await bucket.get(keyOf(first))
        if (!object) return null
        if (object.size <= most) return new Uint8Array(await object.arrayBuffer())
        await object.body.cancel()
        return new Uint8Array()
      }),

    delete: (firsts) => orUpstream(async () => void (firsts.length > 0 && (await bucket.delete(firsts.map(keyOf))))),
  }
}
