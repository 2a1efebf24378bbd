import { evictDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { migrateKeys } from '../support/keys-database.ts'
import { connected } from '../support/mcp-client.ts'
import { begin, opened } from '../support/mcp-wire.ts'

beforeAll(() => migrateKeys(env.DB))

/** Waits for what comes by itself, on a machine that has other things to do. */
const soon = <T>(work: () => T | Promise<T>) => vi.waitFor(work, { timeout: 60_000 })

/** A client that listens, in a session of its own with a file `a.md`. */
async function listening(session: string) {
  const updated: string[] = []
  const { client, id } = await connected({
    path: `/mcp/s/${session}`,
    prepare: (client) =>
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri)),
  })
  const write = (file_path: string) =>
    client.callTool({ name: 'file_write', arguments: { file_path, content: crypto.randomUUID() } })
  await write('a.md')
  const uri = (path: string) => `toolyard://${session}/${path}`
  return { client, id, updated, write, uri }
}

describe('a client of 2025-11-25 that subscribes to files', () => {
  it('hears that one was written, and of no other', async () => {
    const { client, updated, write, uri } = await listening('sub-hears')
    expect(client.getServerCapabilities()?.resources).toMatchObject({ subscribe: true })
    await client.subscribeResource({ uri: uri('a.md') })
    await write('b.md')
    await write('a.md')
    await soon(() => expect(updated).toEqual([uri('a.md')]))
    await client.subscribeResource({ uri: uri('b.md') })
    await client.unsubscribeResource({ uri: uri('a.md') })
    await write('a.md')
    await write('b.md')
    await soon(() => expect(updated).toEqual([uri('a.md'), uri('b.md')]))
  })

  it('gets the error of its revision for what is not there, and another one for what is no address', async () => {
    const { ask } = await byHand('sub-errors')
    const codeOf = async (method: string, uri: string) => (await ask(method, { uri }))[0]?.message.error.code
    expect(await codeOf('resources/subscribe', 'toolyard://another/a.md')).toBe(-32002)
    expect(await codeOf('resources/read', 'toolyard://sub-errors/none.md')).toBe(-32002)
    expect(await codeOf('resources/subscribe', 'http://example.com/')).toBe(-32602)
    expect(await codeOf('resources/subscribe', 'toolyard://')).toBe(-32602)
  })

  it('hears at its next stream of what changed while it had none', async () => {
    const { ask, get, write, uri } = await byHand('sub-between')
    await ask('resources/subscribe', { uri: uri('a.md') })
    const first = opened(await get())
    await write('a.md')
    expect(await first.next()).toMatchObject(updateOf(uri('a.md')))
    await first.leave()
    await write('a.md')
    const second = opened(await soon(() => stream(get)))
    expect(await second.next()).toMatchObject(updateOf(uri('a.md')))
  })

  it('is told of each file once after its object was evicted, and goes on to hear of them', async () => {
    const { id, ask, get, write, uri } = await byHand('sub-evicted')
    await ask('resources/subscribe', { uri: uri('a.md') })
    await ask('resources/subscribe', { uri: uri('b.md') })
    await ask('resources/unsubscribe', { uri: uri('b.md') })
    await evictDurableObject(env.CONNECTIONS.getByName(`dev/${id}`))
    const stream = opened(await get())
    expect(await stream.next()).toMatchObject(updateOf(uri('a.md')))
    await write('b.md')
    await write('a.md')
    expect(await stream.next()).toMatchObject(updateOf(uri('a.md')))
  })

  it('hears the end of a session once, and is subscribed to nothing of it afterwards', async () => {
    const { ask, get, end, uri } = await byHand('sub-gone')
    await ask('resources/subscribe', { uri: uri('a.md') })
    const first = opened(await get())
    const removed = await exports.default.fetch('http://localhost/v1/sessions/sub-gone', { method: 'DELETE' })
    expect(removed.ok).toBe(true)
    expect(await first.next()).toMatchObject(updateOf(uri('a.md')))
    expect(await first.next()).toBeNull()
    const second = opened(await get())
    expect(await second.next()).toMatchObject(updateOf(uri('a.md')))
    await second.leave()
    const third = opened(await soon(() => stream(get)))
    await end()
    expect(await third.next()).toBeNull()
  })
})

const updateOf = (uri: string) => ({ message: { method: 'notifications/resources/updated', params: { uri } } })

/** The stream of a client that left another one just before: the server may not know yet. */
async function stream(get: () => Promise<Response>): Promise<Response> {
  const answer = await get()
  if (answer.ok) return answer
  throw new Error(await answer.text())
}

/** A connection without a client, and a session of its own with a file `a.md`. */
async function byHand(session: string) {
  const connection = await begin('2025-11-25', { path: `/mcp/s/${session}` })
  const write = async (file_path: string) => {
    const args = { file_path, content: crypto.randomUUID() }
    const events = await connection.ask('tools/call', { name: 'file_write', arguments: args })
    expect(events.at(-1)?.message.result.isError, JSON.stringify(events)).toBeFalsy()
  }
  await write('a.md')
  return { ...connection, write, uri: (path: string) => `toolyard://${session}/${path}` }
}
