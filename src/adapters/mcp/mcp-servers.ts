import { FailureError } from '../../core/failure.ts'
import {
  MAX_MCP_FRESH_MS,
  MAX_REMEMBERED_MCP_SERVERS,
  MCP_FRESH_MS,
  MCP_LISTING_MS,
  MCP_LOOK_AGAIN_MS,
  MIN_MCP_FRESH_MS,
} from '../../core/limits/mcp-servers.ts'
import { mcpPin } from '../../core/mcp-pin.ts'
import { sha256 } from '../../core/sha256.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Http } from '../../ports/http.ts'
import type { McpAddress, McpServers } from '../../ports/mcp-servers.ts'
import type { Known } from './connection.ts'
import { fieldsOf } from './exchange.ts'
import { OpenSessions } from './open-sessions.ts'

interface Parts {
  readonly http: Pick<Http, 'open'>
  readonly clock: Clock
}

/** Memory of a server. */
interface Remembered {
  known: Known | null
  /** Pins by the names of tools; times are milliseconds since 1970. */
  pins: { readonly byName: ReadonlyMap<string, string>; readonly readAt: number; readonly until: number } | null
}

/**
 * {@link McpServers} over the official client, which is loaded at the first use. Revision, session and pins of each server are
 * remembered by its address and credentials for as long as this object lives: one for each session of ours.
 */
export function mcpServers({ http, clock }: Parts): McpServers {
  const { now } = clock
  const servers = new Map<string, Remembered>()
  const sessions = new OpenSessions(http)
  let exchanges = 0
  const around = (address: McpAddress, known: Known | null, open = sessions) => ({
    ...{ http, now, address, known, sessions: open },
    number: exchanges++,
  })

  function remembered({ url, headers }: McpAddress): Remembered {
    // A hash, since the headers have secrets.
    const key = sha256(JSON.stringify([url, headers]))
    const found = servers.get(key) ?? { known: null, pins: null }
    servers.delete(key)
    servers.set(key, found)
    const [oldest] = servers.keys()
    if (servers.size > MAX_REMEMBERED_MCP_SERVERS && oldest !== undefined) servers.delete(oldest)
    return found
  }

  /** Does work with what is known of a server, once more where its session is gone. */
  async function using<T>(
    server: Remembered,
    signal: AbortSignal,
    work: (known: Known | null) => Promise<{ readonly answer: T; readonly known: Known }>,
  ): Promise<T> {
    const { SessionGone } = await import('./connection.ts')
    const { known: before } = server
    try {
      const { answer, known } = await work(before)
      server.known = known
      return answer
    } catch (thrown) {
      if (server.known === before && !(signal.aborted || isOfTheCall(thrown))) server.known = null
      if (!(thrown instanceof SessionGone)) throw thrown
    }
    const { answer, known } = await work(null)
    server.known = known
    return answer
  }

  return {
    async list(address, signal) {
      const { listTools } = await import('./connection.ts')
      const own = new OpenSessions(http)
      try {
        return (await listTools(around(address, null, own), signal, MCP_LISTING_MS)).answer
      } finally {
        await own.end()
      }
    },

    async pinOf(address, { tool, expected, timeoutMs }, signal) {
      const server = remembered(address)
      if (server.pins && server.pins.until > now()) {
        const pin = server.pins.byName.get(tool) ?? null
        if (pin === expected || server.pins.readAt + MCP_LOOK_AGAIN_MS > now()) return pin
      }
      const { listTools } = await import('./connection.ts')
      const { tools, ttlMs } = await using(server, signal, (known) =>
        listTools(around(address, known), signal, timeoutMs),
      )
      const byName = new Map<string, string>()
      for (const tool of tools) {
        const fields = fieldsOf(tool)
        // The first of a name is the one that a list of tools takes.
        if (typeof fields.name === 'string' && !byName.has(fields.name)) byName.set(fields.name, mcpPin(fields))
      }
      const freshMs = Math.min(MAX_MCP_FRESH_MS, Math.max(MIN_MCP_FRESH_MS, ttlMs ?? MCP_FRESH_MS))
      server.pins = { byName, readAt: now(), until: now() + freshMs }
      return byName.get(tool) ?? null
    },

    async call(address, call, signal) {
      const { callTool } = await import('./connection.ts')
      return using(remembered(address), signal, (known) => callTool(around(address, known), call, signal))
    },

    end: () => sessions.end(),
  }
}

/** Whether a failure is of the one call, and says nothing against the session in which it was made. */
const isOfTheCall = (thrown: unknown) =>
  thrown instanceof FailureError &&
  (thrown.failure.code === 'invalid_input' || thrown.failure.code === 'limit_exceeded')
