import { LONE_REQUEST_SLOTS, SLOT_BODY_BYTES } from '../../core/limits/admission.ts'

/** Slots of a request: one, or as many as its body needs. A body of unknown size takes all. */
export function neededSlots(request: Request): number {
  if (request.method === 'GET' || request.method === 'HEAD') return 1
  const stated = request.headers.get('Content-Length')
  // Reading `request.body` makes a stream, which most requests do without.
  const bytes = stated === null ? (request.body === null ? 0 : Number.POSITIVE_INFINITY) : Number(stated)
  return Math.min(LONE_REQUEST_SLOTS, Math.max(1, Math.ceil(bytes / SLOT_BODY_BYTES) || 1))
}
