import { readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import { failureWith } from '../../../../src/core/failure.ts'
import { type SessionName, sessionName, tenantId } from '../../../../src/core/ids.ts'
import type { Outcome } from '../../../../src/core/outcome.ts'
import type { SentCall } from '../../../../src/core/packed-call.ts'
import type { Services } from '../../../../src/http/dialect.ts'
import type { Endpoint, McpContext } from '../../../../src/http/dialects/mcp/context.ts'
import { makeServer } from '../../../../src/http/dialects/mcp/server/server.ts'
import { TenantToolCache } from '../../../../src/http/tenant-tools.ts'
import { ToolFinder } from '../../../../src/http/tool-finder.ts'
import type { ToolDefinition } from '../../../../src/registry/definition.ts'
import { ToolDefinition as Definition } from '../../../../src/registry/definition.ts'
import { Neighbours } from '../../../../src/retrieval/neighbours.ts'
import type { SessionApi } from '../../../../src/session/api.ts'
import type { Caller } from '../../../../src/tenant/api.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import type { Sandboxd } from '../../../support/sandboxd.ts'
import { sessionBench } from '../../../support/session-bench.ts'
import { openTenant } from '../../tenant/open.ts'

export type Era = McpContext['era']

const table = new Neighbours(Uint8Array.from(readFileSync('src/assets/neighbours.bin')).buffer)
const newFinder = () => new ToolFinder(async () => table)

/** Sessions of the core, which have to be made before they take calls. Their tools need no sandbox. */
class Sessions {
  readonly made = new Map<string, ReturnType<typeof sessionBench>>()
  /** Calls that reached a session, and the session of each. */
  readonly calls: { readonly session: string; readonly call: SentCall }[] = []
  /** In place of a call, where it is set. */
  answer: ((call: SentCall) => Outcome) | null = null

  of(name: string): Partial<SessionApi> {
    const session = () => this.made.get(name)?.session
    return {
      create: async () => {
        this.made.set(name, sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd, { name }))
        return { created: true, info: { name, nodeId: 'n', title: name, requirements: [], createdAt: 0 } }
      },
      call: async (call: SentCall, by?: Caller): Promise<Outcome> => {
        const there = session()
        if (!there) return { kind: 'refused', failure: failureWith('session_not_found', 'there is no such session') }
        this.calls.push({ session: name, call })
        return this.answer?.(call) ?? there.call(call, by)
      },
      get calls() {
        return session()?.calls as unknown as SessionApi['calls'] // methods that answer at once will do
      },
    }
  }
}

/** The MCP server over a tenant in memory, and clients of it. */
export function openMcp(more: Partial<Services> = {}) {
  const opened = openTenant()
  const sessions = new Sessions()
  const cache = new TenantToolCache({ shared: newFinder(), newFinder, semantics: null })
  const reported: unknown[] = []
  const services = {
    tools: catalog.list(),
    toolkits: catalog.toolkits(),
    tenant: opened.tenant,
    registeredTools: () => cache.of(tenantId('acme'), opened.tenant.tools),
    session: (name: SessionName) => sessions.of(name),
    key: 'k',
    mayAdmin: false,
    now: () => Date.now(),
    ...more,
  } as unknown as Services // no more of them is asked for

  const handlerOf = (endpoint: Endpoint) =>
    createMcpHandler(({ era }) =>
      makeServer({
        ...{ era, endpoint, services, usualSession: sessionName('usual'), origin: 'http://localhost:8001' },
        goOn: (work) => void work,
        report: (thrown) => reported.push(thrown),
      }),
    )

  /** A client of the SDK, which speaks the revisions of one era. */
  async function client(era: Era, tools: Endpoint['tools'] = { kind: 'core' }, session: string | null = null) {
    const handler = handlerOf({ tools, session: session === null ? null : sessionName(session) })
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' } },
    )
    const fetch = async (url: URL | string, init?: RequestInit) => handler.fetch(new Request(url, init))
    await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost:8001/mcp'), { fetch }))
    onTestFinished(() => client.close())
    return client
  }

  async function register(id: string, given: Partial<ToolDefinition> = {}) {
    const definition = Definition.parse({
      ...{ id, name: `The ${id}`, description: 'Predicts the wind over a lake. Takes a while.' },
      ...{ input_schema: { type: 'object', properties: { lake: { type: 'string' } } } },
      ...{ executor: { kind: 'http', target: 'https://service.example/do' }, ...given },
    })
    await opened.tenant.tools.change([{ op: 'put', definition }], { key: null, agent: null })
  }

  return { ...opened, sessions, services, reported, client, register }
}

/** Texts of a result, one under the other. */
export const textOf = (result: unknown): string =>
  (result as { content: { type: string; text?: string }[] }).content
    .flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
    .join('\n')
