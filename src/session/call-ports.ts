import { once } from '../core/once.ts'
import type { OutsidePorts, Ports } from '../ports/index.ts'
import type { Secrets } from '../ports/secrets.ts'
import { type Nesting, outermost } from '../registry/chain/budget.ts'
import type { Caller } from '../tenant/api.ts'
import type { SyncedWorkspace } from '../workspace/synced.ts'
import type { BeginNote } from './begin-note.ts'
import type { CallAccount } from './call-account.ts'
import type { SessionCircuits } from './circuits.ts'
import { SessionConsoles } from './consoles/consoles.ts'
import type { ConsolePace } from './consoles/pace.ts'
import type { SessionJobs } from './jobs/jobs.ts'
import type { Mutex } from './mutex.ts'
import type { SessionNotes } from './notes.ts'
import type { SessionPeople } from './people.ts'
import { SessionPython } from './python/python.ts'
import type { ResidentLink } from './resident/link.ts'
import type { RunningCalls } from './running-calls.ts'
import type { OverdueCommands } from './sandbox/overdue.ts'
import { SessionRunner } from './sandbox/session-runner.ts'
import type { CallContext, SessionSandbox } from './sandbox/session-sandbox.ts'
import type { Scheduler } from './scheduler.ts'
import type { Stopwatch } from './stopwatch.ts'
import type { Supervisor } from './supervisor/supervisor.ts'
import type { SessionToolbox } from './toolbox/toolbox.ts'

/** Shared state of all calls of a session. */
export interface Shared {
  readonly outside: OutsidePorts
  readonly secrets: Secrets
  readonly env: Readonly<Record<string, string>>
  readonly now: () => number
  readonly workspace: (callId: string) => SyncedWorkspace
  readonly caller: (callId: string, known: BeginNote) => CallContext
  readonly sessionSandbox: SessionSandbox
  readonly mutex: Mutex
  readonly overdue: OverdueCommands
  readonly scheduler: Scheduler
  readonly jobs: SessionJobs
  readonly running: RunningCalls
  readonly python: ResidentLink
  readonly supervisor: Supervisor
  readonly supervisorLink: ResidentLink
  readonly consolePace: ConsolePace
  readonly circuits: SessionCircuits
  readonly notes: SessionNotes
  readonly people: SessionPeople
  readonly toolbox: SessionToolbox
  /** Signal that aborts when the session is deleted. */
  readonly ended: AbortSignal
}

/** The call that makes another one. */
export interface OuterCall {
  readonly signal: AbortSignal
  readonly nesting: Nesting
}

/** One running call. */
export interface CallScope {
  readonly callId: string
  readonly stopwatch: Stopwatch
  readonly tool: string
  readonly cancel: AbortSignal
  readonly by: Caller
  readonly outer: OuterCall | null
  readonly known: BeginNote
  readonly account: CallAccount
}

/** Ports of one call's tool to its session. A call uses few of these: those that cost something are made on first use. */
export function callPorts(shared: Shared, call: CallScope): Ports {
  const { callId, stopwatch, tool, cancel, by, outer, known, account } = call
  const { outside, secrets, env, now, sessionSandbox, mutex, jobs, overdue, supervisor } = shared
  const workspace = once(() => shared.workspace(callId))
  const caller = once(() => shared.caller(callId, known))
  const used = () => shared.running.noteSandbox(callId)
  const runner = once(
    () =>
      new SessionRunner({
        sessionSandbox,
        caller: caller(),
        mutex,
        callId,
        env,
        stopwatch,
        cancel,
        used,
        overdue,
        supervisor,
      }),
  )
  const consoles = once(
    () =>
      new SessionConsoles({
        sessionSandbox,
        caller: caller(),
        mutex,
        runner: runner(),
        link: shared.supervisorLink,
        pace: shared.consolePace,
        now,
        signals: [shared.ended, cancel],
      }),
  )
  const python = once(() => {
    const signals = [shared.ended, cancel]
    return new SessionPython({ sessionSandbox, runner: runner(), link: shared.python, now, signals })
  })
  const toolbox = once(() => {
    const nesting = outer?.nesting ?? outermost()
    return shared.toolbox.port({ callId, by, wasNoted: () => known.isMade, account, nesting, ports })
  })
  const ports: Ports = {
    ...outside,
    secrets,
    circuits: shared.circuits,
    clock: { now },
    get workspace() {
      return workspace()
    },
    get locks() {
      return workspace().locks
    },
    turn: (work) => shared.scheduler.run('write', { callId, stopwatch }, work),
    notes: shared.notes,
    people: shared.people,
    get toolbox() {
      return toolbox()
    },
    packages: { installed: (specs) => sessionSandbox.packages.add(specs) },
    get runner() {
      return runner()
    },
    get consoles() {
      return consoles()
    },
    get python() {
      return python()
    },
    jobs: {
      begin: async (job) => {
        known.now()
        return jobs.begin(callId, tool, job, runner())
      },
      wait: async (id, patienceMs) => {
        if (patienceMs <= 0) await jobs.refresh(id)
        return jobs.wait(id, patienceMs)
      },
      cancel: (id) => jobs.cancel(id),
    },
  }
  return ports
}
