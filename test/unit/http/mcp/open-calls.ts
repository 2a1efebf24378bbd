import { createMcpHandler } from '@modelcontextprotocol/server'
import { type SessionName, sessionName } from '../../../../src/core/ids.ts'
import type { Services } from '../../../../src/http/dialect.ts'
import type { Endpoint } from '../../../../src/http/dialects/mcp/context.ts'
import { TASKS } from '../../../../src/http/dialects/mcp/server/calls/tasks.ts'
import { makeServer } from '../../../../src/http/dialects/mcp/server/server.ts'
import type { SessionApi } from '../../../../src/session/api.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import type { Sandboxd } from '../../../support/sandboxd.ts'
import { sessionBench } from '../../../support/session-bench.ts'
import { openTenant } from '../../tenant/open.ts'

const META = 'io.modelcontextprotocol'
export const WITH_TASKS = { extensions: { [TASKS]: {} } }
export const WITH_FORMS = { ...WITH_TASKS, elicitation: {} }

export interface Answer {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: the form of a result depends on its method, and tests say what they expect
  readonly result?: any
  readonly error?: { readonly code: number; readonly data?: unknown }
}

/** The MCP server over real sessions in plain Node, and requests to it as they are on the wire. */
export function openCalls(
  sandboxd = { url: 'http://127.0.0.1:9' } as Sandboxd,
  /** Before it calls reach no session. */
  open: Promise<unknown> = Promise.resolve(),
) {
  const benches = new Map<string, ReturnType<typeof sessionBench>>()
  const begun: string[] = []
  const wentOn: Promise<unknown>[] = []
  const benchOf = (name: string) => {
    const bench = benches.get(name) ?? sessionBench(sandboxd, { name })
    benches.set(name, bench)
    return bench
  }
  const session = (name: SessionName): Partial<SessionApi> => {
    const bench = benchOf(name)
    return {
      call: (call, by) => open.then(() => bench.session.call(call, by)),
      begin: (call, by) => {
        begun.push(call.tool)
        return bench.session.begin(call, by).begun
      },
      calls: bench.session.calls as unknown as SessionApi['calls'], // methods that answer at once will do
      people: bench.session.people as unknown as SessionApi['people'],
    }
  }
  const services = {
    ...{ tools: catalog.list(), toolkits: catalog.toolkits(), tenant: openTenant().tenant, session },
    ...{ registeredTools: async () => ({ tools: [] }), key: 'k', mayAdmin: false, now: () => Date.now() },
  } as unknown as Services // no more of them is asked for
  const handlerOf = (bound: string | null) =>
    createMcpHandler(
      ({ era }) =>
        makeServer({
          endpoint: { session: bound === null ? null : sessionName(bound), tools: { kind: 'all' } } satisfies Endpoint,
          ...{ era, services, usualSession: sessionName('usual'), origin: 'http://localhost:8001' },
          goOn: (work) => void wentOn.push(work),
        }),
      { responseMode: 'sse', keepAliveMs: 100 },
    )
  let id = 0

  /** Sends a request of 2026-07-28. @returns its messages as they come */
  async function send(
    method: string,
    params: Readonly<Record<string, unknown>>,
    { capabilities = {}, token, bound = null }: Sent = {},
  ) {
    const name = params.name ?? params.taskId
    const request = new Request('http://localhost:8001/mcp', {
      method: 'POST',
      headers: {
        ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        ...{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method },
        ...(typeof name === 'string' && { 'Mcp-Name': name }),
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: ++id, method },
        params: {
          ...params,
          _meta: {
            ...{ [`${META}/protocolVersion`]: '2026-07-28', [`${META}/clientCapabilities`]: capabilities },
            ...(token !== undefined && { progressToken: token }),
          },
        },
      }),
    })
    return handlerOf(bound).fetch(request)
  }

  /** Sends a request, and waits for its end. */
  async function ask(method: string, params: Readonly<Record<string, unknown>>, sent: Sent = {}) {
    const messages = messagesIn(await (await send(method, params, sent)).text())
    const last = messages.at(-1) ?? {}
    return { ...last, notified: messages.filter((message) => message.method === 'notifications/progress') }
  }

  const call = (name: string, args: Readonly<Record<string, unknown>>, sent?: Sent) =>
    ask('tools/call', { name, arguments: args }, sent)

  return { benchOf, begun, wentOn, services, send, ask, call }
}

interface Sent {
  readonly capabilities?: object
  readonly token?: string
  /** Session that the address binds. */
  readonly bound?: string | null
}

export const messagesIn = (text: string): Answer[] =>
  text.startsWith('{')
    ? [JSON.parse(text)]
    : text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
