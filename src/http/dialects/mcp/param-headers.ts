import { isObject } from '../../../core/json-object.ts'
import type { Schema } from './server/tools/offered-tool.ts'

/** JSON-RPC code of headers that do not say what the body says. */
const HEADER_MISMATCH = -32020
const PREFIX = 'Mcp-Param-'

/** Argument that a tool wants repeated in a header, by `x-mcp-header` in its schema. */
interface Declared {
  readonly path: readonly string[]
  readonly header: string
  readonly isNumber: boolean
}

/**
 * Refusal of a call of 2026-07-28 whose headers `Mcp-Param-…` do not repeat its arguments, as its tool wants them to: what is between its client
 * and here may have decided by the headers. Null for any other.
 * @param schema of the tool's arguments; null where there is none
 */
export function paramMismatch(headers: Headers, body: unknown, schema: Schema | null): Response | null {
  const { id, params } = body as { readonly id?: unknown; readonly params?: { readonly arguments?: unknown } }
  for (const { path, header, isNumber } of schema ? declaredIn(schema) : []) {
    const value = path.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), params?.arguments)
    const text = asText(value)
    if (text === null) continue
    const name = `${PREFIX}${header}`
    const sent = headers.get(name)
    const argument = path.join('.')
    if (sent === null) return refusal(id, `the header ${name} is missing; repeat the argument ${argument} in it`)
    const decoded = decode(sent)
    if (decoded === null) return refusal(id, `the header ${name} is not the base64 of UTF-8 that it says it is`)
    const isSame = isNumber && DECIMAL.test(decoded) ? Number(decoded) === value : decoded === text
    if (!isSame) return refusal(id, `the header ${name} differs from the argument ${argument}; make them the same`)
  }
  return null
}

const refusal = (id: unknown, message: string) =>
  Response.json(
    { jsonrpc: '2.0', id, error: { code: HEADER_MISMATCH, message: `Bad Request: ${message}` } },
    { status: 400 },
  )

const declarations = new WeakMap<Schema, readonly Declared[]>()

/** Arguments that a schema wants repeated; none where the schema breaks a rule for them, for which clients drop the tool. */
function declaredIn(schema: Schema): readonly Declared[] {
  let found = declarations.get(schema)
  if (found === undefined) {
    const all = [...walk(schema, [])]
    const names = new Set(all.map((one) => one?.header.toLowerCase()))
    found = names.size === all.length && !names.has(undefined) ? all.filter((one) => one !== null) : []
    declarations.set(schema, found)
  }
  return found
}

/** Declarations of all properties, at any depth; null for one that is none. */
function* walk(schema: Schema, path: readonly string[]): Generator<Declared | null> {
  for (const [key, property] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    if (!isObject(property)) continue
    const here = [...path, key]
    const { 'x-mcp-header': header, type } = property
    if (header !== undefined) {
      const isRight = typeof header === 'string' && TOKEN.test(header) && PRIMITIVES.has(type)
      yield isRight ? { path: here, header, isNumber: type === 'integer' || type === 'number' } : null
    }
    yield* walk(property, here)
  }
}

const PRIMITIVES: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean'])
const TOKEN = /^[\w!#$%&'*+\-.^`|~]+$/
const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** An argument as its header has it; null where none is wanted. */
function asText(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return `${value}`
  const isWritten = typeof value === 'number' && Number.isFinite(value)
  return isWritten && (Number.isSafeInteger(value) || !Number.isInteger(value)) ? `${value}` : null
}

/** A header's value, which is in base64 where it is not ASCII; null where that is broken. */
function decode(sent: string): string | null {
  if (!sent.startsWith('=?base64?') || !sent.endsWith('?=')) return sent
  const base64 = sent.slice('=?base64?'.length, -'?='.length)
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return null
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
