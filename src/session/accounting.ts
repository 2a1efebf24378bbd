import { isTenantClosed } from '../core/closed-tenant.ts'
import { jsonBytes } from '../core/json-bytes.ts'
import { MAX_TOOL_ID_CHARS } from '../core/limits/registry.ts'
import { MAX_LISTED_QUESTION_CHARS } from '../core/limits/sessions.ts'
import { GRANTED_CALLS_MS, QUICK_COMPLETION_REPORT_MS } from '../core/limits/usage.ts'
import type { Outcome } from '../core/outcome.ts'
import type { CallCosts } from '../core/receipt.ts'
import { redact } from '../core/redact.ts'
import type { NamelessTool, ObservedCall } from '../ports/call-observer.ts'
import type { Sql } from '../ports/sql.ts'
import type { Caller } from '../tenant/api.ts'
import type { HumanTaskReport } from '../tenant/calls-api.ts'
import { type CallsApi, type EndedCall, type RunningBuiltin, SANDBOXES } from '../tenant/calls-api.ts'
import type { Registry } from '../tools/registry.ts'
import { Admission } from './admission.ts'
import {
  type CallAccount,
  type Counting,
  endOf,
  lastsMs,
  type NewAccount,
  NOT_COUNTED,
  OpenAccount,
  PassedOnAccount,
} from './call-account.ts'
import { charged, costIn } from './call-cost.ts'
import { CallOutbox, type OpenCall } from './call-outbox.ts'
import { type ObservedCalls, UNOBSERVED } from './observed-calls.ts'
import type { MeteredTime } from './sandbox/sandbox-meter.ts'

interface Parts {
  readonly sql: Sql
  readonly session: string
  /** The session's node id, which no other session ever has. */
  readonly node: string
  readonly registry: Pick<Registry, 'countedAs'>
  readonly tenant: { readonly calls: Pick<CallsApi, 'admit' | 'end'> }
  readonly now: () => number
  readonly observed?: ObservedCalls
  /** Adds to the cost in the receipt of a call that has ended. */
  readonly addCost?: (callId: string, cost: number) => void
  readonly logError: (thrown: unknown) => void
}

/**
 * Accounting of the session's calls, whoever makes them: each is admitted, and its completion is written and reported to
 * the tenant. Calls of registered tools are counted under their own ids ({@link CountedCalls}), by the same outbox.
 */
export class Accounting implements Counting {
  readonly outbox: CallOutbox
  readonly admission: Admission
  readonly observed: ObservedCalls
  readonly #parts: Parts
  /** Open accounts by call id. */
  readonly #open = new Map<string, OpenAccount>()

  /** @param goingOn ids of pending calls, whose work continues after the last restart */
  constructor(parts: Parts, goingOn: readonly string[]) {
    this.#parts = parts
    this.observed = parts.observed ?? UNOBSERVED
    const granted = () => void setTimeout(() => void this.giveBack(), GRANTED_CALLS_MS + QUICK_COMPLETION_REPORT_MS)
    this.admission = new Admission({ ...parts, granted })
    const tell = (calls: readonly EndedCall[]) => this.#report(calls)
    this.outbox = new CallOutbox({ ...parts, tell, isWatched: () => this.admission.isWatched }, goingOn)
  }

  async #report(calls: readonly EndedCall[]): Promise<void> {
    const { tenant, node, now } = this.#parts
    const holds = this.admission.holds()
    const requestedAt = now()
    this.admission.renew(await tenant.calls.end(node, calls, holds), holds, requestedAt)
  }

  /** Gives granted calls back that were not made in time, where no report of completions does it: the session may be quiet now. */
  async giveBack(): Promise<void> {
    try {
      if (this.admission.hasOver) await this.outbox.tell()
      if (this.admission.hasOver) await this.#report([])
    } catch (thrown) {
      // A deleted tenant counts nothing; any other has them back when they would have ended at the latest.
      if (!isTenantClosed(thrown)) this.#parts.logError(thrown)
    }
  }

  /** Ends the accounting of a session that is removed: running calls are lost, and all completions are reported. */
  async end(): Promise<void> {
    this.outbox.discard()
    this.admission.giveAllBack()
    await this.outbox.tell()
    await this.giveBack()
  }

  open(made: NewAccount): CallAccount {
    const { registry } = this.#parts
    const { tool } = made.call
    const counted = registry.countedAs(tool)
    if (counted === 'unknown') return this.#refused(made)
    if (counted === 'another call') return new PassedOnAccount(this, made.callId)
    const account = new OpenAccount(this, made, this.#opened(made, counted === 'quick'))
    this.#open.set(made.callId, account)
    return account
  }

  closed(callId: string): void {
    this.#open.delete(callId)
  }

  addCost(callId: string, cost: number): void {
    this.#parts.addCost?.(callId, cost)
  }

  /**
   * Costs in the receipt of a pending call at the end of its work.
   * @param ranMs how long the work ran in the sandbox
   */
  costsWithWork(callId: string, ranMs: number): CallCosts {
    const account = this.#open.get(callId)
    if (account) return account.costsWith(ranMs)
    const call = this.outbox.noted(callId)
    const cost = call && costIn(call, call.sandboxMs + ranMs)
    return cost === null ? {} : { cost }
  }

  /**
   * Ends the account of a pending call when its work ends.
   * @param outcome null for work of before a restart that was lost
   * @param ranMs how long the work ran in the sandbox
   */
  workEnded(callId: string, outcome: Outcome | null, ranMs: number): void {
    const account = this.#open.get(callId)
    if (account && outcome) {
      account.workEnded(outcome, ranMs)
      return
    }
    const call = this.outbox.noted(callId)
    if (!call) return
    const ms = this.#parts.now() - call.startedAt
    const ended = { ...call, ...(outcome && endOf(outcome)), ms, ...charged(call, call.sandboxMs + ranMs) }
    this.outbox.write(ended, true)
    this.#observe(ended, ended.failure === null ? 'done' : 'failed', NOBODY)
  }

  /**
   * Drops the known limits, since the tenant has new ones, and reports all completions.
   * @returns running calls unknown to the tenant
   */
  async limitsChanged(version: number): Promise<readonly RunningBuiltin[]> {
    this.admission.drop(version)
    await this.outbox.tell()
    await this.giveBack()
    const running: RunningBuiltin[] = []
    for (const call of this.outbox.running()) {
      if (call.admittedAs !== null) continue
      call.admittedAs = call.callId
      const { callId, key, agent, tool } = call
      running.push({ callId, key, agent, tool, lastsMs: lastsMs(call) })
    }
    return running
  }

  /** Reports what became of a human task, at once: somebody waits for a person. Reported again until the tenant has it. */
  humanTask(task: string, what: HumanTaskReport, words?: string): void {
    const { session, now } = this.#parts
    const text = words === undefined ? {} : { words: words.slice(0, MAX_LISTED_QUESTION_CHARS).toWellFormed() }
    const entry = { ...NO_CALL, callId: task, session, tool: HUMAN_TASK, startedAt: now(), humanTask: what, ...text }
    this.outbox.write(entry, false)
    void this.outbox.tell()
  }

  /** Writes time of the session's sandbox, in one transaction with `change`. */
  sandboxTime({ startedAt, key, ...sandboxTime }: MeteredTime, change: () => void): void {
    const { session } = this.#parts
    this.outbox.writeBeside({ ...NO_CALL, callId: '', session, tool: SANDBOXES, key, startedAt, sandboxTime }, change)
    this.observed.sandboxTime(sandboxTime)
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

  /** Account of a call of an unknown tool: it is not counted, but reported as refused. */
  #refused(made: NewAccount): CallAccount {
    // A name of no tool may be any text, and goes into the audit log.
    const tool = redact(made.call.tool.slice(0, MAX_TOOL_ID_CHARS))
    const call = { ...this.#opened(made, true), tool, failure: 'not_found', isRefused: true }
    return {
      ...NOT_COUNTED,
      end: (_, note) => {
        if (note) this.outbox.writeWith(call, 'limited', (inRow) => note(inRow, {}))
        else this.outbox.write(call, false)
        this.#observe({ ...call, tool: 'unknown' satisfies NamelessTool }, 'refused', made.by)
      },
    }
  }

  /** Shows observers a call without an account that is open. */
  #observe(call: OpenCall, outcome: ObservedCall['outcome'], by: Caller): void {
    const { tool, startedAt, ms, sandboxMs, bytesIn, bytesOut, failure: reason } = call
    const amounts = { startedAt, ms, sandboxMs, queuedMs: 0, bytesIn, bytesOut }
    this.observed.ended(this.observed.begin(by), { tool, ...amounts, outcome, reason })
  }
}

/** Caller of a call that began before the last restart. */
const NOBODY: Caller = { key: null, agent: null }

/** Amounts of an entry that is no call. */
const NO_CALL = {
  ...{ key: null, agent: null, failure: null, admittedAs: null },
  ...{ ms: 0, bytesIn: 0, bytesOut: 0, sandboxMs: 0 },
}

/** Stands for a tool in an entry about a human task. */
const HUMAN_TASK = 'human_task'
