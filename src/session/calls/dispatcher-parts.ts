import type { AuditApi } from '../../tenant/audit-api.ts'
import type { Registry } from '../../tools/registry.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import type { Accounting } from '../accounting.ts'
import type { BeginNotes } from '../begin-note.ts'
import type { BegunCalls } from '../begun/begun-calls.ts'
import type { CallLedger } from '../call-ledger.ts'
import type { PortMakers } from '../call-ports.ts'
import type { History } from '../history.ts'
import type { SessionJobs } from '../jobs/jobs.ts'
import type { LastingCommands } from '../lasting/lasting-commands.ts'
import type { QuietSandbox } from '../quiet-sandbox.ts'
import type { RunningCalls } from '../running-calls.ts'
import type { Scheduler } from '../scheduler.ts'
import type { CallFailures } from './call-failures.ts'
import type { HeldNotes } from './held-notes.ts'
import type { LogReads } from './log-reads.ts'

/** Parts of a session that its calls go through. */
export interface DispatcherParts {
  readonly now: () => number
  readonly registry: Registry
  /** The workspace, whose history names that call as the author of commits. */
  readonly workspace: (callId: string) => SyncedWorkspace
  readonly logReads: LogReads
  readonly held: HeldNotes
  readonly ledger: CallLedger
  readonly accounting: Accounting
  readonly audit: Pick<AuditApi, 'noteDenied'>
  readonly begun: BegunCalls
  readonly beginNotes: BeginNotes
  readonly running: RunningCalls
  readonly portMakers: PortMakers
  readonly scheduler: Scheduler
  readonly history: History
  readonly jobs: SessionJobs
  readonly lasting: Pick<LastingCommands, 'end'>
  readonly quiet: QuietSandbox
  readonly failures: CallFailures
  /** Notes a time when a call began or ended. */
  readonly used: (at: number) => void
  /** Aborts when the session is deleted. */
  readonly deleted: AbortSignal
}
