import { expect, it } from 'vitest'
import { MAX_ROOM_READINGS, TENANT_READING_ROOM_BYTES } from '../../../src/core/limits/memory.ts'
import { encodeReading, READER_BYTES_HEADER, READER_OWNER_HEADER } from '../../../src/reader/wire.ts'
import reader from '../../../src/reader/worker.ts'

const READING = encodeReading({ kind: 'paper_texts', options: {}, bytes: new TextEncoder().encode('["some text"]') })

/** A reading of an owner that states this size; its bytes come when they are sent. */
function reading(owner: string, bytes: number) {
  const progress = { isRead: false }
  const { promise, resolve: send } = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        progress.isRead = true
        await promise
        controller.enqueue(READING)
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { [READER_OWNER_HEADER]: owner, [READER_BYTES_HEADER]: `${bytes}` }
  const request = new Request('https://reader/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  // The platform's own type has more than what Node's has, and nothing here uses it.
  const answer = Promise.resolve(reader.fetch(request as never)).then(
    async (response) => (await response.json()) as { result?: unknown; failure?: { code: string } },
  )
  return { progress, send, answer }
}

it('large documents are read one after the other, and one that waits is not taken from its sender', async () => {
  const first = reading('a', TENANT_READING_ROOM_BYTES)
  const second = reading('b', TENANT_READING_ROOM_BYTES)
  await expect.poll(() => first.progress.isRead).toBe(true)
  expect(second.progress.isRead).toBe(false)
  first.send()
  expect(await first.answer).toHaveProperty('result')
  await expect.poll(() => second.progress.isRead).toBe(true)
  second.send()
  expect(await second.answer).toHaveProperty('result')
})

it('a small document is read beside a large one of another tenant', async () => {
  const large = reading('a', 2 * TENANT_READING_ROOM_BYTES)
  const small = reading('b', 100)
  small.send()
  expect(await small.answer).toHaveProperty('result')
  large.send()
  expect(await large.answer).toHaveProperty('result')
})

it('where too many of one tenant wait, its own is refused with a time to come again, and no other’s', async () => {
  const all = Array.from({ length: 1 + MAX_ROOM_READINGS }, () => reading('a', TENANT_READING_ROOM_BYTES))
  const refused = await reading('a', 100).answer
  expect(refused.failure).toMatchObject({ code: 'rate_limited', data: { retryAfterMs: expect.any(Number) } })
  const other = reading('b', TENANT_READING_ROOM_BYTES)
  other.send()
  expect((await all.at(-1)?.answer)?.failure).toMatchObject({ code: 'rate_limited' })
  for (const one of all) one.send()
  expect(await other.answer).toHaveProperty('result')
  for (const { answer } of all.slice(0, -1)) expect(await answer).toHaveProperty('result')
})
