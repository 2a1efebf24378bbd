import { DISK_FULL } from '../../core/disk-full.ts'
import { newCallId } from '../../core/ids.ts'
import { MAX_HELD_CALLS } from '../../core/limits/disk.ts'
import type { Outcome, ToolCall } from '../../core/outcome.ts'
import type { SentCall } from '../../core/packed-call.ts'
import type { Caller } from '../../tenant/api.ts'
import { isLong } from '../../tools/define.ts'
import type { PreparedCall } from '../../tools/registry.ts'
import { mayCallBuiltIn, refuseTool } from '../allowed-tools.ts'
import type { Begun } from '../api.ts'
import type { BegunCall } from '../begun/begun-call.ts'
import { callPorts } from '../call-ports.ts'
import type { OuterCall } from '../call-scope.ts'
import { requireUnchanged } from '../files/conditions.ts'
import { Stopwatch } from '../stopwatch.ts'
import type { AcceptedCall, FileCall } from './accepted-call.ts'
import { asPending, changedFiles, DELETED } from './call-end.ts'
import type { DispatcherParts } from './dispatcher-parts.ts'
import { FileFamily } from './file-family.ts'
import { isOfFilesAlone, prepareCall } from './prepare-call.ts'

/** Makes the calls of a session. The methods stand in the order in which a call goes through them. */
export class Dispatcher {
  readonly #parts: DispatcherParts

  constructor(parts: DispatcherParts) {
    this.#parts = parts
  }

  /**
   * Begins a call that goes on without its caller. `ended` settles with the call.
   * @throws FailureError `limit_exceeded`
   */
  begin(call: SentCall, by: Caller = NOBODY): { readonly begun: Promise<Begun>; readonly ended: Promise<void> } {
    const { begun, ledger, now } = this.#parts
    const key = this.#keyOf(call)
    const known = key && ledger.begunBefore(key, call.tool, now())
    if (!known) return begun.begin((made) => this.call({ ...call, wantsFiles: true }, by, null, made))
    const answer = 'callId' in known ? { ...known, replayed: true as const } : known
    return { begun: Promise.resolve(answer), ended: Promise.resolve() }
  }

  /** Makes a call, and gives its outcome. Never throws for what a caller or a tool did. */
  async call(
    call: SentCall,
    by: Caller = NOBODY,
    outer: OuterCall | null = null,
    begun: BegunCall | null = null,
  ): Promise<Outcome> {
    const { now, registry, logReads, held, ledger, failures } = this.#parts
    const log = begun === null && mayCallBuiltIn(by, call.tool) ? logReads.prepare(call) : null
    if (log) return this.#runUnnoted(log, outer)
    const key = this.#keyOf(call)
    if (held.mustBeWritten && !(await held.write())) {
      const refused = this.#withoutRoom(call, begun !== null)
      if (refused) return (key && ledger.outcomeOf(key, call.tool, now())) ?? refused
    }
    const kept = key && ledger.outcomeOf(key, call.tool, now())
    if (kept) return kept
    const accepted = this.#accept(call, { by, outer, begun, key })
    const refused = await this.#whyNot(accepted)
    const prepared = refused ? { refused } : prepareCall(registry, failures, call)
    return this.#end(accepted, 'refused' in prepared ? prepared.refused : await this.#run(prepared, accepted))
  }

  #keyOf({ key, tool }: SentCall) {
    return key && this.#parts.registry.effectOf(tool) !== 'read' ? key : null
  }

  /** Why a call may not run on a full disk; null when it only reads. A refused call is not noted. */
  #withoutRoom({ tool }: ToolCall, isBegun: boolean): Outcome | null {
    const { registry, history } = this.#parts
    // A begun call is noted before it runs.
    const isRead = !isBegun && registry.effectOf(tool) === 'read' && history.held < MAX_HELD_CALLS
    return isRead ? null : { kind: 'refused', failure: DISK_FULL }
  }

  #accept(call: SentCall, from: Pick<AcceptedCall, 'by' | 'outer' | 'begun' | 'key'>): AcceptedCall {
    const { now, registry, workspace, ledger, accounting, used } = this.#parts
    const callId = call.callId ?? newCallId(now())
    const stopwatch = new Stopwatch(now)
    const entry = {
      callId,
      tool: call.tool,
      args: registry.keptArgs(call),
      parent: from.outer?.callId ?? null,
      agent: from.by.agent,
      now: now(),
    }
    used(entry.now)
    const since = call.wantsFiles ? workspace(callId).headSeq() : null
    const family = from.outer?.family ?? (since === null ? null : new FileFamily(callId))
    if (family && since === null) family.callIds.push(callId)
    if (from.key) ledger.accept(from.key, { callId, tool: call.tool, at: entry.now })
    const account = accounting.open({ callId, call, by: from.by, startedAt: entry.now, stopwatch })
    return { ...from, callId, stopwatch, entry, since, family, account, unchanged: call.unchanged }
  }

  /** Why a call may not begin; null when it may. */
  async #whyNot({ account, by, entry }: AcceptedCall): Promise<Outcome | null> {
    const { audit, failures } = this.#parts
    try {
      if (!mayCallBuiltIn(by, entry.tool)) await refuseTool(by, entry.tool, audit)
      const asking = account.admit()
      if (asking) await asking
      return null
    } catch (thrown) {
      return failures.refused(thrown)
    }
  }

  async #run(prepared: PreparedCall, accepted: AcceptedCall): Promise<Outcome> {
    const { callId, stopwatch, entry, by, outer, account, begun, key, family } = accepted
    if (!begun && isOfFilesAlone(prepared)) return this.#runOnFiles(prepared, accepted)
    const { running, deleted, beginNotes, history, accounting, portMakers, scheduler, ledger, failures } = this.#parts
    const isCancellable = isLong(prepared.effect)
    const cancel = new AbortController()
    if (isCancellable) running.begin(callId, cancel)
    if (deleted.aborted) cancel.abort(deleted.reason)
    const known = beginNotes.open(() => {
      history.begin(entry)
      accounting.outbox.noteRunning(callId)
    }, isCancellable)
    if (begun) {
      known.now()
      begun.note(callId)
    }
    try {
      const stop = outer ? AbortSignal.any([outer.signal, cancel.signal]) : cancel.signal
      const followed = begun ?? outer?.begun ?? null
      const follower = followed?.follower ?? (isCancellable ? running.follower(callId) : null)
      const made = { callId, stopwatch, tool: entry.tool, cancel: stop, by, outer, known, account, family }
      const ports = callPorts(portMakers, { ...made, begun: followed, follower })
      // The session's end cancels the cancellable ones: its own signal outlives them all.
      const signal = isCancellable ? stop : deleted
      const result = await scheduler.run(prepared.effect, { callId, stopwatch, hasFiles: outer?.hasFiles }, () => {
        // The call may have waited in the queue for longer than its caller waits.
        outer?.signal.throwIfAborted()
        if (key) {
          ledger.begin(key)
          known.now()
        }
        return prepared.run(ports, signal)
      })
      return 'soFar' in result ? { kind: 'pending', ...result } : { kind: 'done', result }
    } catch (thrown) {
      return failures.ended(thrown)
    } finally {
      known.settle()
    }
  }

  /** Runs a tool that answers at once from the files alone: no part of it can be cancelled, or be noted before its end. */
  async #runOnFiles(prepared: PreparedCall, call: FileCall): Promise<Outcome> {
    const { callId, stopwatch, outer, unchanged, key } = call
    const { workspace, scheduler, ledger, failures, deleted } = this.#parts
    try {
      const result = await scheduler.run(prepared.effect, { callId, stopwatch, hasFiles: outer?.hasFiles }, () => {
        outer?.signal.throwIfAborted()
        const files = workspace(callId)
        if (unchanged) requireUnchanged(files.filesAt(null), unchanged)
        if (key) ledger.begin(key)
        return prepared.run({ workspace: files }, deleted)
      })
      return 'soFar' in result ? { kind: 'pending', ...result } : { kind: 'done', result }
    } catch (thrown) {
      return failures.ended(thrown)
    }
  }

  /** Notes the end of a call. The call of a deleted session leaves no note. */
  #end({ callId, stopwatch, entry, account, key, since, family, outer }: AcceptedCall, ran: Outcome): Outcome {
    const { now, registry, workspace, history, jobs, lasting, ledger, running, quiet, deleted, used } = this.#parts
    let receipt = stopwatch.receipt()
    const files = () => since !== null && { files: changedFiles(workspace(callId), since, family) }
    const outcome = (): Outcome => ({ ...ran, receipt, callId, ...files() })
    const isDeleted = deleted.aborted
    if (!isDeleted) {
      // In one transaction, since nothing is awaited in between.
      const goesOn = jobs.isBegun(callId)
      if (goesOn) account.hold()
      const noted = goesOn ? asPending(ran) : ran
      account.end(ran, (end, costs) => {
        receipt = { ...receipt, ...costs }
        history.end(entry, noted, receipt, now(), end)
      })
      const { cost, calls_cost: callsCost = 0 } = receipt
      if (cost !== undefined) outer?.charged?.(cost + callsCost)
      if (registry.effectOf(entry.tool) === 'run') history.keepAnswer(callId, ran)
      if (key) ledger.end(key, outcome(), now())
      lasting.end(callId)
    }
    running.end(callId)
    quiet.callEnded()
    if (isDeleted) return { kind: 'failed', failure: DELETED }
    used(now())
    return outcome()
  }

  /** Runs a read that is no call of the history, and counts for nothing. */
  async #runUnnoted(prepared: PreparedCall, outer: OuterCall | null): Promise<Outcome> {
    const { now } = this.#parts
    const call = { callId: newCallId(now()), stopwatch: new Stopwatch(now), outer, unchanged: undefined, key: null }
    const ran = await this.#runOnFiles(prepared, call)
    return { ...ran, receipt: call.stopwatch.receipt() }
  }
}

const NOBODY: Caller = { key: null, agent: null }
