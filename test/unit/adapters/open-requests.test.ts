import { expect, it, onTestFinished, vi } from 'vitest'
import { blobDeleterR2, blobsR2 } from '../../../src/adapters/blobs-r2.ts'
import { frame } from '../../../src/adapters/e2b/connect-frames.ts'
import { e2bSandboxHost } from '../../../src/adapters/e2b/sandbox.ts'
import { type OpenRequests, openRequests } from '../../../src/adapters/open-requests.ts'
import { readConfig } from '../../../src/config.ts'
import { tenantId } from '../../../src/core/ids.ts'
import { FLUSH_BATCH_BLOBS } from '../../../src/core/limits/workspace.ts'
import { outsideHttpOfObject, outsidePorts } from '../../../src/outside.ts'
import type { BlobLedger } from '../../../src/ports/blob-ledger.ts'
import { UnansweredError } from '../../../src/ports/http.ts'
import { jsonAnswer, standIn } from '../../support/stand-in.ts'

/** Connections that wait for headers in one invocation, as Cloudflare's page of limits has it. */
const PLATFORM_CONNECTIONS = 6
/** Connections of requests of one kind: of the two other kinds each keeps one. */
const OF_ONE_KIND = 4
const BINDINGS = { SESSIONS: {}, TENANTS: {}, LEASES: {}, CONNECTIONS: {}, BLOBS: {}, DB: {}, ASSETS: {} }
const tenant = tenantId('acme')
const ledger: BlobLedger = {
  retain: async () => [],
  stored: async () => {},
  share: async () => {},
  release: async () => {},
}

/** The platform's count of open connections, each of which waits until it is let go. */
function platform() {
  const waiting: (() => void)[] = []
  const counted = { now: 0, most: 0, all: 0 }
  return {
    counted,
    connection: () => {
      counted.now++
      counted.all++
      counted.most = Math.max(counted.most, counted.now)
      return new Promise<void>((resolve) => {
        waiting.push(() => {
          counted.now--
          resolve()
        })
      })
    },
    letOneGo: () => waiting.shift()?.(),
    letNewestGo: () => waiting.pop()?.(),
  }
}

/** Lets connections go, one after the other, until all work is done. */
async function drained(work: readonly Promise<unknown>[], letOneGo: () => void): Promise<void> {
  let isDone = false
  const done = Promise.all(work).finally(() => {
    isDone = true
  })
  while (!isDone) {
    letOneGo()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await done
}

/** Contents of so many files, and a store that answers when the platform lets it. */
function storeOf({ connection }: Pick<ReturnType<typeof platform>, 'connection'>, slot = openRequests().toStore) {
  const stored = new Set<string>()
  const bucket = {
    put: async (key: string) => {
      await connection()
      stored.add(key)
    },
  } as unknown as R2Bucket // what contents are put by
  const contents = Array.from({ length: FLUSH_BATCH_BLOBS }, (_, at) => ({
    hash: `${at}`,
    content: new Uint8Array([at]),
  }))
  return { stored, contents, blobs: blobsR2({ bucket, ledger, tenant, nodeId: 'node', slot }) }
}

it('contents go to the store by fewer connections than the platform lets wait, and all of them', async () => {
  const { counted, connection, letOneGo } = platform()
  const { stored, contents, blobs } = storeOf({ connection })
  await drained([blobs.put(contents)], letOneGo)
  expect(stored.size).toBe(contents.length)
  expect(counted.most).toBeGreaterThan(1)
  expect(counted.most).toBeLessThan(PLATFORM_CONNECTIONS)
})

/** Has no time pass for requests: a machine that stands still would end them. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

it('tools and contents of one session together have no more connections than the platform lets wait', async () => {
  holdTimers()
  const { counted, connection, letOneGo } = platform()
  const site = await standIn(() => (response) => void connection().then(() => response.end('hello')))
  const config = readConfig({ ...BINDINGS, DANGEROUSLY_ALLOW_HOSTS: site.host })
  const open = openRequests()
  const { http } = outsidePorts(config, tenant, open)
  const { stored, contents, blobs } = storeOf({ connection }, open.toStore)
  const { signal } = new AbortController()
  const requests = Array.from({ length: 12 }, () =>
    http.fetch({ url: site.url, timeoutMs: 30_000, maxBytes: 100 }, signal),
  )
  await expect.poll(() => counted.now).toBe(OF_ONE_KIND)
  const put = blobs.put(contents.slice(0, 8))
  // Although all of these hosts are slow, contents have a connection.
  await expect.poll(() => counted.now).toBe(OF_ONE_KIND + 1)
  await drained([put, ...requests], letOneGo)
  expect(stored.size).toBe(8)
  expect(counted).toMatchObject({ now: 0, all: 20 })
  expect(counted.most).toBeLessThanOrEqual(PLATFORM_CONNECTIONS)
})

const ACCESS = { sandboxID: 's1', templateID: 'base', clientID: 'c', envdVersion: '0.6.4', envdAccessToken: 'token' }
const PRINTED = [
  { event: { start: { pid: 7 } } },
  { event: { data: { stdout: btoa('done') } } },
  { event: { end: { exited: true, status: 'exit status 0' } } },
]
/** Flags of the last message of a stream. */
const LAST = 2

/** E2B with one sandbox, whose requests are answered when the platform lets them. */
async function e2bOf({ connection }: Pick<ReturnType<typeof platform>, 'connection'>, open: OpenRequests) {
  const last = frame({})
  last[0] = LAST
  const e2b = await standIn(({ path }) => (response) => {
    void connection().then(() => {
      const isCommand = path === '/process.Process/Start'
      response.writeHead(200, { 'content-type': isCommand ? 'application/connect+json' : 'application/json' })
      response.end(isCommand ? Buffer.concat([...PRINTED.map(frame), last]) : JSON.stringify(ACCESS))
    })
  })
  return e2bSandboxHost({ apiKey: 'key', apiUrl: e2b.url, sandboxUrl: e2b.url, template: 'base', open })
}

it('a command begins while slow hosts and the store keep their connections waiting, and they have no more than the platform lets wait', async () => {
  holdTimers()
  const { counted, connection, letOneGo, letNewestGo } = platform()
  const site = await standIn(() => (response) => void connection().then(() => response.end('hello')))
  const open = openRequests()
  const { http } = outsidePorts(readConfig({ ...BINDINGS, DANGEROUSLY_ALLOW_HOSTS: site.host }), tenant, open)
  const { contents, blobs } = storeOf({ connection }, open.toStore)
  const host = await e2bOf({ connection }, open)
  const { signal } = new AbortController()
  const connecting = host.connect('s1', 60_000, signal)
  await drained([connecting], letOneGo)
  const sandbox = (await connecting) ?? expect.unreachable()

  const slow = Array.from({ length: 5 }, () => http.fetch({ url: site.url, timeoutMs: 30_000, maxBytes: 100 }, signal))
  await expect.poll(() => counted.now).toBe(OF_ONE_KIND)
  const put = blobs.put(contents.slice(0, 8))
  await expect.poll(() => counted.now).toBe(OF_ONE_KIND + 1)
  const commands = [0, 1].map(() => sandbox.run('echo done', { timeoutMs: 60_000, signal }))
  await expect.poll(() => counted.now).toBe(PLATFORM_CONNECTIONS)
  for (const command of commands) {
    await expect.poll(() => counted.now).toBe(PLATFORM_CONNECTIONS)
    letNewestGo()
    expect(await command).toMatchObject({ exitCode: 0, stdout: 'done' })
  }
  // None of the others was answered meanwhile.
  expect(counted.now).toBe(OF_ONE_KIND + 1)
  await drained([put, ...slow], letOneGo)
  expect(counted).toMatchObject({ now: 0, most: PLATFORM_CONNECTIONS, all: 1 + 5 + 8 + 2 })
})

it('webhooks of a tenant and deletions of its contents together have no more connections than the platform lets wait', async () => {
  holdTimers()
  const { counted, connection, letOneGo } = platform()
  const site = await standIn(() => (response) => void connection().then(() => response.end('hello')))
  const open = openRequests()
  const http = outsideHttpOfObject(readConfig({ ...BINDINGS, DANGEROUSLY_ALLOW_HOSTS: site.host }), open)
  const bucket = { delete: connection } as unknown as R2Bucket // what contents are deleted by
  const deleter = blobDeleterR2(bucket, tenant, open.toStore)
  const { signal } = new AbortController()
  const sent = Array.from({ length: 8 }, () => http.fetch({ url: site.url, timeoutMs: 30_000, maxBytes: 100 }, signal))
  const deleted = Array.from({ length: 8 }, () => deleter.delete(['a']))
  await expect.poll(() => counted.now).toBe(PLATFORM_CONNECTIONS - 1)
  await drained([...sent, ...deleted], letOneGo)
  expect(counted).toMatchObject({ now: 0, most: PLATFORM_CONNECTIONS - 1, all: 16 })
})

it('a session asks the resolver once for a host that many of its requests go to', async () => {
  holdTimers()
  const queries: string[] = []
  const resolver = await standIn(({ url }) => {
    queries.push(url.searchParams.get('type') ?? '')
    const type = url.searchParams.get('type') === 'AAAA' ? 28 : 1
    return jsonAnswer({ Status: 0, Answer: [{ type, TTL: 60, data: type === 1 ? '10.0.0.1' : 'fd00::1' }] })
  })
  const { http } = outsidePorts(readConfig({ ...BINDINGS, DNS_RESOLVER_URL: resolver.url }), tenant)
  const { signal } = new AbortController()
  const ask = () => http.fetch({ url: 'http://inner.example.com/', timeoutMs: 30_000, maxBytes: 100 }, signal)
  const refused = { failure: { code: 'forbidden', message: expect.stringMatching(/private/) } }
  await Promise.all(Array.from({ length: 8 }, () => expect(ask()).rejects.toMatchObject(refused)))
  // What is remembered is judged as what was just looked up.
  await expect(ask()).rejects.toMatchObject(refused)
  expect(queries.sort()).toEqual(['A', 'AAAA'])
})

it('with DANGEROUSLY_SKIP_DNS_CHECK no look-up is sent, only the request itself; what is written as a private address stays refused', async () => {
  const resolver = await standIn(() => jsonAnswer({ Status: 0, Answer: [{ type: 1, TTL: 60, data: '10.0.0.1' }] }))
  const sent: string[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    sent.push(String(input instanceof Request ? input.url : input))
    return new Response('hello')
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const config = readConfig({ ...BINDINGS, DNS_RESOLVER_URL: resolver.url, DANGEROUSLY_SKIP_DNS_CHECK: 'true' })
  const { http } = outsidePorts(config, tenant)
  const ask = (url: string) => http.fetch({ url, timeoutMs: 30_000, maxBytes: 100 }, new AbortController().signal)
  expect(new TextDecoder().decode((await ask('http://inner.example.com/')).body)).toBe('hello')
  expect(sent).toEqual(['http://inner.example.com/'])
  await expect(ask('http://10.0.0.1/')).rejects.toMatchObject({ failure: { code: 'forbidden' } })
  expect(resolver.requests).toEqual([])
  expect(sent).toHaveLength(1)
})

it('a request whose time is over while others keep it waiting was never sent, and says so', async () => {
  const { counted, connection, letOneGo } = platform()
  const site = await standIn(() => (response) => void connection().then(() => response.end('hello')))
  const config = readConfig({ ...BINDINGS, DANGEROUSLY_ALLOW_HOSTS: site.host })
  const { http } = outsidePorts(config, tenant)
  const { signal } = new AbortController()
  const ask = (timeoutMs: number) => http.fetch({ url: site.url, timeoutMs, maxBytes: 100 }, signal)
  const slow = Array.from({ length: OF_ONE_KIND }, () => ask(60_000))
  await expect.poll(() => counted.now).toBe(OF_ONE_KIND)
  const error = await ask(20).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ failure: { code: 'timeout', message: expect.stringMatching(/was not asked/) } })
  expect(error).not.toBeInstanceOf(UnansweredError)
  await drained(slow, letOneGo)
  expect(counted.all).toBe(OF_ONE_KIND)
})
