import { KNOWN_TOOL_MS, MAX_TOOL_HOLDERS } from '../core/limits/registry.ts'
import { LIMITS_LEASE_SLACK_MS } from '../core/limits/usage.ts'
import type { Clock } from '../ports/clock.ts'

const HELD_MS = KNOWN_TOOL_MS + LIMITS_LEASE_SLACK_MS

/** Sessions that may know a registered tool, and have to be told when tools change. In memory only. */
export class ToolHolders {
  readonly #clock: Clock
  readonly #until = new Map<string, number>()
  /** From then on all that may know one are in the map: others were told of theirs by an object before this one. */
  readonly #completeFrom: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#completeFrom = clock.now() + HELD_MS
  }

  /** False while sessions may know a tool that are not among {@link names}. */
  get areComplete(): boolean {
    return this.#clock.now() >= this.#completeFrom
  }

  /** @returns false when there are too many: the session must ask each time */
  add(session: string): boolean {
    if (this.#until.size >= MAX_TOOL_HOLDERS && !this.#until.has(session)) this.#forget()
    if (this.#until.size >= MAX_TOOL_HOLDERS && !this.#until.has(session)) return false
    this.#until.set(session, this.#clock.now() + HELD_MS)
    return true
  }

  names(): readonly string[] {
    this.#forget()
    return [...this.#until.keys()]
  }

  #forget(): void {
    const now = this.#clock.now()
    for (const [session, until] of this.#until) if (until <= now) this.#until.delete(session)
  }
}
