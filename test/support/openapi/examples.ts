import type { DocumentedOperation, OpenApi } from '../../../src/http/operations/document.ts'
import type { GuardedOperation } from '../../../src/http/operations/operation.ts'
import type { Route } from '../../../src/http/operations/route.ts'
import { newKey, newOwner } from '../tenants.ts'
import type { Toolyard } from '../toolyard.ts'
import { ADMIN_FIXTURES, type Ask, PUBLISHED, session, V1_FIXTURES } from './fixtures.ts'

/** A request, ready to be sent to a server. */
export interface Sendable {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** A server that examples are sent to, with the tenants that they need. */
export class ExampleServer {
  readonly #toolyard: Toolyard
  #publisher: Promise<string> | undefined

  constructor(toolyard: Toolyard) {
    this.#toolyard = toolyard
  }

  /** Prepares what the example of an operation needs. @returns its key, and parameters that nobody knew before */
  async prepare({ operation, path, credentials }: Route): Promise<Prepared> {
    const { adminToken } = this.#toolyard
    const isAdmin = path.startsWith('/admin/')
    const { by, prepare, body } = (isAdmin ? ADMIN_FIXTURES : V1_FIXTURES)[operation.id] ?? {}
    const isOwners = credentials[0] === 'owner'
    const publisher = operation.tag === 'marketplace' ? await this.#published() : null
    const key = isOwners ? adminToken : by === 'publisher' && publisher ? publisher : await this.#newKey()
    const ask = this.#askAs(key)
    if (isAdmin) {
      await this.send({ ...request('POST', '/admin/tenants', adminToken), body: DEV })
      // Generated requests of another operation may have disabled it.
      await this.send({ ...request('PATCH', '/admin/tenants/dev', adminToken), body: '{"disabled": false}' })
    }
    const { session: named, tenant } = operation.example.params ?? {}
    if (named !== undefined) {
      const itsKey = isOwners && tenant ? await newKey(this.#toolyard, tenant) : key
      await session(named).prepare?.(this.#askAs(itsKey))
    }
    return { key, params: (await prepare?.(ask)) ?? {}, ...(body && { body }) }
  }

  send({ method, path, headers, body }: Sendable): Promise<Response> {
    return fetch(this.#toolyard.url + path, { method, headers, ...(body !== undefined && { body }) })
  }

  #published(): Promise<string> {
    this.#publisher ??= this.#newKey().then(async (key) => {
      await PUBLISHED.prepare?.(this.#askAs(key))
      return key
    })
    return this.#publisher
  }

  async #newKey(): Promise<string> {
    return (await newOwner(this.#toolyard)).key
  }

  #askAs(key: string): Ask {
    return async (method, path, body) => {
      const response = await this.send({
        ...request(method, path, key),
        ...(body !== undefined && { body: textOf(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} is answered ${response.status}: ${text}`)
      return text === '' ? {} : JSON.parse(text)
    }
  }
}

export interface Prepared {
  readonly key: string
  readonly params: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
}

/** Tenant in the examples of the admin API. There may be one already. */
const DEV = JSON.stringify({ id: 'dev', name: 'Development' })

const request = (method: string, path: string, key: string) => ({
  method,
  path,
  headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
})

/** The example of an operation as a request. */
export function exampleOf({ method, path, operation }: Route, { key, params, body }: Prepared): Sendable {
  const { example } = operation
  const given = { ...example.params, ...params }
  const at = path.replace(/(?<=\/):(\w+)(?:\{[^}]*\})?/g, (_, name: string) => encodeURIComponent(given[name] ?? ''))
  const query = example.query ? `?${new URLSearchParams(example.query)}` : ''
  return {
    method: method.toUpperCase(),
    path: at + query,
    headers: { Authorization: `Bearer ${key}`, ...typeOf(operation), ...example.headers },
    ...(body ? { body } : example.body !== undefined && { body: textOf(example.body) }),
  }
}

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

function typeOf({ body }: GuardedOperation): Record<string, string> {
  if (body === undefined) return {}
  const [first] = [body].flat()
  const type = first && 'raw' in first ? String(first.raw) : 'application/json'
  return { 'Content-Type': type === '*/*' ? 'application/octet-stream' : type }
}

/** Operation of a route in its document. */
export const documentedOf = ({ paths }: OpenApi, { operation: { id } }: Route): DocumentedOperation => {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const found = operations.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`the document has no operation ${id}`)
  return found
}
