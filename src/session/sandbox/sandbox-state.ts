import { type Sandbox, SandboxGone } from '../../ports/sandbox.ts'
import type { Sql } from '../../ports/sql.ts'

/** What a session remembers of its sandbox while it sleeps. */
export interface SandboxState {
  readonly sandboxId: string
  /** False until it was prepared and filled for the first time: one that was cut off before is of no use. */
  readonly booted: boolean
  /** The workspace's state that was pushed last. */
  readonly pushedSeq: number
  /** Port of the watcher; null when there is none. */
  readonly watchPort: number | null
  /** `IgnoreList.key` of what the watcher does not watch. */
  readonly unwatched: string
  /** What the watcher had counted at the last listing that was taken over. */
  readonly watched: string | null
  /** The sandbox may be changing files though no command runs, or has changed some that were not taken over. */
  readonly unsettled: boolean
  /** True when the sandbox was paused after its files were taken over, so that nothing changes in it. */
  readonly paused?: boolean
  /** Calls whose deadline came and whose commands may still run in it. */
  readonly overdue?: readonly Overdue[]
}

/** A call whose deadline came. */
export interface Overdue {
  readonly callId: string
  /** True when all that the call started has its mark, and so can be found and ended. */
  readonly isMarked: boolean
}

/** The one row about the session's sandbox, and those that it left behind. */
export class SandboxStateStore {
  readonly #sql: Sql
  #state: SandboxState | null | undefined

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** How many sandboxes this session has had that could be used. */
  generation(): number {
    return this.#sql.all<{ generation: number }>('SELECT generation FROM machine')[0]?.generation ?? 0
  }

  /** @returns null when the session has no sandbox. */
  load(): SandboxState | null {
    if (this.#state === undefined) {
      const [row] = this.#sql.all<{ state: string | null }>('SELECT state FROM machine')
      this.#state = row?.state ? (JSON.parse(row.state) as SandboxState) : null
    }
    return this.#state
  }

  /** @throws SandboxGone when the sandbox is no longer the session's */
  of(sandbox: Sandbox): SandboxState {
    const state = this.load()
    if (state?.sandboxId !== sandbox.id) throw new SandboxGone('the sandbox was given up')
    return state
  }

  /** Notes that a sandbox is being asked for: from now on there may be one, known by its label only. */
  expect(label: string): void {
    this.#sql.all('INSERT INTO left_sandboxes (label) VALUES (?)', label)
  }

  /** The sandbox that was asked for under `label` is the session's. */
  begin(label: string, state: SandboxState): void {
    this.#sql.transaction(() => {
      this.#sql.all('DELETE FROM left_sandboxes WHERE label = ?', label)
      this.#sql.all(
        `INSERT INTO machine (id, generation, state) VALUES (1, 0, ?)
         ON CONFLICT (id) DO UPDATE SET state = excluded.state`,
        JSON.stringify(state),
      )
    })
    this.#state = state
  }

  /** Changes what is remembered of a sandbox, if it is still the session's. */
  update(sandboxId: string, changes: Partial<Omit<SandboxState, 'sandboxId'>>): void {
    const state = this.load()
    if (state?.sandboxId !== sandboxId) return
    const next = { ...state, ...changes }
    const generations = next.booted && !state.booted ? 1 : 0
    this.#sql.all('UPDATE machine SET state = ?, generation = generation + ?', JSON.stringify(next), generations)
    this.#state = next
  }

  /** The session has no sandbox any more; the one that it had is to be ended. */
  leave(): void {
    const state = this.load()
    if (!state) return
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

  /** Sandboxes that may still exist and that nobody uses. `id` is null when it is not known whether one was made. */
  left(): { readonly label: string; readonly id: string | null }[] {
    return this.#sql
      .all<{ label: string; sandbox_id: string | null }>('SELECT label, sandbox_id FROM left_sandboxes')
      .map(({ label, sandbox_id }) => ({ label, id: sandbox_id }))
  }

  ended(label: string): void {
    this.#sql.all('DELETE FROM left_sandboxes WHERE label = ?', label)
  }
}
