import type { Ports } from '../ports/index.ts'
import type { Jobs } from '../ports/jobs.ts'
import type { BeginNote } from './begin-note.ts'
import type { CallScope } from './call-scope.ts'
import type { ConsolePorts } from './consoles/console-ports.ts'
import type { SessionConsoles } from './consoles/consoles.ts'
import { BackgroundPort } from './jobs/background-port.ts'
import type { SessionJobs } from './jobs/jobs.ts'
import { jobsPort } from './jobs/jobs-port.ts'
import type { SessionPython } from './python/python.ts'
import type { PythonPorts } from './python/python-ports.ts'
import type { RunnerPorts } from './runner-ports.ts'
import type { SessionRunner } from './sandbox/session-runner.ts'
import type { CallContext } from './sandbox/session-sandbox.ts'

interface Makers {
  readonly context: (callId: string, known: BeginNote) => CallContext
  readonly runners: RunnerPorts
  readonly consoles: ConsolePorts
  readonly python: PythonPorts
  readonly jobs: SessionJobs
  readonly now: () => number
}

/** Maker of the ports of calls to a session's sandbox. */
export class SandboxPorts {
  readonly #makers: Makers

  constructor(makers: Makers) {
    this.#makers = makers
  }

  /** The ports of one call, each made on first use; all of them run commands as the call. */
  of(call: CallScope): CallSandbox {
    return new CallSandbox(this.#makers, call)
  }
}

class CallSandbox implements Pick<Ports, 'runner' | 'consoles' | 'python' | 'jobs' | 'background'> {
  readonly #makers: Makers
  readonly #call: CallScope
  readonly #context: CallContext
  #runner: SessionRunner | null = null
  #consoles: SessionConsoles | null = null
  #python: SessionPython | null = null

  constructor(makers: Makers, call: CallScope) {
    this.#makers = makers
    this.#call = call
    this.#context = makers.context(call.callId, call.known)
  }

  get runner(): SessionRunner {
    this.#runner ??= this.#makers.runners.of(this.#call, this.#context)
    return this.#runner
  }

  get consoles(): SessionConsoles {
    this.#consoles ??= this.#makers.consoles.of(this.#call, this.#context, this.runner)
    return this.#consoles
  }

  get python(): SessionPython {
    this.#python ??= this.#makers.python.of(this.#call, this.runner)
    return this.#python
  }

  get background(): BackgroundPort {
    const { jobs, now } = this.#makers
    return new BackgroundPort({
      jobs,
      call: this.#call,
      runner: () => this.runner,
      workspace: this.#context.workspace,
      now,
    })
  }

  get jobs(): Jobs {
    return jobsPort(this.#makers.jobs, this.#call, () => this.runner)
  }
}
