import { RefusalError } from '../core/failure.ts'
import { MAX_SETTLED_CALLS } from '../core/limits.ts'
import type { RegisteredTools } from '../ports/registered.ts'
import type { Sql } from '../ports/sql.ts'
import type { Actor, EndedCall, TenantApi } from '../tenant/api.ts'

interface Parts {
  readonly sql: Sql
  readonly session: string
  /** The session's node id: no other ever has it. */
  readonly node: string
  readonly tenant: Pick<TenantApi, 'beginCall' | 'endCalls'>
  readonly now: () => number
  readonly logError: (thrown: unknown) => void
}

/** Ends that nobody waits for are told of together, so many at a time as come within this. */
const TELL_AFTER_MS = 25

/** What is known before its end is numbered. */
type Call = Omit<EndedCall, 'number'>

/**
 * Calls of registered tools in one session. Each is noted here with its end, and before that when it lasts; the tenant is
 * told of the end until it has heard it: what it counts is what the session's history has, over crashes too.
 */
export class SessionRegistered {
  readonly #parts: Parts
  /** Those that run, by the call that makes them. */
  readonly #running = new Map<string, Set<Call>>()
  #telling: Promise<void> | null = null
  #tellingSoon: Promise<void> | null = null
  /** An end waits that another call may wait for. */
  #isUrgent = false
  /** The tenant has heard of the ends up to this number; their rows go with the next that are written. */
  #heard = 0

  constructor(parts: Parts) {
    this.#parts = parts
    const { sql } = parts
    // Here, since sessions that were made before there were such tools lack them.
    sql.all(`CREATE TABLE IF NOT EXISTS registered_running (
      call_id TEXT NOT NULL PRIMARY KEY, call TEXT NOT NULL) STRICT, WITHOUT ROWID`)
    // AUTOINCREMENT: no number comes twice, though rows go.
    sql.all(`CREATE TABLE IF NOT EXISTS registered_ended (
      number INTEGER PRIMARY KEY AUTOINCREMENT, call TEXT NOT NULL) STRICT`)
    sql.transaction(() => {
      sql.all('INSERT INTO registered_ended (call) SELECT call FROM registered_running')
      sql.all('DELETE FROM registered_running')
    })
  }

  /** True while the tenant has not heard of all ends. */
  get hasNews(): boolean {
    return this.#parts.sql.all('SELECT 1 FROM registered_ended WHERE number > ? LIMIT 1', this.#heard).length > 0
  }

  /** Notes those that the call makes and that run now, so that they are known even if nothing is heard of them again. */
  noteRunning(callId: string): void {
    for (const call of this.#running.get(callId) ?? []) this.#noteRunning(call)
  }

  /** Those that run have ended, whatever is heard of them: the session is removed. */
  giveUp(): void {
    for (const calls of this.#running.values()) {
      for (const call of calls) this.#noteEnd(call)
      calls.clear()
    }
    this.#running.clear()
  }

  /** @param by who calls */
  port(callId: string, by: Actor, wasNoted: () => boolean): RegisteredTools {
    let begun = 0
    const running = new Set<Call>()
    return {
      begin: async (reference) => {
        const id = `${callId}.${++begun}`
        const { session, tenant, now } = this.#parts
        const startedAt = now()
        const answer = await tenant.beginCall({ ...by, callId: id, reference, session })
        if ('failure' in answer) throw new RefusalError(answer.failure)
        const { version, definition } = answer.tool
        const { tight } = answer
        const call: Call = {
          ...by,
          callId: id,
          session,
          tool: definition.id,
          version,
          startedAt,
          ms: 0,
          failure: 'lost',
          bytesIn: 0,
          bytesOut: 0,
          sandboxMs: 0,
        }
        this.#running.set(callId, running.add(call))
        if (wasNoted()) this.#noteRunning(call)
        return {
          version,
          definition,
          end: (how) => {
            if (!running.delete(call)) return
            if (running.size === 0) this.#running.delete(callId)
            this.#noteEnd({ ...call, ...how, ms: now() - startedAt })
            this.#isUrgent ||= tight
          },
        }
      },
    }
  }

  /** As {@link tell}, of several ends at once where nobody waits for them. */
  tellSoon(): Promise<void> {
    if (this.#isUrgent) return this.tell()
    this.#tellingSoon ??= new Promise((resolve) => setTimeout(resolve, TELL_AFTER_MS)).then(() => {
      this.#tellingSoon = null
      return this.tell()
    })
    return this.#tellingSoon
  }

  /** Tells the tenant of what has ended. Those that could not be told stay for the next time. */
  tell(): Promise<void> {
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = null
    })
    return this.#telling
  }

  async #tellAll(): Promise<void> {
    const { sql, node, tenant, logError } = this.#parts
    for (;;) {
      this.#isUrgent = false
      const rows = sql.all<{ number: number; call: string }>(
        'SELECT number, call FROM registered_ended WHERE number > ? ORDER BY number LIMIT ?',
        this.#heard,
        MAX_SETTLED_CALLS,
      )
      const last = rows.at(-1)
      if (!last) return
      try {
        const calls = rows.map(({ number, call }) => ({ ...(JSON.parse(call) as Call), number }))
        await tenant.endCalls(node, calls)
      } catch (thrown) {
        logError(thrown)
        return
      }
      this.#heard = last.number
    }
  }

  /** Removes what the tenant has heard of. Not as soon as it has: that would be a transaction of its own for each call. */
  forgetHeard(): void {
    if (this.#heard > 0) this.#parts.sql.all('DELETE FROM registered_ended WHERE number <= ?', this.#heard)
  }

  #noteRunning(call: Call): void {
    const text = JSON.stringify(call)
    this.#parts.sql.all('INSERT OR IGNORE INTO registered_running (call_id, call) VALUES (?, ?)', call.callId, text)
  }

  #noteEnd(call: Call): void {
    const { sql } = this.#parts
    sql.transaction(() => {
      sql.all('DELETE FROM registered_running WHERE call_id = ?', call.callId)
      sql.all('INSERT INTO registered_ended (call) VALUES (?)', JSON.stringify(call))
      this.forgetHeard()
    })
  }
}
