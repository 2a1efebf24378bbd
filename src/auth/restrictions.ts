import type { Scope } from '../ports/keys.ts'

/** Sessions that a link allows: by name, or by the text that their names begin with. Names compare exactly, code unit by code unit. */
export interface AllowedSessions {
  readonly names: readonly string[]
  readonly prefixes: readonly string[]
}

/** Restrictions of one link of a chain; a field left out takes nothing away. */
export interface Narrowing {
  readonly scopes?: readonly Scope[] | undefined
  readonly sessions?: AllowedSessions | undefined
  /** Names of the server's tools and ids of registered ones. */
  readonly tools?: readonly string[] | undefined
  readonly callsPerMinute?: number | undefined
  /** Calls, and cost in millionths, over the key's whole life. */
  readonly budget?: { readonly calls?: number | undefined; readonly cost?: number | undefined } | undefined
}

/** Restrictions of a child key: those of all links of its chain together. */
export interface Restrictions {
  /** Each of them must allow a session; none for a key that may use all. */
  readonly sessions: readonly AllowedSessions[]
  /** Null for a key that may call all. */
  readonly tools: readonly string[] | null
  /** Whether some link has a rate or a budget, which the tenant counts. */
  readonly isMetered: boolean
  /** The links themselves, from the eldest. */
  readonly links: readonly (Narrowing & { readonly expiresAt: number })[]
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Adds up the links of a chain. What one of them takes away, none below gives back. */
export function restrictionsOf(links: readonly (Narrowing & { readonly expiresAt: number })[]): Restrictions {
  const lists = links.flatMap(({ tools }) => (tools ? [tools] : []))
  const [first = null, ...others] = lists
  return {
    sessions: links.flatMap(({ sessions }) => (sessions ? [sessions] : [])),
    tools: first?.filter((tool) => others.every((list) => list.includes(tool))) ?? null,
    isMetered: links.some(({ callsPerMinute, budget }) => callsPerMinute !== undefined || budget !== undefined),
    links,
    expiresAt: Math.min(...links.map(({ expiresAt }) => expiresAt)),
  }
}

/** Scopes that the links leave. A key for some sessions or tools administers no tenant, whatever its scopes say. */
export function scopesLeft(scopes: readonly Scope[], { links, sessions, tools }: Restrictions): readonly Scope[] {
  const isPartial = sessions.length > 0 || tools !== null
  return ALL_SCOPES.filter(
    (scope) =>
      (scope !== 'admin' || !isPartial) &&
      includesScope(scopes, scope) &&
      links.every((link) => link.scopes === undefined || includesScope(link.scopes, scope)),
  )
}

const ALL_SCOPES: readonly Scope[] = ['read', 'execute', 'admin']

/** Whether scopes include one: `admin` includes all, `execute` includes reading. */
export const includesScope = (scopes: readonly Scope[], scope: Scope): boolean =>
  scopes.includes('admin') || scopes.includes(scope) || (scope === 'read' && scopes.includes('execute'))

/** Whether every link allows the session. */
export const allowsSession = ({ sessions }: Pick<Restrictions, 'sessions'>, name: string): boolean =>
  sessions.every(({ names, prefixes }) => names.includes(name) || prefixes.some((prefix) => name.startsWith(prefix)))
