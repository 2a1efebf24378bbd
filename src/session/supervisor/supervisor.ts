import { CODE_ANSWER_SECONDS } from '../../core/limits/code-mode.ts'
import { KILL_GRACE_MS } from '../../core/limits/sandbox.ts'
import { MAX_SHELL_REQUEST_CHARS, SHELLS_RETRY_MS, SHELLS_SILENCE_MS } from '../../core/limits/shells.ts'
import type { LiveFollower } from '../../ports/runner.ts'
import { type Sandbox, SandboxGone, SandboxNotThere } from '../../ports/sandbox.ts'
import { liveReader } from '../live/live-reader.ts'
import { ResidentGone, type ResidentLink } from '../resident/link.ts'
import { type Ended, mark, type Unable, type Wrapped } from '../sandbox/exec-script.ts'
import { beforeCommand } from '../sandbox/not-begun.ts'
import { type AnswerCall, callReader } from './call-reader.ts'
import { readReply } from './reply.ts'

/** Outcome of a request to the supervisor to run a command. */
export type Supervised =
  | Ended
  | Unable
  /** The command's deadline came. */
  | 'late'
  /** The command has not begun, and does not begin: it can be run without the supervisor. */
  | 'elsewhere'
  /** The supervisor was lost: whether and how far the command ran is not known. */
  | 'lost'

interface Terms {
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Takes what the command prints while it runs; left out where nobody follows it. */
  readonly live?: LiveFollower
  /** Answers calls of the command's program; left out where it makes none. */
  readonly calls?: AnswerCall
  /** Texts to mask in the command's end, which the sandbox keeps then; left out where it need not. */
  readonly kept?: readonly string[]
}

const ENDED = 'the sandbox ended while this ran: it was killed, or its disk is full'

/** Longest time between two checks that the supervisor is awake. */
const MAX_SILENCE_MS = 30_000

/** Runs commands by the supervisor in the session's sandbox: one message there, one back. */
export class Supervisor {
  readonly #link: ResidentLink
  readonly #now: () => number
  /** A sandbox in which the supervisor does not start, and the time until which that is assumed. */
  #without = { sandboxId: '', until: 0 }

  constructor(link: ResidentLink, now: () => number) {
    this.#link = link
    this.#now = now
  }

  /**
   * Runs a command.
   * @throws SandboxGone when the sandbox ended; SandboxNotThere where the sandbox did not confirm that it has the command;
   * NotBegun where the command was not sent
   */
  async run(sandbox: Sandbox, wrapped: Wrapped, terms: Terms): Promise<Supervised> {
    const { sandboxId, until } = this.#without
    if (sandboxId === sandbox.id && this.#now() < until) return 'elsewhere'
    const request = requestOf(wrapped, terms)
    if (JSON.stringify(request).length > MAX_SHELL_REQUEST_CHARS) return 'elsewhere'
    let isSent = false
    const sent = () => {
      isSent = true
    }
    try {
      await beforeCommand(this.#link.open(sandbox, terms.signal))
      const heard = this.#heard(sandbox, wrapped, terms)
      const reply = this.#link.ask(sandbox, request, terms.signal, sent, heard)
      await this.#keepAwake(sandbox, reply, terms)
      terms.signal.throwIfAborted()
      return readReply(await reply, wrapped.watched) ?? 'lost'
    } catch (thrown) {
      terms.signal.throwIfAborted()
      if (isSent) {
        if (thrown instanceof SandboxGone) throw new SandboxGone(thrown.message, { cause: thrown })
        // As with a command of its own: a further request to such a sandbox might wake it, or start it again.
        if (thrown instanceof ResidentGone && thrown.isBroken) throw new SandboxGone(ENDED, { cause: thrown })
        return 'lost'
      }
      if (thrown instanceof SandboxNotThere) throw thrown
      this.#without = { sandboxId: sandbox.id, until: this.#now() + SHELLS_RETRY_MS }
      return 'lost'
    }
  }

  /** Reader of the messages about a running command. */
  #heard(sandbox: Sandbox, { callId }: Wrapped, { live, calls, signal }: Terms) {
    const showLive = live && liveReader(live.print)
    const answer = (n: number, text: string) => {
      const id = crypto.randomUUID()
      return this.#link.ask(sandbox, { do: 'answer', id, of: callId, n, text, seconds: CODE_ANSWER_SECONDS }, signal)
    }
    const makeCall = calls && callReader(calls, answer)
    if (!showLive && !makeCall) return undefined
    return (message: unknown) => {
      showLive?.(message)
      makeCall?.(message)
    }
  }

  /** Process id of the supervisor, as far as is known. */
  pidIn(sandbox: Sandbox): number | null {
    return this.#link.pidIn(sandbox.id)
  }

  /** Waits for `reply`. A command may have stopped the supervisor with all others, which is then continued. */
  async #keepAwake(sandbox: Sandbox, reply: Promise<unknown>, { timeoutMs, signal }: Terms): Promise<void> {
    for (let ms = SHELLS_SILENCE_MS; !(await comesWithin(ms, reply, signal)); ms = Math.min(2 * ms, MAX_SILENCE_MS)) {
      const question = { do: 'ping', id: crypto.randomUUID(), seconds: timeoutMs / 1000 }
      const pong = this.#link.ask(sandbox, question, signal)
      if (await comesWithin(SHELLS_SILENCE_MS, Promise.race([pong, reply]), signal)) continue
      const pid = this.pidIn(sandbox)
      if (pid !== null)
        await sandbox.run(`kill -CONT ${pid}`, { timeoutMs: KILL_GRACE_MS, signal }).catch(() => undefined)
    }
  }
}

const requestOf = (wrapped: Wrapped, { env, timeoutMs, live, calls, kept }: Terms) => ({
  do: 'run',
  id: wrapped.callId,
  mark: mark(wrapped.callId),
  ...(typeof wrapped.script === 'string' ? { script: wrapped.script } : { script: '', file: wrapped.script.file }),
  cwd: wrapped.cwd,
  env,
  seconds: timeoutMs / 1000,
  watch: wrapped.watchPort,
  logs: wrapped.logs && [wrapped.logs.stdout, wrapped.logs.stderr],
  kept_above: wrapped.keptAboveBytes,
  sweep: wrapped.sweep.files,
  before: wrapped.sweep.before,
  ...(live && { live: live.afterSeconds }),
  ...(calls && { calls: true }),
  ...(kept && { kept }),
})

/** Waits for work. @returns false when the time was over first; an error of `work` and an abort are an end as well */
async function comesWithin(ms: number, work: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const end = () => resolve(true)
  const timer = setTimeout(resolve, ms, false)
  work.then(end, end)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}
