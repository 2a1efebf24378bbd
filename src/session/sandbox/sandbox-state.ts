import type { Internet } from '../../core/internet.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import { type Sandbox, SandboxGone } from '../../ports/sandbox.ts'
import type { Sql } from '../../ports/sql.ts'

/** Stored state of a session's sandbox, for the time that the session sleeps. */
export interface SandboxState {
  readonly sandboxId: string
  /** False until the sandbox was prepared and filled for the first time: one interrupted before that is of no use. */
  readonly booted: boolean
  /** Number of the commit that was pushed last. */
  readonly pushedSeq: number
  /** Port of the watcher; null when there is none. */
  readonly watchPort: number | null
  /** `IgnoreList.key` of the paths that the watcher ignores. */
  readonly unwatched: string
  /** Count of the watcher at the last listing that was applied. */
  readonly watched: string | null
  /**
   * True for a dirty sandbox, which may be changing files without a running command, or has changes that were not committed. Rows of
   * earlier versions have this name.
   */
  readonly unsettled: boolean
  /** True when the sandbox was paused after its files were committed, so that nothing changes in it. */
  readonly paused?: boolean
  /** Time of the first look since the last whole one that went by the watcher's journal, in milliseconds; null for none. */
  readonly uncheckedSince?: number | null
  /** True when the watcher missed a change: every look is a whole one from then on. */
  readonly isDoubted?: boolean
  /** Account of its time; missing until its next use where an earlier version made it. */
  readonly meter?: SandboxMeterState
  /** Calls past their deadlines whose commands may still run in the sandbox. */
  readonly overdue?: readonly Overdue[]
  /** Internet policy that it was made with; missing where an earlier version made it. */
  readonly internet?: Internet
}

/** State of a sandbox that has nothing yet. */
export const NEW_SANDBOX_STATE: Omit<SandboxState, 'sandboxId'> = {
  booted: false,
  pushedSeq: -1,
  watchPort: null,
  unwatched: '',
  watched: null,
  unsettled: false,
}

/** Account of a sandbox's time. Times in milliseconds since 1970. */
export interface SandboxMeterState {
  /** Time up to which it is written down. */
  readonly to: number
  /** Time at which the provider pauses it by itself. */
  readonly until: number
  /** Key of the last call that used it; null for none. */
  readonly key: string | null
}

/** A call past its deadline. */
export interface Overdue {
  readonly callId: string
  /** True when all processes of the call have its mark, and so can be found and ended. */
  readonly isMarked: boolean
}

/**
 * Row of the session's sandbox, and rows of the discarded ones. The table keeps its first name, `machine`: a migration that only
 * renames would cost each session a write, and no code but this reads it.
 */
export class SandboxStateStore {
  readonly #sql: Sql
  readonly #machine: LazyTable
  readonly #left: LazyTable
  #state: SandboxState | null | undefined

  constructor(sql: Sql) {
    this.#sql = sql
    this.#machine = new LazyTable(sql, 'machine')
    this.#left = new LazyTable(sql, 'left_sandboxes')
  }

  /** Number of usable sandboxes that this session has had. */
  generation(): number {
    return this.#machine.read<{ generation: number }>('SELECT generation FROM machine')[0]?.generation ?? 0
  }

  /** State of the session's sandbox. @returns null when the session has none */
  load(): SandboxState | null {
    if (this.#state === undefined) {
      const [row] = this.#machine.read<{ state: string | null }>('SELECT state FROM machine')
      this.#state = row?.state ? (JSON.parse(row.state) as SandboxState) : null
    }
    return this.#state
  }

  /** State of this sandbox. @throws SandboxGone when it is no longer the session's */
  of(sandbox: Sandbox): SandboxState {
    const state = this.load()
    if (state?.sandboxId !== sandbox.id) throw new SandboxGone('the sandbox was given up')
    return state
  }

  /** Notes the request for a sandbox: from now on it may exist, known by its label only. */
  expect(label: string): void {
    this.#left.write('INSERT INTO left_sandboxes (label) VALUES (?)', label)
  }

  /** Notes that the sandbox requested under `label` is the session's. */
  begin(label: string, state: SandboxState): void {
    this.#machine.make()
    this.#sql.transaction(() => {
      this.#left.read('DELETE FROM left_sandboxes WHERE label = ?', label)
      this.#sql.all(
        `INSERT INTO machine (id, generation, state) VALUES (1, 0, ?)
         ON CONFLICT (id) DO UPDATE SET state = excluded.state`,
        JSON.stringify(state),
      )
    })
    this.#state = state
  }

  /** Changes the stored state of a sandbox, if it is still the session's. */
  update(sandboxId: string, changes: Partial<Omit<SandboxState, 'sandboxId'>>): void {
    const state = this.load()
    if (state?.sandboxId !== sandboxId) return
    const next = { ...state, ...changes }
    const generations = next.booted && !state.booted ? 1 : 0
    this.#sql.all('UPDATE machine SET state = ?, generation = generation + ?', JSON.stringify(next), generations)
    this.#state = next
  }

  /**
   * Changes the state in memory, until the next {@link update} writes it: for what a restarted session finds out again from what was
   * written before. Saves a row.
   */
  defer(sandboxId: string, changes: Pick<SandboxState, 'pushedSeq'>): void {
    const state = this.load()
    if (state?.sandboxId === sandboxId) this.#state = { ...state, ...changes }
  }

  /** Moves the session's sandbox to the discarded ones, which must be ended. */
  leave(): void {
    const state = this.load()
    if (!state) return
    this.#left.make()
    this.#sql.transaction(() => {
      this.#sql.all('UPDATE machine SET state = NULL')
      this.#sql.all(
        'INSERT OR REPLACE INTO left_sandboxes (label, sandbox_id) VALUES (?, ?)',
        state.sandboxId,
        state.sandboxId,
      )
    })
    this.#state = null
  }

  /** Discarded sandboxes that may still exist. `id` is null when it is unknown whether one was made. */
  left(): { readonly label: string; readonly id: string | null }[] {
    return this.#left
      .read<{ label: string; sandbox_id: string | null }>('SELECT label, sandbox_id FROM left_sandboxes')
      .map(({ label, sandbox_id }) => ({ label, id: sandbox_id }))
  }

  ended(label: string): void {
    this.#left.read('DELETE FROM left_sandboxes WHERE label = ?', label)
  }
}
