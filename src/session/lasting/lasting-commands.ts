import { LASTING_COMMAND_MS, MAX_LASTING_CHARS } from '../../core/limits/lasting.ts'
import type { Sql } from '../../ports/sql.ts'
import type { CallScope } from '../call-scope.ts'
import { longestFirst } from '../sandbox/output.ts'
import type { SessionSandbox } from '../sandbox/session-sandbox.ts'
import type { KeepCommand, KeepEnd } from './keep.ts'
import { keptFile } from './kept-end.ts'
import { type LastingCommand, LastingStore, rowOf } from './lasting-store.ts'

interface Parts {
  readonly sql: Sql
  readonly sessionSandbox: Pick<SessionSandbox, 'commands'>
  /** Has the session's alarm come soon, which looks after the command where a restart cuts it off. */
  readonly flushSoon: () => Promise<void>
  readonly now: () => number
  readonly logError: (thrown: unknown) => void
}

/**
 * Running commands that may last longer than LASTING_COMMAND_MS, while their calls wait. Each has a row from before its start until the
 * transaction that writes the end of its call; a row of an earlier life of the object is of a call that a restart cut off
 * ({@link CutOffCommands}).
 */
export class LastingCommands {
  readonly #parts: Parts
  readonly #store: LastingStore
  /** Ids of commands by call id. */
  readonly #noted = new Map<string, string>()
  /** Ids of calls that ended on a full disk, whose rows are to be dropped. */
  readonly #held = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#store = new LastingStore(parts.sql)
  }

  get areNoted(): boolean {
    return this.#noted.size > 0
  }

  /**
   * Notes a command that is about to begin, where it may last long.
   * @returns null for one whose end the sandbox need not keep
   */
  keep(call: CallScope, ...[{ callId: id, logs }, command, sandbox]: Parameters<KeepCommand>): KeepEnd | null {
    const { sql, now, flushSoon, logError } = this.#parts
    const { answer, timeoutMs, maxChars = null, secrets = [] } = command
    if (!answer || timeoutMs <= LASTING_COMMAND_MS || call.outer || sql.isReadOnly) return null
    const startedAt = now()
    const { callId, tool } = call
    const times = { startedAt, deadlineAt: startedAt + timeoutMs }
    const of = { callId, tool, isBegun: call.begun !== null, id, sandboxId: sandbox.id, ...times }
    const row = rowOf({ ...of, logs, maxChars, answer } satisfies LastingCommand)
    if (row.length > MAX_LASTING_CHARS) return null
    this.#store.put(callId, row)
    this.#noted.set(callId, id)
    flushSoon().catch(logError)
    return longestFirst(secrets)
  }

  /** Drops the row of a call that ends: to be called in the transaction of its end. */
  end(callId: string): void {
    const id = this.#noted.get(callId)
    if (id === undefined) return
    this.#noted.delete(callId)
    if (this.#parts.sql.isReadOnly) this.#held.add(callId)
    else this.#store.remove(callId)
    this.#parts.sessionSandbox.commands.leave([keptFile(id)], 0)
  }

  /** Drops the rows of calls whose ends waited for room on the disk: to be called in the transaction that writes these. */
  writeHeld(): void {
    for (const callId of this.#held) this.#store.remove(callId)
    this.#held.clear()
  }
}
