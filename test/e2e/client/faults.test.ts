import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  ConnectionError,
  RateLimitedError,
  type Session,
  TimeoutError,
  Toolyard,
  ToolyardError,
  UnavailableError,
} from '../../../src/client/index.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { jsonAnswer, type StandInAnswer, standIn } from '../../support/stand-in.ts'

const server = runningToolyard(async () => ({}))

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  jsonAnswer(
    { type: 'about:blank', title: code, status, detail: code, code, retryable: true, hint: 'wait', request_id: 'r' },
    status,
    { 'content-type': 'application/problem+json', ...headers },
  )

/** Stand-in that gives these answers one after the other, and the last one again. */
const answering = (...answers: readonly StandInAnswer[]) => {
  let at = 0
  return standIn(() => answers[Math.min(at++, answers.length - 1)] ?? {})
}

const SESSION = jsonAnswer({ name: 'a' }, 201)

it('waits as long as Retry-After says, and sends the very same request under the same key', async () => {
  const { url, requests } = await answering(problem(429, 'rate_limited', { 'retry-after': '1' }), SESSION)
  const waits: number[] = []
  const toolyard = new Toolyard({ baseUrl: url, onRetry: ({ waitMs }) => void waits.push(waitMs) })
  expect((await toolyard.sessions.create({ title: 'A' })).name).toBe('a')
  expect(waits).toEqual([1_000])
  const [first, second] = requests.map(({ method, path, body, headers }) => [
    method,
    path,
    body,
    headers['idempotency-key'],
  ])
  expect(second).toEqual(first)
  expect(first?.[3]).toMatch(/^[0-9a-f-]{36}$/)
})

it('throws at once where the server wants more than a minute waited, or the signal is aborted in the pause', async () => {
  const { url, requests } = await answering(problem(429, 'rate_limited', { 'retry-after': '61' }))
  const error = await new Toolyard({ baseUrl: url }).sessions.create().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RateLimitedError)
  expect(error).toMatchObject({ retryAfterMs: 61_000 })
  expect(requests).toHaveLength(1)

  const slow = await answering(problem(503, 'unavailable', { 'retry-after': '50' }))
  const stop = new AbortController()
  const toolyard = new Toolyard({ baseUrl: slow.url, onRetry: () => stop.abort(new Error('enough')) })
  await expect(toolyard.sessions.create({}, { signal: stop.signal })).rejects.toThrow('enough')
})

it('sends a request as often as said, and neither a stream again nor what cannot succeed', async () => {
  const busy = await answering(problem(503, 'unavailable', { 'retry-after': '0' }))
  const toolyard = new Toolyard({ baseUrl: busy.url, maxRetries: 2 })
  await expect(toolyard.sessions.create()).rejects.toBeInstanceOf(UnavailableError)
  expect(busy.requests).toHaveLength(3)
  const files = toolyard.sessions.open('a').files
  await expect(files.write('a', new Blob(['a']).stream())).rejects.toBeInstanceOf(UnavailableError)
  expect(busy.requests).toHaveLength(4)
  const proxy = await answering(
    { status: 502, headers: { 'retry-after': '0' }, body: '<html>' },
    { status: 400, body: '<html>' },
  )
  const behind = new Toolyard({ baseUrl: proxy.url }).sessions.create().catch((thrown: unknown) => thrown)
  expect(await behind).toMatchObject({ code: 'internal', status: 400 })
  expect(proxy.requests).toHaveLength(2)
})

const PAGE = '{"data":[{"path":"in/a.txt"}],"next_cursor":null}'
const READS = [
  { what: 'a file as text', body: 'otters', read: ({ files }) => files.read('a.txt'), gives: 'otters' },
  {
    what: 'a file as bytes',
    body: 'otters',
    read: ({ files }) => files.bytes('a.txt'),
    gives: new TextEncoder().encode('otters'),
  },
  {
    what: 'the list of a directory',
    body: PAGE,
    read: ({ files }) => files.list('in').take(1),
    gives: [{ path: 'in/a.txt' }],
  },
  { what: 'a diff', body: '--- a/a.txt', read: (session) => session.unifiedDiff(), gives: '--- a/a.txt' },
] satisfies { what: string; body: string; read: (session: Session) => Promise<unknown>; gives: unknown }[]

/** Answer that ends in the middle of its body: cut off there, or silent from there on. */
const half =
  (body: string, { isCut }: { isCut: boolean }): StandInAnswer =>
  (response) => {
    response.writeHead(200, { 'content-length': body.length })
    response.write(body.slice(0, 3), () => isCut && response.destroy())
  }

describe.each(READS)('reading $what', ({ body, read, gives }) => {
  it.each([
    { how: 'is cut in the middle', isCut: true, kind: ConnectionError },
    { how: 'stalls behind its headers', isCut: false, kind: TimeoutError },
  ])('asks again when the body $how, and says so when it goes on', async ({ isCut, kind }) => {
    const once = await answering(half(body, { isCut }), { body })
    const patient = new Toolyard({ baseUrl: once.url, timeoutMs: isCut ? 60_000 : 200, maxRetries: 9 })
    expect(await read(patient.sessions.open('a'))).toEqual(gives)
    expect(once.requests.length).toBeGreaterThan(1)

    const always = await answering(half(body, { isCut }))
    const hasty = new Toolyard({ baseUrl: always.url, timeoutMs: isCut ? 60_000 : 200, maxRetries: 1 })
    const thrown = await read(hasty.sessions.open('a')).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(kind)
    expect(thrown).toBeInstanceOf(ToolyardError)
    expect(always.requests).toHaveLength(2)
  })
})

it('makes a session once though the body of the answer is cut', async () => {
  const { url, requests } = await answering(half('{"name":"a"}', { isCut: true }), SESSION)
  expect((await new Toolyard({ baseUrl: url }).sessions.create()).name).toBe('a')
  const [first, second] = requests.map(({ headers }) => headers['idempotency-key'])
  expect(second).toBe(first)
})

it('reads a body for as long as pieces of it come', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const pieces = writable.getWriter()
  const fetch = async () => new Response(readable)
  const reading = new Toolyard({ baseUrl: 'http://slow', fetch }).sessions.open('a').files.read('a.txt')
  for (const piece of ['slow', ' ', 'otters']) {
    await vi.advanceTimersByTimeAsync(40_000)
    await pieces.write(new TextEncoder().encode(piece))
  }
  await vi.advanceTimersByTimeAsync(40_000)
  await pieces.close()
  expect(await reading).toBe('slow otters')
})

it('reads Retry-After as a date, too', async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString()
  const { url } = await answering(problem(429, 'rate_limited', { 'retry-after': date }))
  const thrown = await new Toolyard({ baseUrl: url }).sessions.create().catch((error: unknown) => error)
  const { retryAfterMs } = thrown as RateLimitedError
  // A date has whole seconds, and time goes on.
  expect(retryAfterMs).toBeLessThanOrEqual(3_600_000)
  expect(retryAfterMs).toBeGreaterThan(3_000_000)
})

it('tells a server that is silent from one that cannot be reached', async () => {
  const silent = await answering(() => {})
  const patient = new Toolyard({ baseUrl: silent.url, timeoutMs: 50, maxRetries: 1 })
  await expect(patient.sessions.create()).rejects.toBeInstanceOf(TimeoutError)
  expect(silent.requests).toHaveLength(2)
  await silent.stop()
  const absent = await new Toolyard({ baseUrl: silent.url, maxRetries: 0 }).sessions
    .create()
    .catch((thrown: unknown) => thrown)
  expect([absent instanceof ConnectionError, absent instanceof TimeoutError]).toEqual([true, false])
})

it('follows no redirect, which would lead the key elsewhere', async () => {
  const elsewhere = await answering(SESSION)
  const { url } = await answering({ status: 307, headers: { location: elsewhere.url } })
  await expect(new Toolyard({ baseUrl: url, apiKey: 'k' }).sessions.create()).rejects.toMatchObject({ status: 307 })
  expect(elsewhere.requests).toEqual([])
})

/** Proxy that cuts the answers to the first requests, each after so many bytes; null for none before its end. */
async function cuttingAfter(bytes: readonly (number | null)[]) {
  const cuts = [...bytes]
  const requests: { readonly method: string; readonly path: string; readonly lastId: string | undefined }[] = []
  const proxy = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming
    requests.push({ method, path, lastId: headers['last-event-id'] as string | undefined })
    const cut = cuts.shift() ?? null
    const { host: _, ...rest } = headers
    const upstream = send(`${server().url}${path}`, { method, headers: rest }, (answer) => {
      let rest = cut ?? Number.POSITIVE_INFINITY
      // Headers go with the first bytes: an answer that is cut before them is none.
      if (rest > 0) outgoing.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders()
      answer.on('data', (piece: Buffer) => {
        const part = piece.subarray(0, rest)
        rest -= part.length
        if (rest > 0) outgoing.write(part)
        else if (part.length > 0) outgoing.write(part, () => incoming.socket.destroy())
        else incoming.socket.destroy()
      })
      answer.on('end', () => (rest > 0 ? outgoing.end() : incoming.socket.destroy()))
    })
    upstream.on('error', () => incoming.socket.destroy())
    incoming.pipe(upstream)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, requests }
}

it('makes one call though its answer is lost twice', async () => {
  await using session = await new Toolyard({ baseUrl: server().url }).sessions.create()
  const { url, requests } = await cuttingAfter([0, 10])
  const behind = new Toolyard({ baseUrl: url }).sessions.open(session.name)
  const args = { file_path: 'log.txt', content: 'once\n', mode: 'append' } as const
  expect((await behind.tool('file_write', args)).state).toBe('done')
  expect(requests).toHaveLength(3)
  expect(await session.files.read('log.txt')).toBe('once\n')
})

it('shows all that a command prints once, though its events are cut before the first one and in the middle', async () => {
  await using session = await new Toolyard({ baseUrl: server().url }).sessions.create()
  const { url, requests } = await cuttingAfter([0, 20, 500, 700])
  const behind = new Toolyard({ baseUrl: url }).sessions.open(session.name)
  const printed: string[] = []
  const command = 'echo run >> runs.txt; for n in 1 2 3 4 5 6; do echo lake $n; sleep 0.3; done; cat runs.txt'
  const { stdout } = await behind.run(command, { onStdout: (text) => printed.push(text) })
  expect(stdout).toBe('lake 1\nlake 2\nlake 3\nlake 4\nlake 5\nlake 6\nrun\n')
  expect(printed.join('')).toBe(stdout)
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'GET', 'GET'])
  expect(requests.at(-1)?.lastId).toBeDefined()
})

it('misses no commit though the connection of a watcher is cut', async () => {
  await using session = await new Toolyard({ baseUrl: server().url }).sessions.create()
  const { url, requests } = await cuttingAfter([300])
  const seen: string[] = []
  const names = ['one.txt', 'two.txt', 'three.txt']
  await session.files.write('zero.txt', '')
  for await (const { changes } of new Toolyard({ baseUrl: url }).sessions
    .open(session.name)
    .files.watch({ from: 'HEAD~1' })) {
    seen.push(...changes.map(({ path }) => path))
    const next = names.shift()
    if (next === undefined) break
    await session.files.write(next, '')
  }
  expect(seen).toEqual(['zero.txt', 'one.txt', 'two.txt', 'three.txt'])
  expect(requests.length).toBeGreaterThan(1)
})

it('discards a stream that is none each time it is opened', async () => {
  const { url, requests } = await answering({ body: '<p>Sign in</p>\n' })
  const watched = new Toolyard({ baseUrl: url, maxRetries: 1 }).sessions.open('a').files.watch()
  await expect(watched.next()).rejects.toBeInstanceOf(ConnectionError)
  expect(requests).toHaveLength(2)
})

it('keeps a stream that is only quiet, however often its connection ends', async () => {
  const quiet = { headers: { 'content-type': 'text/event-stream' }, body: ': nothing new\nid: 7\n\n' }
  const { url, requests } = await answering(...Array(4).fill(quiet), { ...quiet, body: 'event: end\ndata: {}\n\n' })
  const watched = new Toolyard({ baseUrl: url, maxRetries: 1 }).sessions.open('a').files.watch()
  for await (const _ of watched) expect.unreachable('no commit came')
  expect(requests).toHaveLength(5)
})
