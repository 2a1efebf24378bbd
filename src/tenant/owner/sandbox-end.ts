import { OWNER_WORK_RETRY_MS, SANDBOXES_AGAIN_MS } from '../../core/limits/deletion.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Sql } from '../../ports/sql.ts'
import { eachSession } from './each-session.ts'
import { OwnerWork } from './owner-work.ts'

interface Parts {
  readonly sql: Sql
  readonly clock: Clock
  /** Sessions of the tenant that have a running sandbox, or are about to. */
  readonly running: () => Promise<readonly string[]>
  /** Ends what runs in a session's sandbox, and then the sandbox, whose files are taken over in between. */
  readonly endSandbox: (name: string) => Promise<void>
  /** Schedules {@link SandboxEnd.work} for then, unless an earlier time is scheduled. */
  readonly wakeAt: (time: number) => Promise<void>
  readonly logError: (thrown: unknown) => void
}

interface Stored {
  /** Looks that are still to come. */
  readonly looks: number
  /** Time of the next one, in milliseconds since 1970. */
  readonly at: number
}

/**
 * End of all sandboxes of a disabled tenant, running and paused ones. They are looked for twice, since its keys are taken by other
 * isolates for a while, and until none fails to be ended.
 */
export class SandboxEnd {
  readonly #parts: Parts
  readonly #work: OwnerWork<Stored>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#work = new OwnerWork(parts.sql, 'sandboxes')
  }

  async begin(): Promise<void> {
    const { clock, wakeAt } = this.#parts
    this.#work.write({ looks: LOOKS, at: clock.now() })
    await wakeAt(clock.now())
  }

  stop(): void {
    if (this.#work.read()) this.#work.remove()
  }

  /** Ends the sandboxes that there are, when it is time, and schedules the next look. */
  async work(): Promise<void> {
    const { clock, endSandbox, wakeAt, logError } = this.#parts
    const due = this.#work.read()
    if (!due) return
    if (due.at <= clock.now()) {
      this.#work.write({ ...due, at: clock.now() + OWNER_WORK_RETRY_MS })
      let haveFailed = false
      await eachSession(await this.#sessions(), endSandbox, (_, thrown) => {
        haveFailed = true
        logError(thrown)
      })
      if (!haveFailed && this.#work.read()) this.#looked(due.looks - 1)
    }
    const next = this.#work.read()
    if (next) await wakeAt(next.at)
  }

  #looked(looks: number): void {
    if (looks > 0) this.#work.write({ looks, at: this.#parts.clock.now() + SANDBOXES_AGAIN_MS })
    else this.#work.remove()
  }

  async #sessions(): Promise<string[]> {
    const { sql, running } = this.#parts
    // The list has paused ones; of those that just began to run it may not have heard.
    const listed = sql.all<{ name: string }>("SELECT name FROM sessions WHERE state <> 'ready'")
    return [...new Set([...listed.map(({ name }) => name), ...(await running())])]
  }
}

const LOOKS = 2
