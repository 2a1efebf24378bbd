import { DurableObject } from 'cloudflare:workers'
import type { Principal } from '../auth/principal.ts'
import { readConfig } from '../config.ts'
import { CONNECTION_IDLE_MS, CONNECTION_TOUCH_MS } from '../core/limits/connections.ts'
import { UNCOUNTED } from '../http/admission/permit.ts'
import type { Services } from '../http/dialect.ts'
import type { Endpoint, MakeServer } from '../http/dialects/mcp/context.ts'
import { rpcError, SERVER_ERROR } from '../http/dialects/mcp/errors.ts'
import type { Connection } from '../http/dialects/mcp/legacy/connection.ts'
import { connectionNotFound } from '../http/dialects/mcp/legacy/front.ts'
import { decodeHandover, HANDOVER, type Handover } from '../http/dialects/mcp/legacy/handover.ts'
import { methodOf } from '../http/dialects/mcp/scope.ts'
import { withEnd } from '../http/dialects/mcp/stream-end.ts'
import { connectionSession } from '../http/dialects/mcp/usual-session.ts'
import { createServices } from '../services.ts'
import { storedUris } from './stored-uris.ts'

/** Connection as it is stored: what its `initialize` agreed on, and whose it is. */
interface Stored {
  readonly id: string
  /** Public part of the key that made it; null for the open tenant. */
  readonly key: string | null
  readonly endpoint: Endpoint
  readonly origin: string
  /** Body of `initialize`. */
  readonly initialize: string
}

/** Durable Object of one connection of an MCP client of 2025-11-25 or older, named `<tenant>/<Mcp-Session-Id>`. */
export class ConnectionObject extends DurableObject<Env> {
  readonly #servicesOf = createServices(readConfig(this.env))
  #connection: Promise<Connection> | null = null
  #services: { readonly of: string; readonly services: Services } | null = null
  #usedAt = 0
  #openRequests = 0

  override async fetch(request: Request): Promise<Response> {
    const handed = request.headers.get(HANDOVER)
    if (handed === null) throw new Error('a connection is asked by the front alone')
    const handover = decodeHandover(handed)
    const id = request.headers.get('Mcp-Session-Id') ?? ''
    const text = request.method === 'POST' ? await request.text() : null
    const stored = (await this.ctx.storage.get<Stored>(STORED)) ?? (await this.#begin(id, handover, text))
    if (!stored || stored.key !== handover.principal.keyId) return connectionNotFound()
    if (!isSameEndpoint(stored.endpoint, handover.endpoint)) {
      return rpcError(400, SERVER_ERROR, 'Bad Request: this session was begun at another address; use the same one')
    }
    this.#use(handover)
    this.#connection ??= this.#open(stored, handover.principal, text).catch((thrown) => {
      this.#connection = null
      throw thrown
    })
    const connection = await this.#connection
    await this.#touch()
    const answer = await connection.serve(request, text)
    if (request.method === 'DELETE' && answer.ok) await this.#end()
    return this.#watched(answer)
  }

  /** Ends a connection that nobody used for CONNECTION_IDLE_MS. */
  override async alarm(): Promise<void> {
    const usedAt = Math.max(this.#usedAt, (await this.ctx.storage.get<number>(USED_AT)) ?? 0)
    const endsAt = (this.#openRequests > 0 ? Date.now() : usedAt) + CONNECTION_IDLE_MS
    if (endsAt > Date.now()) await this.ctx.storage.setAlarm(endsAt)
    else await this.#end()
  }

  /** Maker of servers: tests have one of their own. */
  protected async makeServer(): Promise<MakeServer> {
    return (await import('../http/dialects/mcp/lazy.ts')).makeServer
  }

  /** Stores a new connection, if this is its `initialize`. */
  async #begin(id: string, { principal, endpoint, origin }: Handover, text: string | null): Promise<Stored | null> {
    if (text === null || methodOf(JSON.parse(text)) !== 'initialize') return null
    const stored: Stored = { id, key: principal.keyId, endpoint, origin, initialize: text }
    await this.ctx.storage.put(STORED, stored)
    await this.ctx.storage.setAlarm(Date.now() + CONNECTION_IDLE_MS)
    return stored
  }

  async #open(stored: Stored, { restrictions }: Principal, text: string | null): Promise<Connection> {
    const { id, endpoint, origin, initialize } = stored
    const { Connection } = await import('../http/dialects/mcp/lazy.ts')
    const parts = {
      id,
      endpoint,
      origin,
      usualSession: connectionSession(id, restrictions),
      services: () => this.#current(),
      goOn: (work: Promise<unknown>) => this.ctx.waitUntil(work),
      makeServer: await this.makeServer(),
      uris: storedUris(this.ctx.storage),
    }
    return text === initialize ? Connection.open(parts) : Connection.restore(parts, initialize)
  }

  /** Has services be those of the caller of this request; the key is the same one, and its rights may be others by now. */
  #use({ principal }: Handover): void {
    const of = JSON.stringify(principal)
    if (this.#services?.of !== of) this.#services = { of, services: this.#servicesOf(principal, UNCOUNTED) }
  }

  #current(): Services {
    if (!this.#services) throw new Error('a connection has no services before its first request')
    return this.#services.services
  }

  async #touch(): Promise<void> {
    const now = Date.now()
    if (now - this.#usedAt < CONNECTION_TOUCH_MS) return
    this.#usedAt = now
    await this.ctx.storage.put(USED_AT, now)
  }

  async #end(): Promise<void> {
    const connection = await this.#connection
    this.#connection = null
    await connection?.close()
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** The answer, during whose stream the connection does not end. */
  #watched(answer: Response): Response {
    this.#openRequests += 1
    return withEnd(answer, () => {
      this.#openRequests -= 1
      this.#usedAt = Date.now()
    })
  }
}

const STORED = 'connection'
const USED_AT = 'usedAt'

const isSameEndpoint = (one: Endpoint, other: Endpoint) => JSON.stringify(one) === JSON.stringify(other)
