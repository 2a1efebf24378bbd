import type { Scope } from '../../../auth/principal.ts'

/** Methods that do something: a key that only reads may send all others. */
const EXECUTING: ReadonlySet<unknown> = new Set(['tools/call', 'tasks/update', 'tasks/cancel'])

/** Scope that a JSON-RPC message needs, or a batch of them. */
export const scopeOf = (body: unknown): Scope =>
  [body].flat().some((message) => EXECUTING.has(methodOf(message))) ? 'execute' : 'read'

/** Method of a JSON-RPC message; undefined for what is none. */
export const methodOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined

/** Name of the tool that a call names; empty for what is no call. */
export function toolOf(body: unknown): string {
  const { params } = body as { readonly params?: { readonly name?: unknown } }
  return typeof params?.name === 'string' ? params.name : ''
}
