import { type FailureCode, FailureError, fail } from '../core/failure.ts'
import { MAX_TOOL_ID_CHARS } from '../core/limits/registry.ts'
import { REFUSALS_WRITTEN_MS, RUNNING_GRACE_MS, USAGE_RETENTION_DAYS } from '../core/limits/usage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import type { LimitSettings } from '../registry/limit-settings.ts'
import { permits } from '../registry/permitted.ts'
import { toolReference } from '../registry/reference.ts'
import {
  type Actor,
  type AdmittedCall,
  type AskedCall,
  type EndedCall,
  type NewCall,
  OWN_TOOLS,
  type RegisteredTool,
  type UsageQuery,
  type UsageReport,
  type UsageSums,
} from './api.ts'
import type { AuditLog, AuditNote } from './audit-log.ts'
import { callNote } from './audit-notes.ts'
import { DAY_MS } from './call-counter.ts'
import { DayTotals } from './day-totals.ts'
import { LimitStore } from './limit-store.ts'
import { Limiter } from './limiter.ts'
import { type Refusal, RefusalAudit } from './refusal-audit.ts'
import { RefusedUse } from './refused-use.ts'
import { ToldEnds } from './told-ends.ts'
import type { ToolList } from './tool-list.ts'
import { UsageLedger } from './usage-ledger.ts'
import { UsageReports } from './usage-report.ts'
import { HOUR_MS, type UsageEntry } from './usage-row.ts'

interface Parts {
  readonly sql: Sql
  readonly clock: Clock
  readonly tools: ToolList
  readonly audit: AuditLog
}

/** Calls of registered tools: who may make one, which run, and what they used. */
export class ToolCalls {
  readonly #sql: Sql
  readonly #clock: Clock
  readonly #tools: ToolList
  readonly #limits: LimitStore
  readonly #limiter: Limiter
  readonly #ledger: UsageLedger
  readonly #reports: UsageReports
  readonly #totals: DayTotals
  readonly #told: ToldEnds
  readonly #audit: AuditLog
  readonly #refused = new RefusedUse()
  readonly #refusals = new RefusalAudit()

  constructor({ sql, clock, tools, audit }: Parts) {
    this.#sql = sql
    this.#audit = audit
    this.#clock = clock
    this.#tools = tools
    this.#limits = new LimitStore(sql)
    this.#ledger = new UsageLedger(sql)
    this.#reports = new UsageReports(sql)
    this.#totals = new DayTotals(sql)
    this.#told = new ToldEnds(sql)
    this.#limiter = new Limiter({
      clock,
      settings: this.#limits.read(),
      today: (scope, name) => this.#totals.of(Math.floor(clock.now() / DAY_MS), scope, name),
    })
  }

  get limits(): LimitSettings {
    return this.#limiter.settings
  }

  putLimits(settings: LimitSettings, by: Actor): void {
    const detail = { rules: settings.rules.length, prices: settings.prices.length }
    this.#sql.transaction(() => {
      this.#limits.write(settings)
      this.#audit.append([{ action: 'limits.put', by, subject: null, decision: 'done', detail }])
    })
    this.#limiter.change(settings)
  }

  /** @throws FailureError `limit_exceeded` */
  usage(query: UsageQuery): UsageReport {
    this.#writeRefusals()
    return this.#reports.read(query)
  }

  /**
   * Whether it is there, is on, and is this agent's, in the order in which Toolcore looks. Nothing is counted but a refusal.
   * @throws FailureError `not_found`, `forbidden`
   */
  permit(asked: AskedCall): RegisteredTool {
    let id: string | null = null
    try {
      const tool = this.#tools.find(asked.reference)
      const { definition, policy } = tool
      id = definition.id
      if (!policy.enabled) fail('forbidden', `Tool is disabled: ${id}`)
      if (!permits(policy.allowed_agents, asked.agent)) fail('forbidden', notFor(asked.agent, id))
      return tool
    } catch (thrown) {
      if (thrown instanceof FailureError) this.#noteRefusal(asked, id, thrown.failure.code)
      throw thrown
    }
  }

  /**
   * As {@link permit}; then whether it is not too much.
   * @throws FailureError `not_found`, `conflict`, `forbidden`, `rate_limited`
   */
  begin(call: NewCall): AdmittedCall {
    const { own } = call
    if (own && this.#tools.row(toolReference(call.reference).id) === null) {
      return { tool: null, tight: this.#count(call, OWN_TOOLS, own.timeout) }
    }
    if (own?.isNew) fail('conflict', `there is a tool ${call.reference} already; give yours another id`)
    const tool = this.permit(call)
    return { tool, tight: this.#count(call, tool.definition.id, tool.definition.timeout) }
  }

  /** @param timeout in seconds */
  #count(call: NewCall, tool: string, timeout: number): boolean {
    const { callId, key, agent } = call
    try {
      return this.#limiter.begin(callId, { key, agent, tool }, timeout * 1_000 + RUNNING_GRACE_MS)
    } catch (thrown) {
      if (thrown instanceof FailureError) this.#noteRefusal(call, tool, thrown.failure.code)
      throw thrown
    }
  }

  /**
   * Those that were told of before change nothing.
   * @param node the session that tells
   */
  end(node: string, calls: readonly EndedCall[]): void {
    const fresh = this.#told.fresh(node, calls).map(withWholeAmounts)
    const last = fresh.at(-1)
    if (!last) return
    const entries = fresh.map((call) => this.#entryOf(call))
    this.#sql.transaction(() => {
      this.#told.note(node, last.number, this.#clock.now())
      this.#ledger.add([...entries, ...this.#refused.entries()])
      this.#audit.append([...this.#refusals.finished(this.#clock.now()), ...fresh.map(callNote)])
    })
    this.#refused.clear()
    for (const { callId } of fresh) this.#limiter.end(callId)
    for (const entry of entries) this.#totals.add(entry)
  }

  /** A session was removed, after it had told of all its ends. */
  forget(node: string): void {
    this.#told.forget(node)
  }

  /** When {@link upkeep} should write down what waits in memory; null when nothing does. */
  writesAt(): number | null {
    const use = this.#refused.isEmpty ? null : this.#clock.now() + REFUSALS_WRITTEN_MS
    return earlier(use, this.#refusals.dueAt())
  }

  /** What is noted now is not dropped before. */
  expiresAtSoonest(): number {
    return (Math.floor(this.#clock.now() / DAY_MS) + 1 + USAGE_RETENTION_DAYS) * DAY_MS
  }

  /** When {@link upkeep} has something to drop; null when there is nothing. */
  expiresAt(): number | null {
    return earlier(this.#ledger.expiresAt(), this.#audit.expiresAt())
  }

  /** Writes down what waits in memory, and drops what is too old. */
  upkeep(): void {
    const now = this.#clock.now()
    this.#writeRefusals()
    this.#append(this.#refusals.finished(now))
    this.#audit.expire()
    this.#ledger.expire(now)
    this.#told.expire(now - USAGE_RETENTION_DAYS * DAY_MS)
  }

  #writeRefusals(): void {
    if (this.#refused.isEmpty) return
    this.#sql.transaction(() => this.#ledger.add(this.#refused.entries()))
    this.#refused.clear()
  }

  #noteRefusal(call: AskedCall, tool: string | null, reason: FailureCode): void {
    const now = this.#clock.now()
    const { key, agent, session } = call
    if (tool !== null) {
      const at = { hour: Math.floor(now / HOUR_MS), tool, key: key ?? '', agent: agent ?? '', session }
      this.#refused.add({ at, reason, sums: { ...NONE, refused: 1 } })
    }
    const subject = tool ?? call.reference.slice(0, MAX_TOOL_ID_CHARS)
    this.#auditRefusal({ action: 'tool.refused', by: { key, agent }, session, subject, reason })
  }

  /** Something was refused because of its key. */
  noteDenied(by: Actor, what: string): void {
    this.#auditRefusal({
      action: 'request.refused',
      by,
      subject: what.slice(0, MAX_TOOL_ID_CHARS),
      reason: 'forbidden',
    })
  }

  #auditRefusal(refusal: Refusal): void {
    this.#append([...this.#refusals.finished(this.#clock.now()), ...this.#refusals.note(refusal)])
  }

  #append(notes: readonly AuditNote[]): void {
    if (notes.length > 0) this.#sql.transaction(() => this.#audit.append(notes))
  }

  #entryOf({ tool, key, agent, session, startedAt, ms, failure, bytesIn, bytesOut, sandboxMs }: EndedCall): UsageEntry {
    const price = this.#limiter.priceOf(tool)
    const cost = price.per_call + Math.ceil((price.per_sandbox_second * sandboxMs) / 1_000)
    return {
      at: { hour: Math.floor(startedAt / HOUR_MS), tool, key: key ?? '', agent: agent ?? '', session },
      reason: failure,
      sums: { ...NONE, calls: 1, failed: failure === null ? 0 : 1, ms, bytesIn, bytesOut, sandboxMs, cost },
    }
  }
}

/** What cannot be written would keep all later ends of its session from being heard. */
const withWholeAmounts = (call: EndedCall): EndedCall => ({
  ...call,
  startedAt: wholeAmount(call.startedAt),
  ms: wholeAmount(call.ms),
  bytesIn: wholeAmount(call.bytesIn),
  bytesOut: wholeAmount(call.bytesOut),
  sandboxMs: wholeAmount(call.sandboxMs),
})

const wholeAmount = (amount: number) =>
  Number.isFinite(amount) ? Math.min(Math.max(0, Math.round(amount)), MAX_AMOUNT) : 0

/** Of milliseconds and bytes in one call: a date can be made of it, and sums of it stay whole. */
const MAX_AMOUNT = 8e12

const earlier = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

const NONE: UsageSums = { calls: 0, failed: 0, refused: 0, ms: 0, bytesIn: 0, bytesOut: 0, sandboxMs: 0, cost: 0 }

const notFor = (agent: string | null, id: string) =>
  agent === null ? `${id} is for some agents only: say which one calls` : `Agent ${agent} not in allowlist for ${id}`
