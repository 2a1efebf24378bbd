import { OWNER_WORK_RETRY_MS, SANDBOXES_AGAIN_MS } from '../../core/limits/deletion.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Sql } from '../../ports/sql.ts'
import type { EndedSandboxes } from '../deletion-api.ts'
import { eachSession } from './each-session.ts'
import { OwnerWork } from './owner-work.ts'

interface Parts {
  readonly sql: Sql
  readonly clock: Clock
  /** Sessions of the tenant that have a running sandbox, or are about to. */
  readonly running: () => Promise<readonly string[]>
  /** Ends what runs in a session's sandbox, and then the sandbox, whose files are taken over in between; if it is one of these. */
  readonly endSandbox: (name: string, which: EndedSandboxes) => Promise<void>
  /** Schedules {@link SandboxEnd.work} for then, unless an earlier time is scheduled. */
  readonly wakeAt: (time: number) => Promise<void>
  readonly logError: (thrown: unknown) => void
}

interface Stored {
  /** Looks that are still to come. */
  readonly looks: number
  /** Time of the next one, in milliseconds since 1970. */
  readonly at: number
  /** `any` where it is missing, as in records of earlier versions. */
  readonly which?: EndedSandboxes
}

/**
 * End of all sandboxes of a disabled tenant, or of those that exceed a tenant's new internet policy, running and paused ones. They are
 * looked for twice, since a disabled tenant's keys are taken by other isolates for a while, and until none fails to be ended.
 */
export class SandboxEnd {
  readonly #parts: Parts
  readonly #work: OwnerWork<Stored>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#work = new OwnerWork(parts.sql, 'sandboxes')
  }

  async begin(which: EndedSandboxes = 'any'): Promise<void> {
    const { clock, wakeAt } = this.#parts
    const pending = this.#work.read()
    const isAny = pending !== null && pending.which !== 'exceeding'
    this.#work.write({ looks: LOOKS, at: clock.now(), which: isAny ? 'any' : which })
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
      const { which = 'any' } = due
      const current = { ...due, at: clock.now() + OWNER_WORK_RETRY_MS }
      this.#work.write(current)
      let haveFailed = false
      const end = (name: string) => endSandbox(name, which)
      await eachSession(await this.#sessions(), end, (_, thrown) => {
        haveFailed = true
        logError(thrown)
      })
      // Begun anew meanwhile, it has both looks before it.
      if (!haveFailed && this.#work.read() === current) this.#looked(current)
    }
    const next = this.#work.read()
    if (next) await wakeAt(next.at)
  }

  #looked({ looks, which = 'any' }: Stored): void {
    if (looks > 1) this.#work.write({ looks: looks - 1, at: this.#parts.clock.now() + SANDBOXES_AGAIN_MS, which })
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
