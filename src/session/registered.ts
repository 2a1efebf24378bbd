import { RefusalError } from '../core/failure.ts'
import { MAX_SETTLED_CALLS } from '../core/limits/registry.ts'
import type { BegunCall, RegisteredTools } from '../ports/registered.ts'
import type { Sql } from '../ports/sql.ts'
import type { ToolDefinition } from '../registry/definition.ts'
import { type Actor, type EndedCall, OWN_TOOLS, type TenantApi } from '../tenant/api.ts'

interface Parts {
  readonly sql: Sql
  readonly session: string
  /** The session's node id: no other ever has it. */
  readonly node: string
  readonly tenant: Pick<TenantApi, 'beginCall' | 'endCalls'>
  /** A tool that the session made for itself; null when there is none of that id. */
  readonly madeTool: (id: string) => ToolDefinition | null
  readonly now: () => number
  readonly logError: (thrown: unknown) => void
}

/** The port, and calls of tools that are not there yet. */
export interface CallOfRegistered extends RegisteredTools {
  /** @throws RefusalError `conflict` when the tenant has a tool of that id; `rate_limited` */
  beginTest(definition: ToolDefinition): Promise<BegunCall>
}

/** Ends that nobody waits for are told of together, so many at a time as come within this: use is known so much later. */
const TELL_AFTER_MS = 250
const FORGOTTEN_TOGETHER = 50

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
  /** The number of the newest end. */
  #last: number
  /** The tenant has heard of the ends up to this number. */
  #heard: number
  /** The rows of those up to this number are removed. */
  #forgotten: number

  constructor(parts: Parts) {
    this.#parts = parts
    const { sql } = parts
    // Here, since sessions that were made before there were such tools lack them.
    sql.all(`CREATE TABLE IF NOT EXISTS registered_running (
      call_id TEXT NOT NULL PRIMARY KEY, call TEXT NOT NULL) STRICT, WITHOUT ROWID`)
    // The newest row stays, so no number comes twice. One whose end was heard is an empty text then.
    sql.all(`CREATE TABLE IF NOT EXISTS registered_ended (
      number INTEGER PRIMARY KEY, call TEXT NOT NULL) STRICT`)
    sql.transaction(() => {
      sql.all('INSERT INTO registered_ended (call) SELECT call FROM registered_running')
      sql.all('DELETE FROM registered_running')
    })
    const [{ first, last } = NO_ENDS] = sql.all<Ends>(
      `SELECT min(CASE WHEN call <> '' THEN number END) AS first, max(number) AS last FROM registered_ended`,
    )
    this.#last = last ?? 0
    this.#heard = first === null ? this.#last : first - 1
    this.#forgotten = this.#heard
  }

  /** True while the tenant has not heard of all ends. */
  get hasNews(): boolean {
    return this.#heard < this.#last
  }

  /** Notes those that the call makes and that run now, so that they are known even if nothing is heard of them again. */
  noteRunning(callId: string): void {
    for (const call of this.#running.get(callId) ?? []) this.#noteRunning(call)
  }

  /** Those that run have ended, whatever is heard of them: the session is removed. */
  giveUp(): void {
    for (const calls of this.#running.values()) {
      for (const call of calls) this.#noteEnd(call, true)
      calls.clear()
    }
    this.#running.clear()
  }

  /** @param by who calls */
  port(callId: string, { key, agent }: Actor, wasNoted: () => boolean): CallOfRegistered {
    let begun = 0
    const running = new Set<Call>()
    const begin = async (reference: string, own: ToolDefinition | null, isNew: boolean): Promise<BegunCall> => {
      const id = `${callId}.${++begun}`
      const { session, tenant, now } = this.#parts
      const startedAt = now()
      const asked = { key, agent, callId: id, reference, session }
      const answer = await tenant.beginCall({ ...asked, ...(own && { own: { timeout: own.timeout, isNew } }) })
      if ('failure' in answer) throw new RefusalError(answer.failure)
      const definition = answer.tool?.definition ?? own
      if (!definition) throw new Error('a call was begun of a tool that nobody has')
      const version = answer.tool?.version ?? 0
      const { tight } = answer
      const call: Call = {
        key,
        agent,
        callId: id,
        session,
        ...(answer.tool ? { tool: definition.id } : { tool: OWN_TOOLS, made: definition.id }),
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
          this.#noteEnd({ ...call, ...how, ms: now() - startedAt }, wasNoted())
          this.#isUrgent ||= tight
        },
      }
    }
    return {
      // A tool of the tenant comes before one that the session made.
      begin: (reference) => begin(reference, this.#parts.madeTool(reference), false),
      beginTest: (definition) => begin(definition.id, definition, true),
    }
  }

  /** As {@link tell}, of several ends at once where nobody waits for them. @returns null when that is under way already */
  tellSoon(): Promise<void> | null {
    if (this.#isUrgent) return this.tell()
    if (this.#tellingSoon) return null
    this.#tellingSoon = new Promise((resolve) => setTimeout(resolve, TELL_AFTER_MS)).then(() => {
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
    // Without news nothing is asked of the storage: the session may have been removed, and its tables with it.
    while (this.hasNews) {
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

  /** Removes what the tenant has heard of. */
  forgetHeard(): void {
    if (this.#forgotten === this.#heard) return
    const { sql } = this.#parts
    sql.all('DELETE FROM registered_ended WHERE number <= ? AND number < ?', this.#heard, this.#last)
    if (!this.hasNews) sql.all(`UPDATE registered_ended SET call = '' WHERE number = ?`, this.#last)
    this.#forgotten = this.#heard
  }

  #noteRunning(call: Call): void {
    const text = JSON.stringify(call)
    this.#parts.sql.all('INSERT OR IGNORE INTO registered_running (call_id, call) VALUES (?, ?)', call.callId, text)
  }

  #noteEnd(call: Call, wasNoted: boolean): void {
    const { sql } = this.#parts
    if (wasNoted) {
      sql.transaction(() => {
        sql.all('DELETE FROM registered_running WHERE call_id = ?', call.callId)
        this.#writeEnd(call)
      })
    } else {
      this.#writeEnd(call)
    }
    // Seldom, and with what is written anyway: for each call it would be a transaction of its own.
    if (this.#heard - this.#forgotten >= FORGOTTEN_TOGETHER) this.forgetHeard()
  }

  #writeEnd(call: Call): void {
    const number = this.#last + 1
    this.#parts.sql.all('INSERT INTO registered_ended (number, call) VALUES (?, ?)', number, JSON.stringify(call))
    this.#last = number
  }
}

type Ends = { readonly first: number | null; readonly last: number | null }
const NO_ENDS: Ends = { first: null, last: null }
