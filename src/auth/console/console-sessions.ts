import type { Actor } from '../../core/actor.ts'
import type { Failure } from '../../core/failure.ts'
import type { TenantId } from '../../core/ids.ts'
import { isChildKey, rootKeyOf } from '../../core/key-chain.ts'
import {
  CONSOLE_KEPT_MS,
  CONSOLE_SESSION_MS,
  CONSOLE_USE_NOTE_MS,
  MAX_BROWSER_CHARS,
  MAX_CONSOLE_SESSIONS,
} from '../../core/limits/console.ts'
import { KEY_CACHE_ENTRIES } from '../../core/limits/tenants.ts'
import type { Clock } from '../../ports/clock.ts'
import {
  type ConsoleSession,
  type ConsoleSessionReach,
  type ConsoleSessionStore,
  OPERATOR,
} from '../../ports/console-sessions.ts'
import type { KeyStore, Scope, StoredKey } from '../../ports/keys.ts'
import {
  type Authenticate,
  type Authentication,
  hasSecret,
  INVALID,
  isAlive,
  isAllowedFrom,
  openCaller,
  refusedFrom,
  withOpenRoot,
} from '../authenticate.ts'
import { OPEN_ROOT } from '../child-key.ts'
import { packedLinks, unpackLink } from '../child-link.ts'
import type { ClosedTenants } from '../closed-tenants.ts'
import { sameHash, sameSecret } from '../constant-time.ts'
import { hashKey, parseKey } from '../key.ts'
import { KeyCache } from '../key-cache.ts'
import type { Principal } from '../principal.ts'
import { RecentlyUsed } from '../recently-used.ts'
import { includesScope, type Restrictions, restrictionsOf, scopesLeft } from '../restrictions.ts'
import { isTokenKeyId } from '../token.ts'
import {
  type ConsoleToken,
  csrfOf,
  hashConsoleToken,
  newConsoleToken,
  ownersProof,
  parseConsoleToken,
} from './token.ts'

interface Parts {
  readonly store: ConsoleSessionStore
  readonly keys: Pick<KeyStore, 'find'> & Partial<Pick<KeyStore, 'revokedChildren'>>
  /** Judges the key that somebody signs in with. */
  readonly authenticate: Authenticate
  readonly clock: Clock
  readonly closed: Pick<ClosedTenants, 'has'> | null
  /** Tenant of requests without a key. Only ever set on a local server. */
  readonly openTenant: TenantId | null
  /** The owner's secret; null: the owner cannot sign in. */
  readonly adminToken: string | null
  /** Writes into a tenant's audit log who signed in, or out. @throws FailureError when the log is out of reach */
  readonly audit: (tenant: TenantId, note: SignInNote, by: Actor) => Promise<void>
}

/** Sign-in of a browser, or its end by somebody, for the audit log: the id is that of the session of the console. */
export interface SignInNote {
  readonly action: 'console.sign_in' | 'console.sign_out'
  readonly id: string
}

/** A browser that is signed in, as it may know it. */
export interface SignedIn {
  readonly session: ConsoleSession
  /** Token against forged requests. */
  readonly csrf: string
  /** Present scopes; none for the owner of the server. */
  readonly scopes: readonly Scope[]
}

/** The judgement of a cookie: who calls, as {@link Authenticate} says it, and the sign-in; null for a cookie that is not good. */
export interface ConsoleCaller {
  readonly authentication: Authentication
  readonly signedIn: SignedIn | null
}

/**
 * Sessions of the console: a browser that signed in with a key holds a token of its own, which is as good as that key is at each
 * request, and never better. A row of a session and that of its key are trusted for CONSOLE_KEPT_MS. Make one per isolate.
 */
export class ConsoleSessions {
  readonly #parts: Parts
  readonly #rows: KeyCache<ConsoleSession>
  readonly #keys: KeyCache
  /** Roots of sessions, so that the rows of a session and of its key are asked for at once. */
  readonly #roots = new RecentlyUsed<string>(KEY_CACHE_ENTRIES)

  constructor(parts: Parts) {
    const { store, keys, clock, openTenant } = parts
    this.#parts = parts
    this.#rows = new KeyCache(store, clock, CONSOLE_KEPT_MS)
    this.#keys = new KeyCache(openTenant === null ? keys : withOpenRoot(keys, openTenant), clock, CONSOLE_KEPT_MS)
  }

  /**
   * Judges a cookie's token.
   * @param address IP address of the client, null where it is not known
   * @throws FailureError `upstream`
   */
  async judge(text: string, address: string | null): Promise<ConsoleCaller> {
    const token = parseConsoleToken(text)
    if (!token) return ENDED
    const known = this.#roots.get(token.id)
    const [session, hash] = await Promise.all([
      this.#rows.find(token.id),
      hashConsoleToken(token),
      known === undefined ? null : this.#keys.find(known),
    ])
    const isTheirs = sameHash(hash, session === null ? NO_HASH : Uint8Array.fromHex(session.hash))
    if (!session || !isTheirs || this.#parts.clock.now() >= session.expiresAt) return ENDED
    if (session.tenant === null) return this.#owner(session, token)
    const authentication = await this.#caller(session, session.tenant, address)
    if (authentication === null) return ENDED
    const scopes = 'principal' in authentication ? authentication.principal.scopes : []
    return { authentication, signedIn: { session, csrf: await csrfOf(token), scopes } }
  }

  /**
   * Signs a browser in.
   * @param key a key of a tenant, a child key, or the owner's token
   * @returns the cookie's token, or why the key is refused
   * @throws FailureError `upstream`
   */
  async signIn(
    key: string,
    { address, browser }: { readonly address: string | null; readonly browser: string },
  ): Promise<{ readonly token: string; readonly signedIn: SignedIn } | { readonly failure: Failure }> {
    const { adminToken, authenticate } = this.#parts
    const token = newConsoleToken()
    if (adminToken !== null && (await sameSecret(key, adminToken))) {
      const proof = await ownersProof(token, adminToken)
      const owner = { tenant: null, root: OPERATOR, key: OPERATOR, proof, links: [], scopes: [] }
      return this.#add(token, browser, owner, Number.POSITIVE_INFINITY)
    }
    const judged = await authenticate([key], address)
    if ('failure' in judged) return judged
    const { principal } = judged
    if (isTokenKeyId(principal.keyId)) return { failure: NO_TOKENS }
    if (principal.keyId === null) return this.signInOpen(principal, browser)
    const parsed = isChildKey(principal.keyId) ? null : parseKey(key)
    const root = await this.#keys.find(rootKeyOf(principal.keyId))
    const ends = [root?.expiresAt, principal.restrictions?.expiresAt].filter((end) => typeof end === 'number')
    const kept = {
      tenant: principal.tenant,
      root: rootKeyOf(principal.keyId),
      key: principal.keyId,
      proof: parsed === null ? '' : (await hashKey(parsed)).toHex(),
      links: packedLinks(principal),
      scopes: principal.scopes,
    }
    // The key may have been revoked since the row was read by which it was judged.
    const caller = await this.#caller({ ...kept, id: token.id }, kept.tenant, address)
    if (caller === null) return INVALID
    return 'failure' in caller ? caller : this.#add(token, browser, kept, Math.min(...ends))
  }

  /** Signs a browser in to the open tenant of a local server. @param principal its caller, which has shown no key */
  signInOpen({ tenant, scopes }: Principal, browser: string) {
    const kept = { tenant, root: OPEN_ROOT, key: OPEN_ROOT, proof: '', links: [], scopes }
    return this.#add(newConsoleToken(), browser, kept, Number.POSITIVE_INFINITY)
  }

  /**
   * Ends a session.
   * @param key id of the key that ends it; null without one
   * @returns whether there was one of that id within reach
   */
  async end(id: string, whose: ConsoleSessionReach, key: string | null): Promise<boolean> {
    const ended = await this.#parts.store.end(id, whose, this.#parts.clock.now())
    if (!ended) return false
    this.#rows.forget(id)
    await this.#note(whose.tenant, 'console.sign_out', id, key)
    return true
  }

  /** Notes the use of a session. @returns the writing, which never rejects; null when none is due */
  noteUse({ id, usedAt }: ConsoleSession): Promise<void> | null {
    const now = this.#parts.clock.now()
    if (now - usedAt < CONSOLE_USE_NOTE_MS) return null
    // What could not be noted is noted with a later use.
    return this.#parts.store.noteUse(id, now, now - CONSOLE_USE_NOTE_MS).catch(() => undefined)
  }

  async #add(
    token: ConsoleToken,
    browser: string,
    kept: Pick<ConsoleSession, 'tenant' | 'root' | 'key' | 'proof' | 'links' | 'scopes'>,
    end: number,
  ): Promise<{ readonly token: string; readonly signedIn: SignedIn }> {
    const now = this.#parts.clock.now()
    const [hash, csrf] = await Promise.all([hashConsoleToken(token), csrfOf(token)])
    const session: ConsoleSession = {
      ...kept,
      id: token.id,
      hash: hash.toHex(),
      browser: browser.slice(0, MAX_BROWSER_CHARS).toWellFormed(),
      createdAt: now,
      usedAt: now,
      expiresAt: Math.min(now + CONSOLE_SESSION_MS, end),
    }
    // First the audit log, which has each session that somebody gets; and where it cannot be written, no older session gives way for nothing.
    await this.#note(kept.tenant, 'console.sign_in', session.id, kept.key)
    await this.#parts.store.add(session, MAX_CONSOLE_SESSIONS)
    return { token: token.text, signedIn: { session, csrf, scopes: kept.scopes } }
  }

  /** Writes a sign-in or its end where it is of a tenant. */
  async #note(tenant: TenantId | null, action: SignInNote['action'], id: string, key: string | null): Promise<void> {
    const by = { key: key === OPEN_ROOT ? null : key, agent: null }
    if (tenant !== null) await this.#parts.audit(tenant, { action, id }, by)
  }

  async #owner(session: ConsoleSession, token: ConsoleToken): Promise<ConsoleCaller> {
    const { adminToken } = this.#parts
    if (adminToken === null || !(await sameSecret(session.proof, await ownersProof(token, adminToken)))) return ENDED
    return { authentication: { failure: NO_TENANT }, signedIn: { session, csrf: await csrfOf(token), scopes: [] } }
  }

  /** The session's caller as the key is now; null when the key is not good any more. */
  async #caller(session: KeyOfSession, tenant: TenantId, address: string | null): Promise<Authentication | null> {
    const { openTenant, clock, closed } = this.#parts
    if (session.key === OPEN_ROOT) return openTenant === tenant && !closed?.has(tenant) ? openCaller(tenant) : null
    this.#roots.set(session.id, session.root)
    const isChild = isChildKey(session.key)
    const begunAt = clock.now()
    const isTheirs = (key: StoredKey | null) =>
      isChild || hasSecret(key, Uint8Array.fromHex(session.proof), clock.now())
    let key = await this.#keys.find(session.root)
    // The secret that signed in may be newer than the row that this isolate remembers.
    if (!isTheirs(key)) key = await this.#keys.findAgain(session.root, begunAt)
    const now = clock.now()
    if (!key || key.tenant !== tenant || !isAlive(key, now, closed) || !isTheirs(key)) return null
    const restrictions = isChild ? restrictionsIn(session, key, now) : undefined
    if (restrictions === null) return null
    if (!isAllowedFrom(key, address)) return { failure: refusedFrom(address) }
    const may = restrictions ? scopesLeft(key.scopes, restrictions) : key.scopes
    const scopes = SCOPES.filter((scope) => includesScope(may, scope) && includesScope(session.scopes, scope))
    return { principal: { tenant, scopes, keyId: session.key, ...(restrictions && { restrictions }) } }
  }
}

type KeyOfSession = Pick<ConsoleSession, 'id' | 'root' | 'key' | 'proof' | 'links' | 'scopes'>

/** Restrictions of the child key that signed in; null for one that has expired, or was revoked, or a key above it. */
function restrictionsIn({ key, links }: KeyOfSession, root: StoredKey, now: number): Restrictions | null {
  const isRevoked = root.revokedChildren.some((revoked) => key === revoked || key.startsWith(`${revoked}.`))
  const read = links.map(unpackLink).filter((link) => link !== null)
  if (isRevoked || read.length === 0 || read.length < links.length) return null
  const restrictions = restrictionsOf(read)
  return now < restrictions.expiresAt ? restrictions : null
}

const SCOPES: readonly Scope[] = ['read', 'execute', 'admin']
const NO_HASH = new Uint8Array(32)

/** One sentence for every session that is not good, whatever ended it. */
const ENDED: ConsoleCaller = {
  authentication: {
    failure: {
      code: 'unauthenticated',
      message:
        'this session of the console is over: it ended after 8 hours, with its key, or by signing out; sign in again at /console/',
    },
  },
  signedIn: null,
}
const NO_TENANT: Failure = {
  code: 'unauthenticated',
  message: 'the owner of the server has no sessions, tools or keys of a tenant; sign in with a key of one',
}
const NO_TOKENS: Failure = {
  code: 'forbidden',
  message: 'an access token signs in to no console, since its issuer could not end that; use a key of the tenant',
}
