import { MAX_ANSWER_CHARS } from '../../core/limits/answers.ts'
import type { ToolCall } from '../../core/outcome.ts'
import type { PreparedCall, Registry } from '../../tools/registry.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import type { SessionLogs } from '../session-logs.ts'
import type { CallFailures } from './call-failures.ts'
import { isOfFilesAlone, prepareCall } from './prepare-call.ts'

interface Parts {
  readonly registry: Registry
  readonly workspace: (callId: string) => SyncedWorkspace
  readonly logs: SessionLogs
  readonly failures: CallFailures
}

/** Calls that read a log file of the session, which are no calls of its history: polling a log must not fill it. */
export class LogReads {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Prepared call, if it reads a log file; else null. */
  prepare({ tool, args }: ToolCall): PreparedCall | null {
    const { registry, workspace, logs, failures } = this.#parts
    const path = logs.namedBy(args)
    if (path === null || registry.effectOf(tool) !== 'read') return null
    if (workspace('log').stat(path)) return null
    const given = args as Readonly<Record<string, unknown>>
    // The published frontend polls the logs and shows the newest calls, which stand last.
    const whole = given.silent === true && { max_chars: MAX_ANSWER_CHARS }
    // A log is UTF-8, also where it holds bytes that are no text.
    const prepared = prepareCall(registry, failures, { tool, args: { ...whole, ...given, encoding: 'utf-8' } })
    return 'refused' in prepared || !isOfFilesAlone(prepared) ? null : prepared
  }
}
