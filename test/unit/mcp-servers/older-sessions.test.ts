import { expect, it, onTestFinished, vi } from 'vitest'
import { MAX_MCP_SESSION_ID_CHARS, MCP_END_MS } from '../../../src/core/limits/mcp-servers.ts'
import { failureOf } from '../../support/failure-of.ts'
import { everythingServer } from '../../support/mcp-bridge.ts'
import { startOlderServer } from '../../support/older-mcp-server.ts'
import { jsonAnswer } from '../../support/stand-in.ts'
import { openServers } from './open.ts'
import { scriptedServer } from './scripted-server.ts'

async function older(settings: object = {}) {
  // A machine that stands still would end what ends a session.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await startOlderServer()
  onTestFinished(() => server.stop())
  const servers = openServers([server.host], { OLDER_KEY: 'sk-of-the-older-one' })
  const added = await servers.add({ name: 'older', url: `${server.url}/mcp`, ...settings })
  return { server, ...servers, added }
}

it('ends the session in which only the tools were listed', async () => {
  const { server, added } = await older()
  expect(added).toMatchObject({ status: 201, body: { revision: '2025-06-18', active: 1 } })
  expect(server.sessions.size).toBe(0)
  expect(server.ended).toHaveLength(1)
})

it('ends the session of the calls with its own, with the credentials and the revision of that server', async () => {
  const { server, run, end } = await older({ auth: [{ type: 'bearer', secret: 'OLDER_KEY' }] })
  await run('older_count')
  expect((await run('older_count')).text).toBe('call 2')
  const [session] = server.sessions.keys()
  await end()
  expect(server.sessions.size).toBe(0)
  const [request] = server.requests.filter(({ method }) => method === 'DELETE').slice(-1)
  expect(request).toMatchObject({
    path: '/mcp',
    headers: {
      authorization: 'Bearer sk-of-the-older-one',
      'mcp-session-id': session,
      'mcp-protocol-version': '2025-06-18',
    },
  })
  const count = server.requests.length
  await end()
  expect(server.requests).toHaveLength(count)
})

it('is held up neither by a server that hangs, nor by one that is gone', async () => {
  const { server, run, call, end } = await older()
  await run('older_count')
  server.onEnd = () => undefined
  /** Result of work that ends a session, the n-th one, once its time is over. */
  const givenUp = async <T>(work: Promise<T>, n: number): Promise<T> => {
    await expect.poll(() => server.ended.length).toBe(n)
    await vi.advanceTimersByTimeAsync(MCP_END_MS)
    return work
  }
  const again = await givenUp(call('POST', '/v1/mcp-servers', { name: 'again', url: `${server.url}/mcp` }), 2)
  expect(again).toMatchObject({ status: 201, body: { refused: 0 } })
  await givenUp(end(), 3)
  expect(server.sessions.size).toBe(0)
  const other = await older()
  await other.run('older_count')
  await other.server.stop()
  await other.end()
})

it('keeps the session over a call that is refused, or cancelled', async () => {
  const { server, run } = await older()
  await run('older_count')
  expect(await failureOf(run('older_count', { word: 'wrong' }), 'the call')).toMatchObject({ code: 'invalid_input' })
  const stopped = AbortSignal.abort(new Error('cancelled'))
  await expect(run('older_count', {}, stopped)).rejects.toThrow('cancelled')
  expect((await run('older_count')).text).toBe('call 2')
  expect(server.sessions.size).toBe(1)
})

it('makes a call once where the server refuses the answer to a question of its own, and the call fails', async () => {
  const { server, run } = await older()
  await run('older_count')
  const failure = await failureOf(run('older_count', { word: 'asking' }), 'the call')
  expect(failure).toMatchObject({ code: 'upstream', message: expect.stringContaining('it fails') })
  expect([...server.sessions.values()]).toEqual([2])
  expect((await run('older_count')).text).toMatch(/^call [13]$/)
})

it('cancels a running call there by the id that it has there, and goes on in the session', async () => {
  const { server, run } = await older()
  await run('older_count')
  const called = Promise.withResolvers<void>()
  server.onSlow = called.resolve
  const stop = new AbortController()
  const call = run('older_count', { word: 'slow' }, stop.signal)
  await called.promise
  stop.abort(new Error('cancelled'))
  await expect(call).rejects.toThrow('cancelled')
  const messages = server.requests.map(({ body }) => JSON.parse(body || '{}') as Sent)
  const slow = messages.find(({ params }) => params?.arguments?.word === 'slow')
  expect(messages.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: slow?.id } })
  expect(slow?.id).toEqual(expect.any(Number))
  expect((await run('older_count')).text).toBe('call 2')
})

/** Message that a client sent. */
interface Sent {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly arguments?: { readonly word?: string } }
}

it('forgets a session that its server ended', async () => {
  const { server, run, end } = await older()
  await run('older_count')
  const [gone] = server.sessions.keys()
  server.sessions.clear()
  expect((await run('older_count')).text).toBe('call 1')
  await end()
  expect(server.ended).not.toContain(gone)
  expect(server.requests.filter(({ headers }) => headers['mcp-session-id'] === gone).at(-1)?.method).toBe('POST')
})

it('takes no id of a session that is as long as a file', async () => {
  const { url, host } = await scriptedServer({
    instead: ({ method, id }) =>
      method === 'server/discover'
        ? jsonAnswer({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'no' } }, 404)
        : jsonAnswer({ jsonrpc: '2.0', id, result: {} }, 200, {
            'mcp-session-id': 'x'.repeat(MAX_MCP_SESSION_ID_CHARS + 1),
          }),
  })
  const added = await openServers([host]).add({ name: 'long', url })
  expect(added).toMatchObject({ status: 502, body: { detail: expect.stringContaining('session an id') } })
})

it('gives each of several calls that share a session its own answer', async () => {
  const { url, host } = await everythingServer()
  const { add, run } = openServers([host])
  await add({ name: 'everything', url })
  await run('everything_echo', { message: 'first' })
  const words = Array.from({ length: 8 }, (_, at) => `word ${at}`)
  const answers = await Promise.all(
    words.map((message, at) =>
      at === 0
        ? run('everything_trigger_long_running_operation', { duration: 1, steps: 2 })
        : run('everything_echo', { message }),
    ),
  )
  expect(answers.map(({ text }) => text)).toEqual([
    expect.stringContaining('Long running operation completed'),
    ...words.slice(1).map((word) => `Echo: ${word}`),
  ])
})
