import type { Actor } from '../core/actor.ts'
import { fail } from '../core/failure.ts'
import { childKeysIn, descendsFrom, parentOf, rootKeyOf } from '../core/key-chain.ts'
import { MAX_CHILD_KEYS_PER_KEY, MAX_CHILD_KEYS_PER_MINUTE } from '../core/limits/child-keys.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import type { AuditLog } from './audit-log.ts'
import { ChildCounter } from './child-counter.ts'
import type { ChildKeyInfo, ChildKeyMay, NewChildKey } from './child-keys-api.ts'
import type { CountedPlace } from './counted-place.ts'
import { KeyPaces } from './pace.ts'
import type { UsageEntry } from './usage-row.ts'

type Row = {
  readonly chain: string
  readonly name: string
  readonly may: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly revokedAt: number | null
  readonly calls: number
  readonly cost: number
}

/** A metered child key in memory, from its first call on. `used` is replaced as calls end. */
interface Metered {
  readonly may: ChildKeyMay
  counter: ChildCounter
  used: { readonly calls: number; readonly cost: number }
}

interface Parts {
  readonly sql: Sql
  readonly clock: Clock
  readonly audit: Pick<AuditLog, 'append'>
}

/** Child keys of one tenant, and the rates and budgets of those that have one. */
export class ChildKeys {
  readonly #sql: Sql
  readonly #clock: Clock
  readonly #audit: Parts['audit']
  readonly #paces = new KeyPaces(MAX_CHILD_KEYS_PER_MINUTE)
  /** Child keys whose calls were counted, by id; null for one without rate and budget. */
  readonly #metered = new Map<string, Metered | null>()

  constructor({ sql, clock, audit }: Parts) {
    this.#sql = sql
    this.#clock = clock
    this.#audit = audit
  }

  mint({ id, name, may, createdAt, expiresAt }: NewChildKey, by: Actor): void {
    const above = parentOf(id)
    for (const ancestor of childKeysIn(above)) this.#requireUsable(ancestor)
    const root = rootKeyOf(id)
    this.#sql.transaction(() => {
      this.expire()
      const [{ count } = { count: 0 }] = this.#sql.all<{ count: number }>(
        `SELECT count(*) AS count FROM child_keys WHERE ${BELOW}`,
        root,
        root,
      )
      if (count >= MAX_CHILD_KEYS_PER_KEY) {
        fail(
          'limit_exceeded',
          `the key ${root} has ${count} child keys that have not expired, revoked ones among them (MAX_CHILD_KEYS_PER_KEY); wait until some expire, or revoke one that minted many: those below it go at once`,
        )
      }
      this.#paces.take(root, this.#clock.now(), 'child keys a minute (MAX_CHILD_KEYS_PER_MINUTE)')
      this.#sql.run(
        'INSERT INTO child_keys (chain, name, may, created_at, expires_at, revoked_at, calls, cost) VALUES (?, ?, ?, ?, ?, NULL, 0, 0)',
        ...[id, name, JSON.stringify(may), createdAt, expiresAt],
      )
      const detail = { parent: above, name, ...may, expires_at: new Date(expiresAt).toISOString() }
      this.#audit.append([{ action: 'key.child', by, subject: id, decision: 'done', detail }])
    })
  }

  list({ below, limit, after }: { readonly below: string; readonly limit: number; readonly after?: string }) {
    return this.#rows(`${BELOW} AND chain > ? AND expires_at > ? ORDER BY chain LIMIT ?`, [
      ...[below, below, after ?? ''],
      this.#clock.now(),
      limit,
    ])
  }

  find(id: string): ChildKeyInfo | null {
    return this.#rows('chain = ?', [id])[0] ?? null
  }

  revoke(id: string, by: Actor): ChildKeyInfo | null {
    const known = this.find(id)
    if (!known || known.revokedAt !== null) return known
    const revokedAt = this.#clock.now()
    this.#sql.transaction(() => {
      this.#sql.run('UPDATE child_keys SET revoked_at = ? WHERE chain = ?', revokedAt, id)
      // Those below are refused with it, and their places are free.
      this.#sql.run(`DELETE FROM child_keys WHERE ${BELOW}`, id, id)
      const detail = { parent: parentOf(id), name: known.name }
      this.#audit.append([{ action: 'key.revoke', by, subject: id, decision: 'done', detail }])
    })
    this.#forget(id)
    return { ...known, revokedAt }
  }

  /**
   * Counters of a child key and those above it, as far as they have a rate or a budget.
   * @throws FailureError `forbidden` when one of them was revoked, has expired, or is unknown
   */
  places(key: string): readonly CountedPlace[] {
    return childKeysIn(key).flatMap((id) => {
      const metered = this.#meteredBy(id)
      return metered ? [{ counter: metered.counter, today: metered.used }] : []
    })
  }

  /** Counters as {@link places}, for a call that runs already: unknown keys count nothing. */
  placesOfRunning(key: string): readonly CountedPlace[] {
    return childKeysIn(key).flatMap((id) => {
      const metered = this.#metered.get(id)
      return metered ? [{ counter: metered.counter, today: metered.used }] : []
    })
  }

  /** Starts the counters anew, without their running calls; tokens that are missing stay missing. */
  renew(): void {
    const now = this.#clock.now()
    for (const [id, metered] of this.#metered) {
      if (!metered) continue
      const usedTokens = metered.counter.usedAt(now)
      metered.counter = new ChildCounter(id, metered.may, now)
      metered.counter.use(now, usedTokens)
    }
  }

  /** Adds ended calls to the keys that made them and to those above, in the caller's transaction. */
  use(entries: readonly UsageEntry[]): void {
    for (const { at, sums } of entries) {
      for (const id of childKeysIn(at.key)) {
        this.#sql.run(
          'UPDATE child_keys SET calls = calls + ?, cost = cost + ? WHERE chain = ?',
          sums.calls,
          sums.cost,
          id,
        )
        const metered = this.#metered.get(id)
        if (metered) metered.used = { calls: metered.used.calls + sums.calls, cost: metered.used.cost + sums.cost }
      }
    }
  }

  /** Drops expired child keys. */
  expire(): void {
    const now = this.#clock.now()
    const gone = this.#sql.all<{ chain: string }>('DELETE FROM child_keys WHERE expires_at <= ? RETURNING chain', now)
    for (const { chain } of gone) this.#metered.delete(chain)
  }

  #meteredBy(id: string): Metered | null {
    const known = this.#metered.get(id)
    if (known !== undefined) return known
    const { may, used } = this.#requireUsable(id)
    const isMetered = may.calls_per_minute !== undefined || may.budget !== undefined
    const metered = isMetered ? { may, used, counter: new ChildCounter(id, may, this.#clock.now()) } : null
    this.#metered.set(id, metered)
    return metered
  }

  #requireUsable(id: string): ChildKeyInfo {
    const found = this.find(id)
    if (found && found.revokedAt === null && found.expiresAt > this.#clock.now()) return found
    return fail('forbidden', 'this key was revoked or has expired; ask whoever minted it for a new one')
  }

  #forget(id: string): void {
    for (const known of this.#metered.keys()) {
      if (known === id || descendsFrom(known, id)) this.#metered.delete(known)
    }
  }

  #rows(where: string, values: (string | number)[]): ChildKeyInfo[] {
    return this.#sql
      .all<Row>(
        `SELECT chain, name, may, created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt, calls, cost
           FROM child_keys WHERE ${where}`,
        ...values,
      )
      .map(({ chain, may, calls, cost, ...row }) => ({
        ...row,
        id: chain,
        may: JSON.parse(may) as ChildKeyMay,
        used: { calls, cost },
      }))
  }
}

/** Chains below one. `/` is the character after the dot. */
const BELOW = `chain > ? || '.' AND chain < ? || '/'`
