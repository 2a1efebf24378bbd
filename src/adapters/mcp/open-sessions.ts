import { MAX_OPEN_MCP_SESSIONS, MCP_END_MS } from '../../core/limits/mcp-servers.ts'
import type { Http } from '../../ports/http.ts'
import type { McpAddress } from '../../ports/mcp-servers.ts'

/** Session that a server of an older revision keeps. */
export interface OlderSession {
  readonly id: string
  readonly revision: string
}

/**
 * Sessions that older servers keep for us, the one used last at the end. They are in memory alone, with the credentials that end them: what
 * is not known any more is left to its server, which ends it some day.
 */
export class OpenSessions {
  readonly #http: Pick<Http, 'open'>
  readonly #open = new Map<string, { readonly address: McpAddress; readonly session: OlderSession }>()
  #isOver = false

  constructor(http: Pick<Http, 'open'>) {
    this.#http = http
  }

  /** Notes that an exchange with a server has ended, which used its session. */
  async used(address: McpAddress, session: OlderSession): Promise<void> {
    // A call that was cancelled because all ends here, ends after it.
    if (this.#isOver) return endSession(this.#http, address, session)
    const key = keyOf(address, session)
    this.#open.delete(key)
    this.#open.set(key, { address, session })
    const [oldest] = this.#open.keys()
    if (this.#open.size > MAX_OPEN_MCP_SESSIONS && oldest !== undefined) this.#open.delete(oldest)
  }

  /** Notes that a server has no such session any more. */
  gone(address: McpAddress, session: OlderSession): void {
    this.#open.delete(keyOf(address, session))
  }

  /** Ends all of them at once, each within MCP_END_MS. Never rejects. */
  async end(): Promise<void> {
    this.#isOver = true
    const open = [...this.#open.values()]
    this.#open.clear()
    await Promise.all(open.map(({ address, session }) => endSession(this.#http, address, session)))
  }
}

const keyOf = ({ url }: McpAddress, { id }: OlderSession) => `${id} ${url}`

/** Ends a session, if its server does so in time. Never rejects. */
async function endSession(http: Pick<Http, 'open'>, { url, headers }: McpAddress, session: OlderSession) {
  const { id, revision } = session
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const version = revision === '' ? {} : { 'mcp-protocol-version': revision }
  const request = {
    ...{ url, method: 'DELETE', headers: { ...Object.fromEntries(own), 'mcp-session-id': id, ...version } },
    ...{ timeoutMs: MCP_END_MS, maxBytes: 1_024, maxRedirects: 0 },
  }
  try {
    const { body } = await http.open(request, new AbortController().signal)
    await body.cancel()
  } catch {
    // The server keeps it until it ends it by itself.
  }
}
