import { afterEach, expect, it, vi } from 'vitest'
import { tenantId } from '../../../../src/core/ids.ts'
import {
  BODY_GRACE_SECONDS,
  BODY_ROOM_BYTES,
  LARGE_BODY_BYTES,
  LEAST_BODY_PACE,
  TENANT_BODY_ROOM_BYTES,
} from '../../../../src/core/limits/memory.ts'
import { MAX_BODY_BYTES } from '../../../../src/core/limits/requests.ts'
import { MemoryRoom } from '../../../../src/core/memory-room.ts'
import { rateLimitedOf } from '../../../../src/core/rate-limited.ts'
import { holdingItsBody } from '../../../../src/http/admission/held-bodies.ts'
import { UNCOUNTED } from '../../../../src/http/admission/permit.ts'
import { readBody, readBodyText } from '../../../../src/http/json.ts'
import { rateLimitHeaders } from '../../../../src/http/rate-limit-headers.ts'
import { failureOf } from '../../../support/failure-of.ts'

afterEach(() => void vi.useRealTimers())

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

/** A request of this stated size, whose bytes come as they are sent. */
function dripping(bytes: number, room: Pick<MemoryRoom, 'take'>) {
  let sender: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      sender = controller
    },
  })
  const headers = { 'Content-Length': `${bytes}` }
  const request = new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  return {
    request,
    permit: holdingItsBody(UNCOUNTED, request, { room, tenant }),
    send: (size: number) => sender?.enqueue(new Uint8Array(size)),
    end: () => sender?.close(),
  }
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
  const [first, second] = [stating(TENANT_BODY_ROOM_BYTES, room), stating(TENANT_BODY_ROOM_BYTES, room)]
  await readBody(first.request)
  const failure = await failureOf(readBody(second.request))
  expect(failure).toMatchObject({ code: 'rate_limited', message: expect.stringMatching(/no room for this one/) })
  expect(rateLimitedOf(failure)).toMatchObject({ scope: 'tenant', kind: 'concurrency' })
  expect(Number(rateLimitHeaders(failure)['Retry-After'])).toBeGreaterThan(0)
  first.permit.release()
  second.permit.release()
})

it('a sender that drips loses its room to the next one, and hears what to do', async () => {
  vi.useFakeTimers()
  const room = roomOf(8)
  const slow = dripping(TENANT_BODY_ROOM_BYTES, room)
  const failure = failureOf(readBody(slow.request)).finally(slow.permit.release)
  const next = stating(TENANT_BODY_ROOM_BYTES, room)
  const reading = readBodyText(next.request)
  for (let seconds = 0; seconds < BODY_GRACE_SECONDS; seconds++) {
    slow.send(1)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await failure).toMatchObject({ code: 'timeout', message: expect.stringMatching(/smaller parts/) })
  expect(await reading).toBe('hello')
  next.permit.release()
  expect(vi.getTimerCount()).toBe(0)
})

it('a sender that drips what is dropped because it is too much holds its room no longer either', async () => {
  vi.useFakeTimers()
  const slow = dripping(TENANT_BODY_ROOM_BYTES, roomOf(8))
  const failure = failureOf(readBody(slow.request)).finally(slow.permit.release)
  slow.send(MAX_BODY_BYTES)
  slow.send(1)
  await vi.advanceTimersByTimeAsync((MAX_BODY_BYTES / LEAST_BODY_PACE + BODY_GRACE_SECONDS + 2) * 1_000)
  expect(await failure).toMatchObject({ code: 'timeout' })
  expect(vi.getTimerCount()).toBe(0)
})

it('a large body over a slow line may take minutes, and its line may stall for a while', async () => {
  vi.useFakeTimers()
  const slow = dripping(MAX_BODY_BYTES, roomOf(8))
  const reading = readBody(slow.request)
  await vi.advanceTimersByTimeAsync((BODY_GRACE_SECONDS - 1) * 1_000)
  for (let sent = 0; sent < MAX_BODY_BYTES; sent += LEAST_BODY_PACE) {
    slow.send(LEAST_BODY_PACE)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  slow.end()
  expect((await reading).length).toBe(MAX_BODY_BYTES)
  slow.permit.release()
  expect(vi.getTimerCount()).toBe(0)
})

it('a long piece of work on the thread does not cost a sender its time', async () => {
  vi.useFakeTimers()
  const body = dripping(TENANT_BODY_ROOM_BYTES, roomOf(8))
  const reading = readBodyText(body.request)
  await vi.advanceTimersByTimeAsync(1_000)
  vi.setSystemTime(Date.now() + 10 * BODY_GRACE_SECONDS * 1_000) // no timer fires meanwhile
  await vi.advanceTimersByTimeAsync(1_000)
  body.end()
  expect(await reading).toBe('')
  body.permit.release()
})
