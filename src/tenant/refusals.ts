import type { Actor } from '../core/actor.ts'
import type { FailureCode } from '../core/failure.ts'
import { MAX_TOOL_ID_CHARS } from '../core/limits/registry.ts'
import { REFUSALS_WRITTEN_MS } from '../core/limits/usage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import type { AuditLog, AuditNote } from './audit-log.ts'
import { type Refusal, RefusalAudit } from './refusal-audit.ts'
import { RefusedUse } from './refused-use.ts'
import { NO_USE } from './usage-api.ts'
import type { UsageLedger } from './usage-ledger.ts'
import { HOUR_MS, type UsageEntry } from './usage-row.ts'

interface Parts {
  readonly sql: Sql
  readonly clock: Clock
  readonly audit: AuditLog
  readonly ledger: UsageLedger
}

/** A call that was not begun. */
export interface RefusedCall extends Actor {
  readonly session: string
  /** Null for an unknown tool: such a call is noted, but not counted. */
  readonly tool: string | null
  /** The requested reference, where there is no such tool. */
  readonly reference: string
}

/** Records of refused calls: counts in the usage, written together every few seconds, and audit log entries. */
export class Refusals {
  readonly #parts: Parts
  readonly #use = new RefusedUse()
  readonly #audit = new RefusalAudit()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Time when {@link write} should write what is buffered; null when nothing is. */
  nextWriteTime(): number | null {
    const use = this.#use.isEmpty ? null : this.#parts.clock.now() + REFUSALS_WRITTEN_MS
    const audit = this.#audit.dueAt()
    return use === null || audit === null ? (use ?? audit) : Math.min(use, audit)
  }

  note({ key, agent, session, tool, reference }: RefusedCall, reason: FailureCode): void {
    if (tool !== null) {
      const hour = Math.floor(this.#parts.clock.now() / HOUR_MS)
      const at = { hour, tool, key: key ?? '', agent: agent ?? '', session }
      this.#use.add({ at, reason, sums: { ...NO_USE, refused: 1 } })
    }
    const subject = tool ?? reference.slice(0, MAX_TOOL_ID_CHARS)
    this.#noteInAudit({ action: 'tool.refused', by: { key, agent }, session, subject, reason })
  }

  /** Notes a request that its key does not allow. */
  noteDenied(by: Actor, what: string): void {
    const subject = what.slice(0, MAX_TOOL_ID_CHARS)
    this.#noteInAudit({ action: 'request.refused', by, subject, reason: 'forbidden' })
  }

  /** Buffered records, for a transaction of the caller, which calls {@link written} after it. */
  waiting(): { readonly entries: readonly UsageEntry[]; readonly notes: readonly AuditNote[] } {
    return { entries: this.#use.entries(), notes: this.#audit.finished(this.#parts.clock.now()) }
  }

  written(): void {
    this.#use.clear()
  }

  /** Writes the buffered records. */
  write(): void {
    this.writeUse()
    this.#append(this.#audit.finished(this.#parts.clock.now()))
  }

  writeUse(): void {
    if (this.#use.isEmpty) return
    const { sql, ledger } = this.#parts
    sql.transaction(() => ledger.add(this.#use.entries()))
    this.#use.clear()
  }

  #noteInAudit(refusal: Refusal): void {
    this.#append([...this.#audit.finished(this.#parts.clock.now()), ...this.#audit.note(refusal)])
  }

  #append(notes: readonly AuditNote[]): void {
    const { sql, audit } = this.#parts
    if (notes.length > 0) sql.transaction(() => audit.append(notes))
  }
}
