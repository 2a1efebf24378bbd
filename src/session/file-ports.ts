import type { Turn } from '../ports/turn.ts'
import type { SyncedWorkspace } from '../workspace/synced.ts'
import type { CallScope } from './call-scope.ts'
import type { Scheduler } from './scheduler.ts'

/** Ports of one call to the files, and to its place in the order of calls that change files. */
interface CallFiles {
  readonly workspace: SyncedWorkspace
  readonly turn: Turn
}

/** Maker of the ports of calls to a session's files. */
export class FilePorts {
  readonly #workspace: (callId: string) => SyncedWorkspace
  readonly #scheduler: Scheduler

  constructor(workspace: (callId: string) => SyncedWorkspace, scheduler: Scheduler) {
    this.#workspace = workspace
    this.#scheduler = scheduler
  }

  of({ callId, stopwatch }: CallScope): CallFiles {
    return {
      workspace: this.#workspace(callId),
      turn: (work) => this.#scheduler.run('write', { callId, stopwatch }, work),
    }
  }
}
