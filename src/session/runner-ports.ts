import type { CallScope } from './call-scope.ts'
import type { LastingCommands } from './lasting/lasting-commands.ts'
import type { Mutex } from './mutex.ts'
import type { RunningCalls } from './running-calls.ts'
import type { OverdueCommands } from './sandbox/overdue.ts'
import { SessionRunner } from './sandbox/session-runner.ts'
import type { CallContext, SessionSandbox } from './sandbox/session-sandbox.ts'
import type { Supervisor } from './supervisor/supervisor.ts'

interface RunnerParts {
  readonly sessionSandbox: SessionSandbox
  readonly mutex: Mutex
  /** Environment of every command. */
  readonly env: Readonly<Record<string, string>>
  readonly overdue: OverdueCommands
  readonly supervisor: Supervisor
  readonly running: RunningCalls
  /** Author of what work beside a call wrote before it; null while there is none that outlives its call. */
  readonly leftWriter: () => string | null
  readonly context: (callId: string) => CallContext
  readonly lasting: Pick<LastingCommands, 'keep'>
}

/** Maker of runners, which run the calls' commands in the session's sandbox. */
export class RunnerPorts {
  readonly #parts: RunnerParts

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  of(call: CallScope, caller: CallContext): SessionRunner {
    const { callId, stopwatch, cancel, follower, family } = call
    const { sessionSandbox, mutex, env, overdue, supervisor, running, leftWriter, context } = this.#parts
    const used = () => running.noteSandbox(callId, family, sessionSandbox.unsettled)
    return new SessionRunner({
      sessionSandbox,
      mutex,
      env,
      overdue,
      supervisor,
      caller,
      callId,
      stopwatch,
      cancel,
      used,
      before: () => {
        const writer = leftWriter()
        return writer === null ? null : context(writer)
      },
      keep: (...command) => this.#parts.lasting.keep(call, ...command),
      ...(follower && { live: follower }),
    })
  }
}
