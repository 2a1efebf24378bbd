import { DurableObject } from 'cloudflare:workers'
import type { Principal } from '../auth/principal.ts'
import { readConfig } from '../config.ts'
import {
  CONNECTION_IDLE_MS,
  CONNECTION_REST_MS,
  CONNECTION_TOUCH_MS,
  MAX_MCP_CONNECTIONS,
} from '../core/limits/connections.ts'
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
import { ConnectionList, connectionListName } from './connection-list.ts'
import { storedUris } from './stored-uris.ts'

/** Connection as it is stored: what its `initialize` agreed on, and whose it is. */
interface Stored {
  readonly id: string
  /** Absent in connections of earlier versions, which are in no list. */
  readonly tenant?: string
  /** Public part of the key that made it; null for the open tenant. */
  readonly key: string | null
  readonly endpoint: Endpoint
  readonly origin: string
  /** Body of `initialize`. */
  readonly initialize: string
}

/** Origin of the calls: a connection's services serve many requests. */
const ORIGIN = { dialect: 'mcp', requestId: null, trace: null }

/**
 * Durable Object of one connection of an MCP client of 2025-11-25 or older, named `<tenant>/<Mcp-Session-Id>`; and, named `<tenant>/list`, of
 * the list of a tenant's connections, which is needed when one begins or ends, and not between.
 */
export class ConnectionObject extends DurableObject<Env> {
  readonly #config = readConfig(this.env)
  readonly #servicesOf = createServices(this.#config)
  readonly #list = new ConnectionList({
    storage: this.ctx.storage,
    endResting: (name) => this.#config.connections.getByName(name).endResting(),
    end: (name) => this.#config.connections.getByName(name).end(),
  })
  #stored: Stored | null = null
  #hasEnded = false
  #connection: Promise<Connection> | null = null
  #services: { readonly of: string; readonly services: Services } | null = null
  #usedAt = 0
  /** Time of the last use that is stored. */
  #storedUse = 0
  #openRequests = 0

  override async fetch(request: Request): Promise<Response> {
    const handed = request.headers.get(HANDOVER)
    if (handed === null) throw new Error('a connection is asked by the front alone')
    const handover = decodeHandover(handed)
    const id = request.headers.get('Mcp-Session-Id') ?? ''
    const text = request.method === 'POST' ? await request.text() : null
    const stored = (await this.#kept()) ?? (await this.#begin(id, handover, text))
    if (stored === 'refused')
      return rpcError(429, SERVER_ERROR, TOO_MANY, { 'Retry-After': `${CONNECTION_REST_MS / 1_000}` })
    if (!stored || stored.key !== handover.principal.keyId) return connectionNotFound()
    if (!isSameEndpoint(stored.endpoint, handover.endpoint)) {
      return rpcError(400, SERVER_ERROR, 'Bad Request: this session was begun at another address; use the same one')
    }
    await this.#touch()
    // Another request may have ended it meanwhile.
    if (this.#hasEnded) return connectionNotFound()
    if (handover.isLook) return new Response(null, { status: 204 })
    this.#use(handover)
    this.#connection ??= this.#open(stored, handover.principal, text).catch((thrown) => {
      this.#connection = null
      throw thrown
    })
    const connection = await this.#connection
    const answer = await connection.serve(request, text)
    if (request.method === 'DELETE' && answer.ok) await this.#leave()
    return this.#watched(answer)
  }

  /** Adds a connection, by its object's name, to the list that this object is. @returns false where there is no room */
  enter(name: string): Promise<boolean> {
    return this.#list.add(name)
  }

  /** Takes an ended connection off the list that this object is. */
  leave(name: string): Promise<void> {
    return this.#list.remove(name)
  }

  /** Ends some of the connections of the list that this object is, as their tenant is deleted. @returns whether there are more */
  endSome(): Promise<boolean> {
    return this.#list.endSome()
  }

  /** Ends this connection. */
  end(): Promise<void> {
    return this.#end()
  }

  /** Ends this connection if it rests. @returns milliseconds since 1970 of its last use where it does not; null where it has ended */
  async endResting(): Promise<number | null> {
    if (!(await this.#kept())) return null
    const usedAt = await this.#lastUse()
    if (Date.now() - usedAt < CONNECTION_REST_MS) return usedAt
    await this.#end()
    return null
  }

  /** Ends a connection that nobody used for CONNECTION_IDLE_MS. */
  override async alarm(): Promise<void> {
    const endsAt = (await this.#lastUse()) + CONNECTION_IDLE_MS
    if (endsAt > Date.now()) await this.ctx.storage.setAlarm(endsAt)
    else await this.#leave()
  }

  /** Maker of servers: tests have one of their own. */
  protected async makeServer(): Promise<MakeServer> {
    return (await import('../http/dialects/mcp/lazy.ts')).makeServer
  }

  /** The connection as it is stored; null before it began, and after its end. */
  async #kept(): Promise<Stored | null> {
    if (this.#hasEnded) return null
    this.#stored ??= (await this.ctx.storage.get<Stored>(STORED)) ?? null
    return this.#hasEnded ? null : this.#stored
  }

  /** Stores a new connection, if this is its `initialize` and the tenant has room for it. */
  async #begin(
    id: string,
    { principal, endpoint, origin }: Handover,
    text: string | null,
  ): Promise<Stored | 'refused' | null> {
    if (text === null || methodOf(JSON.parse(text)) !== 'initialize') return null
    const { tenant, keyId: key } = principal
    // A list that cannot be had keeps nobody out.
    if (
      !(await this.#listOf(tenant)
        .enter(`${tenant}/${id}`)
        .catch(() => true))
    )
      return 'refused'
    const stored: Stored = { id, tenant, key, endpoint, origin, initialize: text }
    await this.ctx.storage.put(STORED, stored)
    await this.ctx.storage.setAlarm(Date.now() + CONNECTION_IDLE_MS)
    this.#stored = stored
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
    if (this.#services?.of !== of)
      this.#services = { of, services: this.#servicesOf(principal, UNCOUNTED, null, ORIGIN) }
  }

  #current(): Services {
    if (!this.#services) throw new Error('a connection has no services before its first request')
    return this.#services.services
  }

  async #touch(): Promise<void> {
    this.#usedAt = Date.now()
    if (this.#hasEnded || this.#usedAt - this.#storedUse < CONNECTION_TOUCH_MS) return
    this.#storedUse = this.#usedAt
    await this.ctx.storage.put(USED_AT, this.#storedUse)
  }

  /** Time of the last use; now during a request. */
  async #lastUse(): Promise<number> {
    if (this.#openRequests > 0) return Date.now()
    return Math.max(this.#usedAt, (await this.ctx.storage.get<number>(USED_AT)) ?? 0)
  }

  /** Ends the connection, and has it taken off the list of its tenant. */
  async #leave(): Promise<void> {
    const stored = await this.#kept()
    await this.#end()
    // Where this fails, the list finds out when it looks for room.
    if (stored?.tenant === undefined) return
    const { tenant, id } = stored
    await this.#listOf(tenant)
      .leave(`${tenant}/${id}`)
      .catch(() => undefined)
  }

  #listOf(tenant: string) {
    return this.#config.connections.getByName(connectionListName(tenant))
  }

  async #end(): Promise<void> {
    this.#hasEnded = true
    this.#stored = null
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

const TOO_MANY = `${MAX_MCP_CONNECTIONS} connections of older revisions are in use (MAX_MCP_CONNECTIONS); end some by DELETE with their Mcp-Session-Id, try again in a minute, or speak 2026-07-28, which has none`

const isSameEndpoint = (one: Endpoint, other: Endpoint) => JSON.stringify(one) === JSON.stringify(other)
