import type { CallScope } from '../call-scope.ts'
import type { Mutex } from '../mutex.ts'
import type { ResidentLink } from '../resident/link.ts'
import type { SessionRunner } from '../sandbox/session-runner.ts'
import type { CallContext, SessionSandbox } from '../sandbox/session-sandbox.ts'
import { SessionConsoles } from './consoles.ts'
import { ConsolePace } from './pace.ts'

interface ConsolePortsParts {
  readonly sessionSandbox: SessionSandbox
  readonly mutex: Mutex
  /** Connection to the supervisor, which reaches the host of notebook and shells. */
  readonly link: ResidentLink
  readonly now: () => number
  /** Signal that aborts when the session is deleted. */
  readonly ended: AbortSignal
}

/** Maker of the ports of calls to a session's notebook and shells, whose pace it measures over all calls. */
export class ConsolePorts {
  readonly #parts: ConsolePortsParts
  readonly #pace = new ConsolePace()

  constructor(parts: ConsolePortsParts) {
    this.#parts = parts
  }

  of({ cancel, follower }: CallScope, caller: CallContext, runner: SessionRunner): SessionConsoles {
    const { sessionSandbox, mutex, link, now, ended } = this.#parts
    const signals = [ended, cancel]
    return new SessionConsoles({
      ...{ sessionSandbox, mutex, link, now, caller, runner, pace: this.#pace, signals },
      ...(follower && { live: follower }),
    })
  }
}
