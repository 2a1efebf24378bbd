import { RefusalError } from '../core/failure.ts'
import { MAX_SETTLED_CALLS } from '../core/limits.ts'
import type { RegisteredTools } from '../ports/registered.ts'
import type { Sql } from '../ports/sql.ts'
import type { Actor, EndedCall, TenantApi } from '../tenant/api.ts'

interface Parts {
  readonly sql: Sql
  readonly session: string
  readonly tenant: Pick<TenantApi, 'beginCall' | 'endCalls'>
  readonly now: () => number
  readonly logError: (thrown: unknown) => void
}

type Row = { readonly call_id: string; readonly call: string }

/**
 * Calls of registered tools in one session. Each is noted here with its end, and before that when it lasts; the tenant is
 * told of the end until it has heard it: what it counts is what the session's history has, over crashes too.
 */
export class SessionRegistered {
  readonly #parts: Parts
  /** Those that run, by the call that makes them. */
  readonly #running = new Map<string, Set<EndedCall>>()
  #telling: Promise<void> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    const { sql } = parts
    // Here, since sessions that were made before there were such tools lack it.
    sql.all(`CREATE TABLE IF NOT EXISTS registered_calls (
      call_id TEXT NOT NULL PRIMARY KEY, call TEXT NOT NULL, ended INTEGER NOT NULL) STRICT, WITHOUT ROWID`)
    sql.all('UPDATE registered_calls SET ended = 1 WHERE ended = 0')
  }

  /** True while the tenant has not heard of all ends. */
  get hasNews(): boolean {
    return this.#parts.sql.all('SELECT 1 FROM registered_calls WHERE ended = 1 LIMIT 1').length > 0
  }

  /** Notes those that the call makes and that run now, so that they are known even if nothing is heard of them again. */
  noteRunning(callId: string): void {
    for (const call of this.#running.get(callId) ?? []) this.#note(call, false)
  }

  /** @param by who calls */
  port(callId: string, by: Actor, wasNoted: () => boolean): RegisteredTools {
    let begun = 0
    const running = new Set<EndedCall>()
    return {
      begin: async (reference) => {
        const id = `${callId}.${++begun}`
        const { session, tenant, now } = this.#parts
        const startedAt = now()
        const answer = await tenant.beginCall({ ...by, callId: id, reference, session })
        if ('failure' in answer) throw new RefusalError(answer.failure)
        const { version, definition } = answer.tool
        const call: EndedCall = {
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
        if (wasNoted()) this.#note(call, false)
        return {
          version,
          definition,
          end: (how) => {
            running.delete(call)
            if (running.size === 0) this.#running.delete(callId)
            this.#note({ ...call, ...how, ms: now() - startedAt }, true)
          },
        }
      },
    }
  }

  /** Tells the tenant of what has ended. Those that could not be told stay for the next time. */
  tell(): Promise<void> {
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = null
    })
    return this.#telling
  }

  async #tellAll(): Promise<void> {
    const { sql, tenant, logError } = this.#parts
    for (;;) {
      const rows = sql.all<Row>('SELECT call_id, call FROM registered_calls WHERE ended = 1 LIMIT ?', MAX_SETTLED_CALLS)
      if (rows.length === 0) return
      try {
        await tenant.endCalls(rows.map(({ call }) => JSON.parse(call) as EndedCall))
      } catch (thrown) {
        logError(thrown)
        return
      }
      sql.transaction(() => {
        for (const { call_id } of rows) sql.all('DELETE FROM registered_calls WHERE call_id = ?', call_id)
      })
    }
  }

  #note(call: EndedCall, ended: boolean): void {
    this.#parts.sql.all(
      'INSERT OR REPLACE INTO registered_calls (call_id, call, ended) VALUES (?, ?, ?)',
      call.callId,
      JSON.stringify(call),
      ended ? 1 : 0,
    )
  }
}
