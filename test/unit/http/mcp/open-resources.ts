import { Client } from '@modelcontextprotocol/client'
import { createMcpHandler, InMemoryTransport, Server } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import { FailureError } from '../../../../src/core/failure.ts'
import { sessionName } from '../../../../src/core/ids.ts'
import type { Endpoint, McpContext } from '../../../../src/http/dialects/mcp/context.ts'
import { KeptSubscriptions } from '../../../../src/http/dialects/mcp/legacy/kept-subscriptions.ts'
import { CACHE_HINTS } from '../../../../src/http/dialects/mcp/server/cache-hints.ts'
import { installPrompts } from '../../../../src/http/dialects/mcp/server/prompts/prompts.ts'
import { listeningTo } from '../../../../src/http/dialects/mcp/server/resources/listening.ts'
import { installResources } from '../../../../src/http/dialects/mcp/server/resources/resources.ts'
import type { Sandboxd } from '../../../support/sandboxd.ts'
import { sessionBench } from '../../../support/session-bench.ts'

/**
 * Server with resources and prompts alone, for a key that sees the sessions `s` and `not made`. `s` is a real one without a sandbox;
 * its WebSocket of commits is a stand-in, on which each change is told of.
 */
export function openResources({ bound = null, tools = { kind: 'core' } }: Opened = {}) {
  const { session } = sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd) // no sandbox is begun
  const sockets = new Set<FakeSocket>()
  const state = { isRemoved: false, sockets, looked: 0 }
  const seen = () => {
    if (state.isRemoved) missing()
  }
  const own = {
    files: {
      read: async (request: never) => session.files.read(request),
      list: async (request: never) => session.files.list(request),
    },
    calls: session.calls,
    watch: {
      commits: async (request: never) => {
        state.looked++
        seen()
        return session.watch.commits(request)
      },
    },
    fetch: async () => {
      seen()
      const socket = new FakeSocket(() => sockets.delete(socket))
      sockets.add(socket)
      return { status: 101, webSocket: socket }
    },
  }
  const absent = async () => missing()
  const unmade = {
    files: { read: absent, list: absent },
    calls: { find: absent },
    watch: { commits: absent },
    fetch: absent,
  }
  const services = {
    session: (name: string) => {
      if (name === 's') return own
      if (name === 'not made') return unmade
      throw new FailureError({ code: 'forbidden', message: 'this key is for the sessions s and not made' })
    },
    tenant: { sessions: { list: async () => ({ sessions: [{ name: 's' }, { name: 'not made' }] }) } },
  }
  const context = (era: McpContext['era']) =>
    ({
      era,
      endpoint: { session: bound === null ? null : sessionName(bound), tools },
      services,
      usualSession: sessionName('s'),
      origin: 'http://localhost:8001',
      goOn: () => {},
    }) as unknown as McpContext // no more of the services is asked for
  const serverOf = (given: McpContext) => {
    const server = new Server({ name: 'toolyard', version: '1' }, { cacheHints: CACHE_HINTS })
    installResources(server, given)
    installPrompts(server, given)
    return server
  }

  /** Answer to a request of 2026-07-28. */
  const fetch = async (method: string, params: Record<string, unknown> = {}) => {
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }
    const listening = await listeningTo(context('modern'), message, () => void handler.close())
    const handler = createMcpHandler(() => serverOf(context('modern')), {
      legacy: 'reject',
      ...(listening && { bus: listening.bus }),
    })
    const name = method === 'resources/read' ? params.uri : method === 'prompts/get' ? params.name : null
    const request = new Request('http://localhost:8001/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
        ...(typeof name === 'string' && { 'Mcp-Name': `=?base64?${Buffer.from(name).toString('base64')}?=` }),
      },
      body: JSON.stringify(message),
    })
    return handler.fetch(request, { parsedBody: listening?.body ?? message })
  }
  const ask = async (method: string, params: Record<string, unknown> = {}): Promise<Answer> =>
    (await (await fetch(method, params)).json()) as Answer

  /** A client of the older revisions, connected, and what it hears of. */
  const legacy = async () => {
    const updated: string[] = []
    const uris = new Set<string>()
    const subscriptions: KeptSubscriptions = new KeptSubscriptions({
      sight: context('legacy'),
      kept: {
        list: async () => [...uris],
        add: async (uri) => void uris.add(uri),
        remove: async (uri) => void uris.delete(uri),
      },
      changed: (uri) => void server.sendResourceUpdated({ uri }),
      ended: () => {},
    })
    const server = serverOf({ ...context('legacy'), subscriptions })
    const client = new Client({ name: 'test', version: '1' })
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri))
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    await Promise.all([server.connect(ours), client.connect(theirs)])
    subscriptions.open()
    onTestFinished(async () => {
      subscriptions.pause()
      await client.close()
    })
    return { client, updated, subscriptions, uris }
  }

  /** Tells those who watch of a commit. */
  const tell = () => {
    for (const socket of sockets) socket.dispatchEvent(new Event('message'))
  }
  const put = async (path: string, content: string | Uint8Array) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    await session.files.upload(path, bytes)
    tell()
  }
  const unpack = async (archive: Uint8Array) => {
    await session.files.unpack({ path: '', mode: 'merge', author: 'test' }, archive)
    tell()
  }
  /** Removes the session. */
  const remove = () => {
    state.isRemoved = true
    for (const socket of sockets) socket.close()
  }
  return { session, state, fetch, ask, legacy, put, unpack, remove }
}

interface Opened {
  readonly bound?: string | null
  readonly tools?: Endpoint['tools']
}

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

const missing = (): never => {
  throw new FailureError({ code: 'session_not_found', message: 'there is no such session' })
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The Worker's end of a WebSocket, as far as a watcher needs it. */
class FakeSocket extends EventTarget {
  readonly #closed: () => void

  constructor(closed: () => void) {
    super()
    this.#closed = closed
  }

  accept() {}

  close() {
    this.#closed()
    this.dispatchEvent(new Event('close'))
  }
}
