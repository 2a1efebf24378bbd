import type { CallScope } from '../call-scope.ts'
import type { ResidentLink } from '../resident/link.ts'
import type { SessionRunner } from '../sandbox/session-runner.ts'
import type { SessionSandbox } from '../sandbox/session-sandbox.ts'
import { SessionPython } from './python.ts'

interface PythonPortsParts {
  readonly sessionSandbox: SessionSandbox
  readonly link: ResidentLink
  readonly now: () => number
  /** Signal that aborts when the session is deleted. */
  readonly ended: AbortSignal
}

/** Maker of the ports of calls to a session's Python modules. */
export class PythonPorts {
  readonly #parts: PythonPortsParts

  constructor(parts: PythonPortsParts) {
    this.#parts = parts
  }

  of({ cancel, begun }: CallScope, runner: SessionRunner): SessionPython {
    const { sessionSandbox, link, now, ended } = this.#parts
    return new SessionPython({
      ...{ sessionSandbox, link, now, runner, signals: [ended, cancel] },
      ...(begun && { live: begun.follower.print }),
    })
  }
}
