import { redact } from '../../core/redact.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql } from '../../ports/sql.ts'

/** A running command that may last long, with all that is needed to answer its call after a restart. */
export interface LastingCommand {
  readonly callId: string
  readonly tool: string
  /** Whether the call goes on without its caller, so that its outcome is kept whole. */
  readonly isBegun: boolean
  /** Id of the command in its sandbox: the call's, or of a further one where the first was not sent. */
  readonly id: string
  readonly sandboxId: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly deadlineAt: number
  /** Files for its whole outputs; null for none. */
  readonly logs: { readonly stdout: WorkspacePath; readonly stderr: WorkspacePath } | null
  readonly maxChars: number | null
  /** The `answer` of the command. */
  readonly answer: object
}

/** Rows of running commands that may last long: one for each call. */
export class LastingStore {
  readonly #table: LazyTable

  constructor(sql: Sql) {
    this.#table = new LazyTable(sql, 'lasting_commands')
  }

  all(): LastingCommand[] {
    return this.#table
      .read<{ command: string }>('SELECT command FROM lasting_commands ORDER BY call_id')
      .map(({ command }) => JSON.parse(command) as LastingCommand)
  }

  put(callId: string, text: string): void {
    this.#table.write('INSERT OR REPLACE INTO lasting_commands (call_id, command) VALUES (?, ?)', callId, text)
  }

  remove(callId: string): void {
    this.#table.read('DELETE FROM lasting_commands WHERE call_id = ?', callId)
  }
}

/** A command as its row has it: masked as the history is. */
export const rowOf = (command: LastingCommand) =>
  JSON.stringify(command, (_name, value: unknown) => (typeof value === 'string' ? redact(value) : value))
