import type { Actor } from '../core/actor.ts'
import type { FailureCode } from '../core/failure.ts'
import { MAX_AUDITED_REFUSALS_PER_MINUTE, MAX_WATCHED_ACTORS, SUSPICIOUS_DENIALS } from '../core/limits/audit.ts'
import type { AuditNote } from './audit-log.ts'
import { MINUTE_MS } from './call-counter.ts'
import { OTHERS } from './usage-row.ts'

export interface Refusal {
  readonly action: 'tool.refused' | 'request.refused'
  readonly by: Actor
  readonly session?: string
  readonly subject: string
  readonly reason: FailureCode
}

/** Codes of denials. A rate limit is not among them: being fast is no sign of ill will. */
const DENIALS: readonly FailureCode[] = ['forbidden', 'not_found']

/**
 * Audit notes of refused calls: the first of the same refusals of one minute at once, the number of the others when the minute is
 * over, so that a flood is a few entries. Notes suspiciously many denials too.
 */
export class RefusalAudit {
  #minute = 0
  readonly #more = new Map<string, { note: AuditNote; count: number }>()
  readonly #denials = new Map<string, number>()
  readonly #agents = new Map<string | null, Set<string | null>>()

  /** Time when {@link finished} has notes; null when it has none. */
  dueAt(): number | null {
    return this.#isOwing() ? (this.#minute + 1) * MINUTE_MS : null
  }

  /** Notes of the minutes that are over. */
  finished(now: number): readonly AuditNote[] {
    const minute = Math.floor(now / MINUTE_MS)
    if (minute === this.#minute) return []
    const notes = [...this.#more.values()]
      .filter(({ count }) => count > 0)
      .map(({ note, count }) => ({ ...note, count }))
    this.#minute = minute
    this.#more.clear()
    this.#denials.clear()
    this.#agents.clear()
    return notes
  }

  /** Counts a refusal. @returns notes to write at once. Call {@link finished} before. */
  note(refusal: Refusal): readonly AuditNote[] {
    const note: AuditNote = { ...refusal, decision: 'refused' }
    return [...this.#first(note), ...(DENIALS.includes(refusal.reason) ? this.#suspicions(note) : [])]
  }

  #first(note: AuditNote): readonly AuditNote[] {
    const isFull = this.#more.size >= MAX_AUDITED_REFUSALS_PER_MINUTE
    const { key, agent } = note.by
    const own = JSON.stringify([note.action, key, agent, note.subject, note.reason])
    const known = this.#more.get(own)
    if (known) {
      known.count += 1
      return []
    }
    if (!isFull) {
      this.#more.set(own, { note, count: 0 })
      return [note]
    }
    const place = JSON.stringify([OTHERS, note.action, note.reason])
    const others = this.#more.get(place) ?? { note: othersOf(note), count: 0 }
    others.count += 1
    this.#more.set(place, others)
    return []
  }

  #suspicions({ by, session, subject }: AuditNote): readonly AuditNote[] {
    const { key, agent } = by
    const suspicious = (reason: string, who: AuditNote['by']): AuditNote => ({
      action: 'security.suspicious',
      by: who,
      ...(session !== undefined && { session }),
      subject,
      decision: 'noted',
      reason,
      detail: { denials_in_a_minute: SUSPICIOUS_DENIALS + 1 },
    })
    const actor = JSON.stringify([key, agent])
    const denials = (this.#denials.get(actor) ?? 0) + 1
    if (denials > 1 || this.#denials.size < MAX_WATCHED_ACTORS) this.#denials.set(actor, denials)
    if (denials === SUSPICIOUS_DENIALS + 1) return [suspicious('repeated_denials', by)]
    // A caller that invents an agent for each attempt is found by its key.
    const agents = this.#agents.get(key) ?? new Set()
    if (agents.has(agent) || agents.size > SUSPICIOUS_DENIALS) return []
    if (this.#agents.size < MAX_WATCHED_ACTORS) this.#agents.set(key, agents.add(agent))
    return agents.size === SUSPICIOUS_DENIALS + 1 ? [suspicious('many_agents_denied', { key, agent: null })] : []
  }

  #isOwing(): boolean {
    for (const { count } of this.#more.values()) if (count > 0) return true
    return false
  }
}

const othersOf = (note: AuditNote): AuditNote => ({
  action: note.action,
  by: { key: OTHERS, agent: OTHERS },
  subject: OTHERS,
  decision: note.decision,
  ...(note.reason !== undefined && { reason: note.reason }),
})
