import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import {
  CELL_STOP_MS,
  COMMAND_END_MS,
  CONSOLE_REPLY_MS,
  CONSOLE_START_MS,
  MAX_CONSOLE_PACE_MS,
} from '../../core/limits/consoles.ts'
import type { ConsoleNotices, ConsoleRequest, Consoles } from '../../ports/consoles.ts'
import type { LiveFollower } from '../../ports/runner.ts'
import type { Mutex } from '../mutex.ts'
import type { ResidentLink } from '../resident/link.ts'
import type { SessionRunner } from '../sandbox/session-runner.ts'
import type { CallContext, SessionSandbox } from '../sandbox/session-sandbox.ts'
import { askByCommand } from './by-command.ts'
import { askByLink } from './by-link.ts'
import type { ConsolePace } from './pace.ts'
import type { Answered } from './question.ts'
import { checkedReply, NO_REPLY, NOT_IN_TIME, workMs } from './reply.ts'

/** Least time between two questions about a cell that has not begun. */
const MIN_QUESTION_MS = 1_000
/** Time for which the host waits for a pause in a shell's output. */
const SHELL_SETTLE_MS = 1_000

interface ConsolesParts {
  readonly runner: SessionRunner
  readonly sessionSandbox: SessionSandbox
  readonly link: ResidentLink
  readonly mutex: Mutex
  readonly caller: CallContext
  readonly pace: ConsolePace
  readonly now: () => number
  /** Signals that end the call. */
  readonly signals: readonly AbortSignal[]
  /** Takes what cells and shells print while they run; left out where nobody follows the call. */
  readonly live?: LiveFollower
}

type CellRequest = Extract<ConsoleRequest, { do: 'cell' | 'scratch' }>
type HostRequest = ConsoleRequest & { readonly stop?: number }
const HELLO = { do: 'hello', wait: 0 } as const

/** The `Consoles` port for one call: asks the host in the sandbox by its supervisor, or by a command where no supervisor runs. */
export class SessionConsoles implements Consoles {
  readonly #parts: ConsolesParts
  #notices: ConsoleNotices = { conflicts: [], notes: [] }

  constructor(parts: ConsolesParts) {
    this.#parts = parts
  }

  async ask(request: ConsoleRequest, awakeMs: number) {
    this.#notices = { conflicts: [], notes: [] }
    const reply = await this.#replyTo(request, awakeMs)
    return { reply, notices: this.#notices }
  }

  #replyTo(request: ConsoleRequest, awakeMs: number): Promise<unknown> {
    if (request.do !== 'cell' && request.do !== 'scratch') return this.#question(request, awakeMs)
    return isReset(request) ? this.#question({ ...request, stop: 0 }, awakeMs) : this.#cell(request, awakeMs)
  }

  /**
   * Runs a cell, whose time begins when the cell does, as only the host knows: the host is asked until the time when a cell
   * begun at once would end, and then for as long as it reports time left.
   */
  async #cell(request: CellRequest, awakeMs: number): Promise<unknown> {
    const { now, pace } = this.#parts
    const until = now() + request.wait * 1_000
    const stopMs = CELL_STOP_MS + pace.ms
    // The host's report may be a lie, so it is believed once.
    let due: number | null = null
    let next: CellRequest = request
    for (;;) {
      const stopped = (due ?? now() + Math.max(request.seconds * 1_000, MIN_QUESTION_MS)) + stopMs
      const end = Math.min(until, stopped)
      const sentAt = now()
      const wait = Math.max(0, end - sentAt) / 1_000
      const reply = await this.#question({ ...next, stop: stopMs / 1_000, wait }, awakeMs, stopped - end)
      const pending = Pending.safeParse(reply)
      if (!pending.success || now() >= until) return reply
      if (due !== null && now() >= due + stopMs) return fail('timeout', NOT_IN_TIME)
      // The host waits that long for the cell's end. A forged host would be asked without a pause.
      if (now() - sentAt < (wait * 1_000) / 2) return fail('upstream', NO_REPLY)
      const { left } = pending.data
      if (left !== null) due ??= now() + Math.min(left, request.seconds) * 1_000
      next = { ...request, run: pending.data.pending }
    }
  }

  /** @param spareMs time from the end of the request's wait until the deadline of the work */
  async #question(request: HostRequest, awakeMs: number, spareMs = spareOf(request)): Promise<unknown> {
    const timeoutMs = () => this.#timeoutMs(replyMs(request), spareMs)
    const first = await this.#once(request, timeoutMs(), awakeMs)
    if (first.isThere) return checkedReply(first.reply)
    checkedReply(await this.#begin(awakeMs))
    const again = await this.#once(request, timeoutMs(), awakeMs)
    return again.isThere ? checkedReply(again.reply) : fail('upstream', NO_REPLY)
  }

  /** Installs the host in the sandbox, and starts it. */
  async #begin(awakeMs: number): Promise<unknown> {
    const timeoutMs = this.#timeoutMs(CONSOLE_START_MS, 0)
    const begun = await askByCommand(this.#parts, { request: HELLO, timeoutMs, awakeMs }, true)
    this.#note(begun.notices)
    return begun.isThere ? begun.reply : null
  }

  async #once(request: HostRequest, timeoutMs: number, awakeMs: number): Promise<Answered> {
    const { pace } = this.#parts
    const question = { request, timeoutMs, awakeMs }
    const answered = (await askByLink(this.#parts, question)) ?? (await askByCommand(this.#parts, question, false))
    this.#note(answered.notices)
    const work = answered.isThere ? workMs(answered.reply) : 0
    if (work !== null) pace.measured(answered.ms, work)
    return answered
  }

  /**
   * Time after which a reply is late. A machine may be busy all of a sudden, so a request whose end is no deadline is allowed the
   * slowest pace: a reply that comes late is true, and none is taken for an error.
   * @param mostMs longest time that the host takes for the request
   */
  #timeoutMs(mostMs: number, spareMs: number): number {
    return mostMs + CONSOLE_REPLY_MS + Math.max(this.#parts.pace.allowedMs, Math.min(spareMs, MAX_CONSOLE_PACE_MS))
  }

  #note({ conflicts, notes, restored }: ConsoleNotices): void {
    this.#notices = {
      conflicts: [...this.#notices.conflicts, ...conflicts],
      notes: [...this.#notices.notes, ...notes],
      ...((restored ?? this.#notices.restored) && { restored: restored ?? this.#notices.restored }),
    }
  }
}

/** Longest time that the host takes for a request, in milliseconds. */
function replyMs(request: ConsoleRequest): number {
  if (request.do === 'command' && !request.run_async)
    return Math.min(request.seconds, request.wait) * 1_000 + COMMAND_END_MS
  const isShell = request.do !== 'cell' && request.do !== 'scratch'
  return request.wait * 1_000 + (isShell ? SHELL_SETTLE_MS : 0)
}

/** Time from the end of a request's wait until the deadline of its work, in milliseconds. Only commands have one. */
function spareOf(request: ConsoleRequest): number {
  if (request.do !== 'command' || request.run_async) return Number.POSITIVE_INFINITY
  return Math.max(0, request.seconds - request.wait) * 1_000
}

const isReset = ({ reset, code }: CellRequest) => reset && code.trim() === ''

const Pending = z.object({ pending: z.string(), left: z.number().nullable() })
