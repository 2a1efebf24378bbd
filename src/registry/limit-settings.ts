import * as z from 'zod'
import { rootKeyOf } from '../core/key-chain.ts'
import { MAX_AGENT_CHARS } from '../core/limits/registry.ts'
import { MAX_LIMIT_RULES, MAX_LIMIT_VALUE, MAX_PRICE, MAX_RUNNING_CALLS } from '../core/limits/usage.ts'
import { LIMIT_SCOPES, type LimitScope } from '../core/rate-limited.ts'
import { sha256 } from '../core/sha256.ts'
import { fits } from './permitted.ts'

/** An amount; 0 is the same as absent: no such limit. */
const amount = z.int().min(0).max(MAX_LIMIT_VALUE).default(0)
const price = z.int().min(0).max(MAX_PRICE).default(0)

/** Pattern for a key's public part, an agent or a tool; `*` for any run of characters. */
const pattern = z.string().min(1).max(MAX_AGENT_CHARS)

const LimitRule = z
  .strictObject({
    scope: z.enum(LIMIT_SCOPES),
    name: pattern.default('*'),
    per_minute: amount,
    /** Calls that may come at once after a quiet while; by default as many as `per_minute`. */
    burst: amount,
    /** Calls running at once. */
    concurrency: z.int().min(0).max(MAX_RUNNING_CALLS).default(0),
    /** Calls of one day in UTC. */
    per_day: amount,
    /** Budget of one day, in millionths of the currency. */
    budget_per_day: amount,
  })
  .refine(({ scope, name }) => scope !== 'tenant' || name === '*', 'a rule for the tenant has no name')
  .refine(({ burst, per_minute }) => burst === 0 || per_minute > 0, 'burst goes with per_minute')
export type LimitRule = z.output<typeof LimitRule>

/** Price of a call, in millionths of whatever currency the tenant counts in. */
const Price = z.strictObject({
  tool: pattern.default('*'),
  per_call: price,
  per_sandbox_second: price,
})
export type Price = z.output<typeof Price>

/**
 * Limits on the use of a tenant's tools. Of the rules for one scope the first whose name fits holds, for each name that fits on
 * its own. `prices`: the first whose tool fits.
 */
export const LimitSettings = z.strictObject({
  rules: z.array(LimitRule).max(MAX_LIMIT_RULES).default([]),
  prices: z.array(Price).max(MAX_LIMIT_RULES).default([]),
})
export type LimitSettings = z.output<typeof LimitSettings>

/** Name of these very limits, 32 hex digits: others have another one. */
export const limitsTag = (settings: LimitSettings): string => sha256(JSON.stringify(settings)).slice(0, 32)

/** Caller and tool of a call: each may have its own limit. */
export interface Counted {
  readonly key: string | null
  readonly agent: string | null
  readonly tool: string
}

/** Name under which a call is counted in a scope; null when it is not: a caller without an agent has no limits of an agent. */
export function nameIn(scope: LimitScope, { key, agent, tool }: Counted): string | null {
  switch (scope) {
    case 'tenant':
      return ''
    case 'key':
      // A child key's calls are those of the key at the top of its chain: minting must not multiply a limit.
      return rootKeyOf(key)
    case 'agent':
      return agent
    case 'tool':
      return tool
  }
}

/** The rule for a name: the first that fits. */
export const ruleFor = <Rule extends Pick<LimitRule, 'scope' | 'name'>>(
  rules: readonly Rule[],
  scope: LimitScope,
  name: string,
): Rule | null => rules.find((rule) => rule.scope === scope && fits(rule.name, name)) ?? null

/** A rule as sessions know it: its scope and name, and whether it limits anything. */
export type LeasedRule = Pick<LimitRule, 'scope' | 'name'> & { readonly limits: boolean }

export const leasedRule = ({ scope, name, ...rule }: LimitRule): LeasedRule => ({
  scope,
  name,
  limits: rule.per_minute > 0 || rule.concurrency > 0 || rule.per_day > 0 || rule.budget_per_day > 0,
})

/** Whether some rule limits such calls. */
export const isLimited = (rules: readonly LeasedRule[], who: Counted): boolean =>
  rules.length > 0 &&
  LIMIT_SCOPES.some((scope) => {
    const name = nameIn(scope, who)
    return name !== null && ruleFor(rules, scope, name)?.limits === true
  })
