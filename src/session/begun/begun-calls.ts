import { fail } from '../../core/failure.ts'
import { MAX_BEGUN_CALLS, MAX_ENDED_IN_MEMORY, MAX_RESULT_IN_MEMORY_CHARS } from '../../core/limits/calls.ts'
import type { Outcome, Result } from '../../core/outcome.ts'
import { SESSION, say } from '../../core/saying/saying.ts'
import type { Sql } from '../../ports/sql.ts'
import type { Begun } from '../api.ts'
import { BegunCall } from './begun-call.ts'
import { KeptResults } from './kept-results.ts'

interface Parts {
  readonly sql: Sql
  readonly now: () => number
  /** Aborts when the session is deleted, and keeps no outcome any more. */
  readonly deleted: AbortSignal
}

/** Calls of a session that go on without their callers: those that run, and the newest of those that have ended. */
export class BegunCalls {
  readonly #results: KeptResults
  readonly #now: () => number
  readonly #running = new Set<BegunCall>()
  /** Calls by id, oldest first. */
  readonly #noted = new Map<string, BegunCall>()

  readonly #deleted: AbortSignal

  constructor({ sql, now, deleted }: Parts) {
    this.#results = new KeptResults(sql)
    this.#now = now
    this.#deleted = deleted
  }

  get areRunning(): boolean {
    return this.#running.size > 0
  }

  /**
   * Makes a call that goes on without its caller. `ended` settles with the call.
   * @throws FailureError `limit_exceeded`
   */
  begin(make: (call: BegunCall) => Promise<Outcome>): {
    readonly begun: Promise<Begun>
    readonly ended: Promise<void>
  } {
    const call = this.#open()
    const made = make(call)
    const ended = made.then(
      (outcome) => this.#end(call, this.#deleted.aborted ? null : outcome),
      (thrown) => {
        this.#end(call, null)
        throw thrown
      },
    )
    const refused = made.then((outcome) => ({ refused: outcome }))
    return { begun: Promise.race([call.noted.then((callId) => ({ callId })), refused]), ended }
  }

  #open(): BegunCall {
    if (this.#running.size >= MAX_BEGUN_CALLS) {
      fail(
        'limit_exceeded',
        say`${MAX_BEGUN_CALLS} calls of this ${SESSION} run without their clients already (MAX_BEGUN_CALLS); wait for one of them, or cancel it`,
      )
    }
    const call = new BegunCall()
    this.#running.add(call)
    void call.noted.then((callId) => this.#noted.set(callId, call))
    return call
  }

  /** Ends a call, and keeps its outcome, if there is one. A call that was refused before it was noted leaves nothing. */
  #end(call: BegunCall, outcome: Outcome | null): void {
    this.#running.delete(call)
    const { callId } = call
    try {
      if (callId !== null && outcome !== null) {
        const chars = this.#results.keep(callId, outcome, this.#now())
        if (chars === null || chars <= MAX_RESULT_IN_MEMORY_CHARS) call.outcome = outcome
      }
    } finally {
      call.end()
      this.#dropOld()
    }
  }

  #dropOld(): void {
    const ended = [...this.#noted].filter(([, { hasEnded }]) => hasEnded)
    for (const [id] of ended.slice(0, -MAX_ENDED_IN_MEMORY)) this.#noted.delete(id)
  }

  /** A call whose output is in memory. */
  find(callId: string): BegunCall | null {
    return this.#noted.get(callId) ?? null
  }

  /** Keeps the whole of a result that a call's answer shows in part. @returns whether it is kept */
  keepWhole(callId: string, result: Result): boolean {
    return this.#results.keep(callId, { kind: 'done', result }, this.#now()) !== null
  }

  /** Keeps the outcome of a begun call that a restart cut off from its work. */
  keepOutcome(callId: string, outcome: Outcome): void {
    this.#results.keep(callId, outcome, this.#now())
  }

  /** Outcome of a call that has ended, while it is kept. */
  outcome(callId: string): Outcome | null {
    return this.#noted.get(callId)?.outcome ?? this.#results.find(callId)
  }
}
