import * as z from 'zod'
import type { ChildLink } from '../../auth/child-link.ts'
import type { Principal } from '../../auth/principal.ts'
import { allowsSession, includesScope } from '../../auth/restrictions.ts'
import { fail } from '../../core/failure.ts'
import {
  DEFAULT_CHILD_KEY_SECONDS,
  MAX_CHILD_KEY_AMOUNT,
  MAX_CHILD_KEY_NAMES,
  MAX_CHILD_KEY_SECONDS,
} from '../../core/limits/child-keys.ts'
import { MAX_LABEL_CHARS } from '../../core/limits/tenants.ts'
import type { ChildKeyMay } from '../../tenant/child-keys-api.ts'

const name = z.string().min(1).max(512)
const names = z.array(name).min(1).max(MAX_CHILD_KEY_NAMES).optional()
const amount = z.int().min(1).max(MAX_CHILD_KEY_AMOUNT)

/** Body of a new child key. Strict: a misspelt restriction that was ignored would make a stronger key. */
export const MintChild = z
  .strictObject({
    name: z.string().trim().max(MAX_LABEL_CHARS).default('').meta({ description: 'A name for people.' }),
    scopes: z
      .array(z.enum(['read', 'execute', 'admin']))
      .min(1)
      .max(3)
      .optional()
      .meta({ description: 'What it may, of the scopes of the key that mints it. By default all of them.' }),
    sessions: z
      .strictObject({
        names: names.meta({ description: 'Names of sessions, exactly as they were given.' }),
        prefixes: names.meta({
          description: 'Beginnings of names: "job-" allows "job-1". A name alone, as "a", allows "ab" too.',
        }),
      })
      .optional()
      .meta({ description: 'The sessions that it may use: these names, and all names that begin so. By default all.' }),
    tools: names.meta({
      description: 'The tools that it may call, also inside of chains: their own names, ids of registered ones.',
    }),
    calls_per_minute: amount.optional().meta({ description: 'Calls a minute, with those of all keys below it.' }),
    budget: z
      .strictObject({
        calls: amount.optional().meta({ description: 'Calls over its whole life.' }),
        cost: amount
          .optional()
          .meta({ description: "Cost over its whole life, in millionths, by the tenant's prices." }),
      })
      .optional()
      .meta({ description: 'What it may use in all, with all keys below it.' }),
    expires_in_seconds: z
      .int()
      .min(1)
      .max(MAX_CHILD_KEY_SECONDS)
      .optional()
      .meta({ description: 'Lifetime, at most that of the key that mints it. By default a day.' }),
  })
  .meta({ id: 'NewChildKey' })

type Minting = z.output<typeof MintChild>

/** Restrictions of a new child key, as the tenant keeps and shows them. */
export function mayOf({ scopes, sessions, tools, calls_per_minute, budget }: Minting): ChildKeyMay {
  const unique = (list: readonly string[] = []) => [...new Set(list)]
  return {
    ...(scopes && { scopes: unique(scopes) }),
    ...(sessions && { sessions: { names: unique(sessions.names), prefixes: unique(sessions.prefixes) } }),
    ...(tools && { tools: unique(tools) }),
    ...(calls_per_minute !== undefined && { calls_per_minute }),
    ...(budget && (budget.calls !== undefined || budget.cost !== undefined) && { budget }),
  }
}

/** Link of the same restrictions. */
export const linkOf = (
  id: string,
  { calls_per_minute, scopes, ...may }: ChildKeyMay,
  expiresAt: number,
): ChildLink => ({
  id,
  expiresAt,
  ...may,
  ...(scopes && { scopes: scopes as ChildLink['scopes'] }),
  ...(calls_per_minute !== undefined && { callsPerMinute: calls_per_minute }),
})

/**
 * Expiry of a new child key, in whole seconds: no later than its parent's.
 * @throws FailureError `invalid_input`
 */
export function childExpiry({ expires_in_seconds: lifetime }: Minting, parentExpiresAt: number, now: number): number {
  const seconds = (ms: number) => Math.floor(ms / 1_000) * 1_000
  if (lifetime === undefined) return seconds(Math.min(now + DEFAULT_CHILD_KEY_SECONDS * 1_000, parentExpiresAt))
  const expiresAt = seconds(now + lifetime * 1_000)
  if (expiresAt <= parentExpiresAt) return expiresAt
  const left = Math.max(0, Math.floor((parentExpiresAt - now) / 1_000))
  return fail(
    'invalid_input',
    `expires_in_seconds: this key itself expires in ${left} s; give ${left} or less, or leave it out`,
  )
}

/**
 * Checks that a child key would not look stronger than its parent. It could not be: links only take away. But whoever asks for
 * more should know.
 * @throws FailureError `invalid_input`
 */
export function refuseStronger(may: ChildKeyMay, { scopes, restrictions }: Principal): void {
  const more = may.scopes?.find((scope) => !includesScope(scopes, scope as ChildScope))
  if (more !== undefined)
    fail('invalid_input', `scopes: this key lacks the scope "${more}", so its children cannot have it`)
  if (may.sessions && may.sessions.names.length + may.sessions.prefixes.length === 0) {
    fail('invalid_input', 'sessions: give names, prefixes or both; leave sessions out for all that this key may use')
  }
  if (may.scopes?.includes('admin') && (may.sessions || may.tools)) {
    fail('invalid_input', 'scopes: a key for some sessions or tools cannot have "admin"; leave it out')
  }
  if (!restrictions) return
  const session = may.sessions?.names.find((one) => !allowsSession(restrictions, one))
  if (session !== undefined)
    fail('invalid_input', `sessions.names: this key may not use ${JSON.stringify(session)} itself`)
  const prefix = may.sessions?.prefixes.find(
    (one) => !restrictions.sessions.every((link) => covers(link.prefixes, one)),
  )
  if (prefix !== undefined) {
    fail(
      'invalid_input',
      `sessions.prefixes: this key may not use all sessions that begin with ${JSON.stringify(prefix)}`,
    )
  }
  const tool = may.tools?.find((one) => restrictions.tools !== null && !restrictions.tools.includes(one))
  if (tool !== undefined) fail('invalid_input', `tools: this key may not call ${tool} itself`)
}

type ChildScope = Principal['scopes'][number]

const covers = (prefixes: readonly string[], prefix: string) => prefixes.some((one) => prefix.startsWith(one))
