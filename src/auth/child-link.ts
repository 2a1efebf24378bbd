import * as z from 'zod'
import type { Principal } from './principal.ts'
import type { Narrowing } from './restrictions.ts'

/** A link of a chain: one child key's public id, its end, and what it takes away from the key above. */
export interface ChildLink extends Narrowing {
  /** Public id, without those of its ancestors. */
  readonly id: string
  /** Milliseconds since 1970, whole seconds. */
  readonly expiresAt: number
}

const amount = z.int().min(1)
const names = z.array(z.string().min(1))

/** A link as JSON, with short names: it goes with each request. */
const Packed = z.strictObject({
  i: z.string().regex(/^[0-9A-Za-z]{12}$/),
  /** Seconds since 1970. */
  e: amount,
  s: z
    .array(z.enum(['read', 'execute', 'admin']))
    .min(1)
    .optional(),
  n: names.optional(),
  p: names.optional(),
  t: names.optional(),
  r: amount.optional(),
  c: amount.optional(),
  m: amount.optional(),
})

/** Text of a link: base64url of canonical JSON, whose fields have one order and whose absent ones are absent. */
export function packLink({ id, expiresAt, scopes, sessions, tools, callsPerMinute, budget }: ChildLink): string {
  const packed: z.input<typeof Packed> = {
    i: id,
    e: Math.floor(expiresAt / 1_000),
    ...(scopes && { s: [...scopes] }),
    ...(sessions && { n: [...sessions.names], p: [...sessions.prefixes] }),
    ...(tools && { t: [...tools] }),
    ...(callsPerMinute !== undefined && { r: callsPerMinute }),
    ...(budget?.calls !== undefined && { c: budget.calls }),
    ...(budget?.cost !== undefined && { m: budget.cost }),
  }
  return new TextEncoder().encode(JSON.stringify(packed)).toBase64({ alphabet: 'base64url', omitPadding: true })
}

/** Texts of the links of a caller's own chain. Packed again they are the same, since their form is canonical. */
export function packedLinks({ keyId, restrictions }: Principal): string[] {
  const [, ...ids] = (keyId ?? '').split('.')
  return restrictions?.links.map((link, at) => packLink({ ...link, id: ids[at] ?? '' })) ?? []
}

/** Link of a text that the server signed. @returns null for another form, as of a newer server */
export function unpackLink(text: string): ChildLink | null {
  const packed = Packed.safeParse(jsonIn(text))
  if (!packed.success) return null
  const { i, e, s, n, p, t, r, c, m } = packed.data
  return {
    id: i,
    expiresAt: e * 1_000,
    ...(s && { scopes: s }),
    ...((n || p) && { sessions: { names: n ?? [], prefixes: p ?? [] } }),
    ...(t && { tools: t }),
    ...(r !== undefined && { callsPerMinute: r }),
    ...((c !== undefined || m !== undefined) && { budget: { calls: c, cost: m } }),
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        Uint8Array.fromBase64(text, { alphabet: 'base64url' }),
      ),
    )
  } catch {
    return null
  }
}
