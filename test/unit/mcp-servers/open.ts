import { guardedHttp } from '../../../src/adapters/http-guarded.ts'
import { mcpServers } from '../../../src/adapters/mcp/mcp-servers.ts'
import type { Result } from '../../../src/core/outcome.ts'
import type { LivePiece } from '../../../src/ports/runner.ts'
import { outermost } from '../../../src/registry/chain/budget.ts'
import { SessionCircuits } from '../../../src/session/circuits.ts'
import { execute } from '../../../src/tools/registered/execute.ts'
import { NO_TOOLBOX } from '../../support/no-toolbox.ts'
import { openV1 } from '../http/v1/open.ts'

export interface ShownTool {
  readonly name: string
  readonly id: string | null
  readonly state: string
  readonly description: string | null
  readonly pin: string | null
  readonly why: string | null
  readonly changes: readonly { readonly field: string; readonly before: string; readonly after: string }[] | null
}

/** `/v1/mcp-servers` of a tenant in memory, over the real client and the guarded way out, and one session that calls its tools. */
export function openServers(hosts: readonly string[], secrets: Readonly<Record<string, string>> = {}) {
  let now = Date.now()
  // It stands still, so that a busy machine ends no exchange.
  const clock = { now: () => now }
  const http = guardedHttp({ policy: { extraPorts: [], dangerouslyAllowHosts: hosts }, resolve: null, send: fetch })
  const v1 = openV1({ mcpServers: mcpServers({ http, clock }), tools: [], toolkits: [] })
  const ports = {
    circuits: new SessionCircuits(clock.now),
    clock,
    http,
    mcpServers: mcpServers({ http, clock }),
    secrets: async (name: string) => secrets[name] ?? null,
    python: { call: () => Promise.reject(new Error('no Python here')) },
    toolbox: NO_TOOLBOX,
  }
  const toolsOf = ({ tools }: Record<string, unknown>) => tools as readonly ShownTool[]
  return {
    ...v1,
    /** Lets time pass for the session's memory of servers. */
    later(ms: number) {
      now += ms
    },
    async add(server: object) {
      for (const [name, value] of Object.entries(secrets)) await v1.tenant.secrets.put(name, value)
      return v1.call('POST', '/v1/mcp-servers', server)
    },
    toolsOf,
    tool: (body: Record<string, unknown>, name: string) => toolsOf(body).find((tool) => tool.name === name),
    /** Calls a registered tool as a session does. */
    async run(
      id: string,
      args: Record<string, unknown> = {},
      signal = new AbortController().signal,
      live: ((piece: LivePiece) => void) | null = null,
    ): Promise<Result> {
      const { definition } = await v1.tenant.tools.find(id)
      const call = { definition, args, context: {}, used: () => undefined, nesting: outermost() }
      return execute({ ...call, ...(live && { live }) }, ports, signal)
    },
    /** Ends what servers keep for the session, as its own end does. */
    end: () => ports.mcpServers.end(),
  }
}
