import { expect, it, vi } from 'vitest'
import { tenantId } from '../../../../src/core/ids.ts'
import { BODY_ROOM_BYTES, LARGE_BODY_BYTES, TENANT_BODY_ROOM_BYTES } from '../../../../src/core/limits/memory.ts'
import { MAX_BODY_BYTES } from '../../../../src/core/limits/requests.ts'
import { MemoryRoom } from '../../../../src/core/memory-room.ts'
import { rateLimitedOf } from '../../../../src/core/rate-limited.ts'
import { holdingItsBody } from '../../../../src/http/admission/held-bodies.ts'
import { UNCOUNTED } from '../../../../src/http/admission/permit.ts'
import { readBody, readBodyText } from '../../../../src/http/json.ts'
import { rateLimitHeaders } from '../../../../src/http/rate-limit-headers.ts'
import { failureOf } from '../../../support/failure-of.ts'

const tenant = tenantId('acme')
const roomOf = (waiting: number) =>
  new MemoryRoom({ bytes: BODY_ROOM_BYTES, ownBytes: TENANT_BODY_ROOM_BYTES, waiting, waitMs: 60_000 }, () =>
    Date.now(),
  )

/** A request that states this size. Its body has fewer bytes: what counts here is what was stated. */
function stating(bytes: number, room: Pick<MemoryRoom, 'take'>) {
  const headers = { 'Content-Length': `${bytes}` }
  const request = new Request('http://localhost/', { method: 'POST', headers, body: 'hello' })
  return { request, permit: holdingItsBody(UNCOUNTED, request, { room, tenant }) }
}

/** A request of unknown size, with as many bytes. */
function streaming(bytes: number, room: Pick<MemoryRoom, 'take'>) {
  let left = bytes
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = new Uint8Array(Math.min(left, 1024 * 1024))
      left -= chunk.length
      if (chunk.length === 0) controller.close()
      else controller.enqueue(chunk)
    },
  })
  const request = new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit)
  return { request, permit: holdingItsBody(UNCOUNTED, request, { room, tenant }) }
}

it('a large body is read when there is room for it, and that of one that was answered is there again', async () => {
  const room = roomOf(8)
  const [first, second] = [stating(TENANT_BODY_ROOM_BYTES, room), stating(TENANT_BODY_ROOM_BYTES, room)]
  expect(await readBodyText(first.request)).toBe('hello')
  let isRead = false
  const reading = readBodyText(second.request).then((text) => {
    isRead = true
    return text
  })
  // A small one of the same tenant waits for nobody.
  expect(await readBodyText(stating(LARGE_BODY_BYTES, room).request)).toBe('hello')
  expect(isRead).toBe(false)
  first.permit.release()
  expect(await reading).toBe('hello')
  second.permit.release()
})

it('a call that begins to wait for its command holds no room for its arguments', async () => {
  const room = roomOf(8)
  const [first, second] = [stating(TENANT_BODY_ROOM_BYTES, room), stating(TENANT_BODY_ROOM_BYTES, room)]
  await readBody(first.request)
  first.permit.beginLongWait()
  expect(await readBodyText(second.request)).toBe('hello')
  first.permit.release()
  second.permit.release()
})

it('a body whose size nobody stated takes room when it turns out to be large', async () => {
  const room = roomOf(8)
  const take = vi.spyOn(room, 'take')
  const small = streaming(LARGE_BODY_BYTES, room)
  await readBody(small.request)
  expect(take).not.toHaveBeenCalled()
  const large = streaming(LARGE_BODY_BYTES + 1, room)
  expect((await readBody(large.request)).length).toBe(LARGE_BODY_BYTES + 1)
  expect(take.mock.calls).toEqual([[tenant, MAX_BODY_BYTES]])
  small.permit.release()
  large.permit.release()
})

it('where too many wait, it is refused with the time after which it may come again', async () => {
  const room = roomOf(0)
  const { request, permit } = stating(TENANT_BODY_ROOM_BYTES, room)
  const failure = await failureOf(readBody(request))
  expect(failure).toMatchObject({ code: 'rate_limited', message: expect.stringMatching(/no room for this one/) })
  expect(rateLimitedOf(failure)).toMatchObject({ scope: 'tenant', kind: 'concurrency' })
  expect(Number(rateLimitHeaders(failure)['Retry-After'])).toBeGreaterThan(0)
  permit.release()
})
