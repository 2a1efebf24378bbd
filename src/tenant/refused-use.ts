import { MAX_PENDING_REFUSALS } from '../core/limits/usage.ts'
import { OTHERS, type UsageEntry } from './usage-row.ts'

/** Refused calls not yet written, summed, so that a flood of them costs little memory and disk. */
export class RefusedUse {
  readonly #pending = new Map<string, UsageEntry>()

  get isEmpty(): boolean {
    return this.#pending.size === 0
  }

  add(entry: UsageEntry): void {
    const isFull = this.#pending.size >= MAX_PENDING_REFUSALS
    const at = isFull ? { ...entry.at, key: OTHERS, agent: OTHERS, session: OTHERS, tool: OTHERS } : entry.at
    const place = JSON.stringify([at.hour, at.tool, at.key, at.agent, at.session, entry.reason])
    const before = this.#pending.get(place)
    const refused = (before?.sums.refused ?? 0) + entry.sums.refused
    this.#pending.set(place, { at, reason: entry.reason, sums: { ...entry.sums, refused } })
  }

  entries(): readonly UsageEntry[] {
    return [...this.#pending.values()]
  }

  clear(): void {
    this.#pending.clear()
  }
}
