import type { TenantId } from '../../core/ids.ts'
import { SLOT_BODY_BYTES } from '../../core/limits/admission.ts'
import { LARGE_BODY_BYTES } from '../../core/limits/memory.ts'
import type { GiveBack, MemoryRoom } from '../../core/memory-room.ts'
import { noBodyRoomError } from './errors.ts'
import { neededSlots } from './needed-slots.ts'
import type { Permit } from './permit.ts'

/** Ways to room for the bodies of requests that may have a large one. */
const WAYS = new WeakMap<Request, (bytes: number) => Promise<void>>()

/**
 * Permit of a request whose body, if it is large, waits for room in memory when it is read. The room is given back when the request begins
 * to wait for something else, or is over: by then its content is another one's, in the session's object or in the store.
 */
export function holdingItsBody(permit: Permit, request: Request, { room, tenant }: BodyOwner): Permit {
  if (neededSlots(request) * SLOT_BODY_BYTES <= LARGE_BODY_BYTES) return permit
  let giveBack: GiveBack | null = null
  let isOver = false
  const release = () => {
    isOver = true
    giveBack?.()
    giveBack = null
  }
  WAYS.set(request, async (bytes) => {
    if (giveBack || isOver) return
    giveBack = await room.take(tenant, bytes)
    if (giveBack === null) throw noBodyRoomError()
    if (isOver) release()
  })
  return {
    beginLongWait: () => {
      permit.beginLongWait()
      release()
    },
    openStream: () => permit.openStream(),
    release: () => {
      permit.release()
      release()
    },
  }
}

interface BodyOwner {
  readonly room: Pick<MemoryRoom, 'take'>
  readonly tenant: TenantId
}

/** Waits for room for a body, before so many bytes of it are held. @throws FailureError `rate_limited` when there is none in time */
export const roomForBody = async (request: Request, bytes: number): Promise<void> => WAYS.get(request)?.(bytes)
