import type { Actor } from '../core/actor.ts'
import type { Failure } from '../core/failure.ts'
import { jsonBytes } from '../core/json-bytes.ts'
import { MAX_TOOL_ID_CHARS } from '../core/limits/registry.ts'
import { LONG_CALL_COUNTS_MS, QUICK_CALL_COUNTS_MS } from '../core/limits/usage.ts'
import type { Outcome, ToolCall } from '../core/outcome.ts'
import { redact } from '../core/redact.ts'
import { utf8Length } from '../core/utf8-length.ts'
import type { Sql } from '../ports/sql.ts'
import type { CallsApi, RunningBuiltin } from '../tenant/calls-api.ts'
import type { Registry } from '../tools/registry.ts'
import { Admission, type Admitted } from './admission.ts'
import { CallOutbox, type OpenCall } from './call-outbox.ts'
import type { Stopwatch } from './stopwatch.ts'

interface Parts {
  readonly sql: Sql
  readonly session: string
  /** The session's node id: no other ever has it. */
  readonly node: string
  readonly registry: Pick<Registry, 'countedAs'>
  readonly tenant: Pick<CallsApi, 'admitCall' | 'endCalls'>
  readonly now: () => number
  readonly logError: (thrown: unknown) => void
}

interface NewAccount {
  readonly callId: string
  readonly call: ToolCall
  readonly by: Actor
  readonly startedAt: number
  readonly stopwatch: Stopwatch
}

/** The counting of one call of a session's tool: from whether it may begin to what it used. */
export interface CallAccount {
  /**
   * Lets the call begin, where it is one that is counted.
   * @returns a promise only where the tenant has to be asked
   * @throws RefusalError `rate_limited`
   */
  admit(): Promise<void> | null
  /** Sandbox time of the call that is counted with another one, in milliseconds. */
  countedElsewhere(sandboxMs: number): void
  /** Writes how it ended; to be called with the history's note of it. */
  end(outcome: Outcome): void
  /** It has answered, and its work goes on: its end is the work's. */
  hold(): void
}

/**
 * Counts the calls of a session's tools, whoever makes them: each is admitted, and its end written and told to the tenant.
 * Calls of registered tools are counted under their own ids ({@link SessionRegistered}), by the same outbox.
 */
export class Accounting {
  readonly outbox: CallOutbox
  readonly admission: Admission
  readonly #parts: Parts
  /** Calls that have not ended, by id. */
  readonly #open = new Map<string, OpenAccount>()

  /** @param goingOn calls whose work outlived them, and the restart before this */
  constructor(parts: Parts, goingOn: readonly string[]) {
    this.#parts = parts
    const { tenant, node, now } = parts
    this.admission = new Admission(parts)
    const tell = async (calls: Parameters<CallsApi['endCalls']>[1]) => {
      const holds = this.admission.holds()
      const askedAt = now()
      this.admission.renew(await tenant.endCalls(node, calls, holds), holds, askedAt)
    }
    this.outbox = new CallOutbox({ ...parts, tell }, goingOn)
  }

  open(made: NewAccount): CallAccount {
    const { registry } = this.#parts
    const { tool } = made.call
    const counted = registry.countedAs(tool)
    if (counted === 'unknown') return this.#refused(made)
    if (counted === 'another call') return NOT_COUNTED
    const account = new OpenAccount(this, made, this.#opened(made, counted === 'quick'))
    this.#open.set(made.callId, account)
    return account
  }

  closed(callId: string): void {
    this.#open.delete(callId)
  }

  /** Work that outlives its call has ended. @param ranMs how long it ran in the sandbox */
  workEnded(callId: string, outcome: Outcome, ranMs: number): void {
    const account = this.#open.get(callId)
    if (account) {
      account.workEnded(outcome, ranMs)
      return
    }
    const call = this.outbox.noted(callId)
    if (!call) return
    const ms = this.#parts.now() - call.startedAt
    this.outbox.write({ ...call, ...endOf(outcome), ms, sandboxMs: call.sandboxMs + ranMs }, true)
  }

  /**
   * The tenant's limits have changed: what was known of them holds no more, and all that has ended is told.
   * @returns the calls that run and of which the tenant does not know
   */
  async limitsChanged(version: number): Promise<readonly RunningBuiltin[]> {
    this.admission.drop(version)
    await this.outbox.tell()
    const running: RunningBuiltin[] = []
    for (const call of this.outbox.running()) {
      if (call.admittedAs !== null) continue
      call.admittedAs = call.callId
      const { callId, key, agent, tool } = call
      running.push({ callId, key, agent, tool, lastsMs: lastsMs(call) })
    }
    return running
  }

  now(): number {
    return this.#parts.now()
  }

  #opened({ callId, call, by: { key, agent }, startedAt }: NewAccount, isQuick: boolean): OpenCall {
    const { session } = this.#parts
    return {
      key,
      agent,
      callId,
      session,
      tool: call.tool.slice(0, MAX_TOOL_ID_CHARS),
      startedAt,
      ms: 0,
      failure: 'lost',
      bytesIn: jsonBytes(call.args ?? null),
      bytesOut: 0,
      sandboxMs: 0,
      isQuick,
    }
  }

  /** A call of a tool that there is not: it is not counted, but told of as refused. */
  #refused(made: NewAccount): CallAccount {
    // What is no tool's name may be anything, and the audit log has it.
    const tool = redact(made.call.tool.slice(0, MAX_TOOL_ID_CHARS))
    const call = { ...this.#opened(made, true), tool, failure: 'not_found', isRefused: true }
    return { ...NOT_COUNTED, end: () => this.outbox.write(call, false) }
  }
}

class OpenAccount implements CallAccount {
  readonly #accounting: Accounting
  readonly #callId: string
  readonly #stopwatch: Stopwatch
  readonly #call: OpenCall
  #isTight = false
  /** The id by which it was admitted. */
  #as: string | null = null
  #isBegun = false
  #isHeld = false
  #elsewhereMs = 0
  #workMs = 0

  constructor(accounting: Accounting, { callId, stopwatch }: NewAccount, call: OpenCall) {
    this.#accounting = accounting
    this.#callId = callId
    this.#stopwatch = stopwatch
    this.#call = call
  }

  admit(): Promise<void> | null {
    const { admission, outbox } = this.#accounting
    const { callId, key, agent, tool, isQuick = false } = this.#call
    const asked = { callId, key, agent, tool, lastsMs: lastsMs(this.#call), isQuick }
    const admitted = outbox.isUrgent
      ? outbox.tell().then(() => admission.admit(asked)) // what it waits for may have ended in this session
      : admission.admit(asked)
    if ('as' in admitted) {
      this.#begin(admitted)
      return null
    }
    return admitted.then(
      (late) => this.#begin(late),
      (thrown) => {
        this.#accounting.closed(this.#callId)
        throw thrown
      },
    )
  }

  #begin({ as, tight }: Admitted): void {
    this.#isBegun = true
    this.#isTight = tight
    this.#as = as
    this.#call.admittedAs = as
    const { outbox } = this.#accounting
    outbox.begin(this.#callId, this.#call)
    // Others wait for its end, so it is to be known after a crash too.
    if (tight && !this.#call.isQuick) outbox.note(this.#call)
  }

  countedElsewhere(sandboxMs: number): void {
    this.#elsewhereMs += sandboxMs
  }

  hold(): void {
    this.#isHeld = true
  }

  end(outcome: Outcome): void {
    if (!this.#isBegun || this.#isHeld) return
    const { outbox } = this.#accounting
    this.#accounting.closed(this.#callId)
    const ms = this.#accounting.now() - this.#call.startedAt
    const sandboxMs = Math.max(0, this.#stopwatch.sandboxMs - this.#elsewhereMs) + this.#workMs
    // Limits that were put meanwhile count it, and others may wait for it.
    const isTight = this.#isTight || this.#call.admittedAs !== this.#as
    outbox.end(this.#callId, this.#call, { ...endOf(outcome), ms, sandboxMs }, isTight)
  }

  workEnded(outcome: Outcome, ranMs: number): void {
    this.#workMs += ranMs
    if (!this.#isHeld) return
    this.#isHeld = false
    this.end(outcome)
  }
}

const lastsMs = ({ isQuick }: OpenCall) => (isQuick ? QUICK_CALL_COUNTS_MS : LONG_CALL_COUNTS_MS)

function endOf(outcome: Outcome): { readonly failure: string | null; readonly bytesOut: number } {
  switch (outcome.kind) {
    case 'done':
      return { failure: null, bytesOut: utf8Length(outcome.result.text) }
    case 'pending':
      return { failure: null, bytesOut: utf8Length(outcome.soFar.text) }
    default:
      return failed(outcome.failure)
  }
}

const failed = ({ code, message }: Failure) => ({ failure: code, bytesOut: utf8Length(message) })

const NOT_COUNTED: CallAccount = {
  admit: () => null,
  countedElsewhere: () => undefined,
  end: () => undefined,
  hold: () => undefined,
}
