import type { Actor } from '../core/actor.ts'
import { FailureError, fail } from '../core/failure.ts'
import {
  GRANTED_CALLS_MS,
  LIMITS_LEASE_MS,
  LIMITS_LEASE_SLACK_MS,
  RUNNING_GRACE_MS,
  TOOLS_LEASE_MS,
  TOOLS_LEASE_SLACK_MS,
  USAGE_RETENTION_DAYS,
} from '../core/limits/usage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import { type LimitSettings, leasedRule } from '../registry/limit-settings.ts'
import { permits } from '../registry/permitted.ts'
import { toolReference } from '../registry/reference.ts'
import type { RegisteredTool } from '../registry/registered-tool.ts'
import { AcknowledgedCompletions } from './acknowledged-completions.ts'
import type { AuditLog } from './audit-log.ts'
import { callNote } from './audit-notes.ts'
import { DAY_MS } from './call-counter.ts'
import {
  type AdmittedBuiltin,
  type AdmittedCall,
  type CallRequest,
  type EndedCall,
  type LimitsLease,
  type NewBatch,
  type NewBuiltinCall,
  type NewCall,
  type OverBatch,
  OWN_TOOLS,
  type RunningBuiltin,
  type ToolsLease,
} from './calls-api.ts'
import type { ChildKeys } from './child-keys.ts'
import { DayTotals } from './day-totals.ts'
import { entryOf, entryOfSandbox, withWholeAmounts } from './ended-use.ts'
import { batchOf } from './granted-batches.ts'
import { LimitStore } from './limit-store.ts'
import { Limiter } from './limiter.ts'
import type { OpenQuestions } from './open-questions.ts'
import { Refusals } from './refusals.ts'
import type { ToolList } from './tool-list.ts'
import type { ToolRevisions } from './tool-revisions.ts'
import type { UsageQuery, UsageReport, UsageRowsPage, UsageRowsQuery } from './usage-api.ts'
import { UsageLedger } from './usage-ledger.ts'
import { UsageReports } from './usage-report.ts'
import { usageRows } from './usage-rows.ts'
import type { WebhookEvents } from './webhooks/events.ts'

interface Parts {
  readonly sql: Sql
  readonly clock: Clock
  readonly tools: ToolList
  readonly revisions: Pick<ToolRevisions, 'newest'>
  readonly audit: AuditLog
  readonly children: ChildKeys
  readonly events: Pick<WebhookEvents, 'wantsCalls' | 'callsEnded' | 'callRefused'>
  readonly questions: Pick<OpenQuestions, 'note'>
}

/** Calls of a tenant's tools: permission, running calls, and usage. */
export class ToolCalls {
  readonly #sql: Sql
  readonly #clock: Clock
  readonly #tools: ToolList
  readonly #revisions: Parts['revisions']
  readonly #limits: LimitStore
  readonly #limiter: Limiter
  readonly #ledger: UsageLedger
  readonly #reports: UsageReports
  readonly #totals: DayTotals
  readonly #acknowledged: AcknowledgedCompletions
  readonly #audit: AuditLog
  readonly #refusals: Refusals
  readonly #children: ChildKeys
  readonly #events: Parts['events']
  readonly #questions: Parts['questions']
  /** The limits as sessions lease them. */
  #leased: Required<Pick<LimitsLease, 'version' | 'rules' | 'prices'>>

  constructor({ sql, clock, tools, revisions, audit, children, events, questions }: Parts) {
    this.#sql = sql
    this.#audit = audit
    this.#children = children
    this.#events = events
    this.#questions = questions
    this.#clock = clock
    this.#tools = tools
    this.#revisions = revisions
    this.#limits = new LimitStore(sql)
    this.#ledger = new UsageLedger(sql)
    this.#reports = new UsageReports(sql)
    this.#totals = new DayTotals(sql)
    this.#acknowledged = new AcknowledgedCompletions(sql)
    this.#refusals = new Refusals({ sql, clock, audit, ledger: this.#ledger })
    const settings = this.#limits.read()
    this.#leased = this.#leaseOf(settings)
    this.#limiter = new Limiter({
      clock,
      settings,
      children,
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
    this.#leased = this.#leaseOf(settings)
  }

  #leaseOf({ rules, prices }: LimitSettings) {
    return { version: this.#limits.version(), rules: rules.map(leasedRule), prices }
  }

  /** Version of the limits, and the sessions that may begin calls under an earlier one. */
  holders(): { readonly version: number; readonly sessions: readonly string[] } {
    const since = this.#clock.now() - LIMITS_LEASE_MS - LIMITS_LEASE_SLACK_MS
    return { version: this.#leased.version, sessions: this.#acknowledged.holders(since) }
  }

  /** Revision of the tools, and the sessions that may begin calls by tools of an earlier one. */
  toolHolders(): { readonly revision: number; readonly sessions: readonly string[] } {
    const since = this.#clock.now() - TOOLS_LEASE_MS - TOOLS_LEASE_SLACK_MS
    return { revision: this.#revisions.newest(), sessions: this.#acknowledged.holders(since) }
  }

  /** Counts running calls that began under a lease of earlier limits. */
  join(calls: readonly RunningBuiltin[]): void {
    for (const { callId, lastsMs, ...who } of calls) this.#limiter.join(callId, who, lastsMs + RUNNING_GRACE_MS)
  }

  /**
   * Makes a lease of the limits for a session that just asked or reported.
   * @param version the version that the session has; null for none
   */
  lease(node: string, version: number | null): LimitsLease {
    // A session with a lease renews it by reporting its calls.
    if (version === null) this.#acknowledged.leased(node, this.#clock.now())
    const { isBusy } = this.#limiter
    const isWatched = this.#events.wantsCalls ? WATCHED : {}
    return version === this.#leased.version
      ? { version, isBusy, ...isWatched }
      : { ...this.#leased, isBusy, ...isWatched }
  }

  /** Makes a lease of the tools and secrets for a listed session that just reported. */
  toolsLease(): ToolsLease {
    return this.#sql.isReadOnly ? {} : { tools: this.#revisions.newest(), secrets: true }
  }

  /** Report of usage. @throws FailureError `limit_exceeded` */
  usage(query: UsageQuery): UsageReport {
    if (!this.#sql.isReadOnly) this.#refusals.writeUse()
    return this.#reports.read(query)
  }

  /** A page of the usage as it is stored. */
  usageRows(query: UsageRowsQuery): UsageRowsPage {
    if (!this.#sql.isReadOnly) this.#refusals.writeUse()
    return usageRows(this.#sql, query)
  }

  /**
   * Checks that the tool exists, is enabled and allows this agent, in Toolcore's order. Counts nothing but a refusal.
   * @throws FailureError `not_found`, `forbidden`
   */
  permit(request: CallRequest): RegisteredTool {
    let id: string | null = null
    try {
      const tool = this.#tools.find(request.reference)
      const { definition, policy } = tool
      id = definition.id
      if (!policy.enabled) fail('forbidden', `Tool is disabled: ${id}`)
      if (!permits(policy.allowed_agents, request.agent)) fail('forbidden', notFor(request.agent, id))
      return tool
    } catch (thrown) {
      if (thrown instanceof FailureError) this.#refusals.note({ ...request, tool: id }, thrown.failure.code)
      throw thrown
    }
  }

  /**
   * Checks as {@link permit} does, then the limits, and begins the call.
   * @throws FailureError `not_found`, `conflict`, `forbidden`, `rate_limited`
   */
  begin({ wants, ...call }: NewCall): AdmittedCall {
    const { own } = call
    this.#limiter.giveBack(wants?.over ?? [])
    if (own && this.#tools.row(toolReference(call.reference).id) === null) {
      const tight = this.#count(call, OWN_TOOLS, own.timeout * 1_000)
      return { tool: null, tight, price: this.#limiter.priceOf(OWN_TOOLS) }
    }
    if (own?.isNew) fail('conflict', `there is a tool ${call.reference} already; give yours another id`)
    const tool = this.permit(call)
    const lastsMs = tool.definition.timeout * 1_000
    const tight = this.#count(call, tool.definition.id, lastsMs)
    const price = this.#limiter.priceOf(tool.definition.id)
    const mark = this.#tools.markOf(tool)
    if (mark === undefined) return { tool, tight, price }
    const batch = wants && this.#grant({ ...call, tool: tool.definition.id }, { ...wants, lastsMs, waits: true })
    return {
      ...{ tool: mark === call.mark ? null : tool, mark, revision: this.#revisions.newest(), tight, price },
      ...(batch && { batch }),
    }
  }

  /** Begins a call of a built-in tool, and grants further ones of its kind where the limits leave room. */
  admit({ holds, node, lastsMs, wants = 0, ...call }: NewBuiltinCall): AdmittedBuiltin {
    this.#limiter.giveBack(holds.over ?? [])
    try {
      const tight = this.#count({ ...call, reference: call.tool }, call.tool, lastsMs)
      const batch = tight ? null : this.#grant(call, { node, calls: wants, lastsMs, waits: false })
      return { ...(batch && { batch }), granted: [], tight, lease: this.lease(node, holds.version) }
    } catch (thrown) {
      if (!(thrown instanceof FailureError)) throw thrown
      return { failure: thrown.failure, granted: [], tight: false, lease: this.lease(node, holds.version) }
    }
  }

  #grant(
    { callId, key, agent, tool }: Actor & { readonly callId: string; readonly tool: string },
    wanted: { readonly node: string; readonly calls: number; readonly lastsMs: number; readonly waits: boolean },
  ): NewBatch | null {
    const { node, calls: wants, waits } = wanted
    const lastsMs = wanted.lastsMs + GRANTED_CALLS_MS + RUNNING_GRACE_MS
    const id = batchOf(callId)
    const calls = this.#limiter.grant(id, { node, who: { key, agent, tool }, wants, waits, lastsMs })
    return calls > 0 ? { id, calls } : null
  }

  #count(call: CallRequest & { readonly callId: string }, tool: string, lastsMs: number): boolean {
    const { callId, key, agent } = call
    try {
      return this.#limiter.begin(callId, { key, agent, tool }, lastsMs + RUNNING_GRACE_MS)
    } catch (thrown) {
      if (thrown instanceof FailureError) {
        this.#refusals.note({ ...call, tool }, thrown.failure.code)
        this.#events.callRefused(thrown, { ...call, tool })
      }
      throw thrown
    }
  }

  /**
   * Takes completed calls. Acknowledged ones change nothing.
   * @param node the reporting session
   * @param over batches of granted calls of which it makes no more
   */
  end(node: string, calls: readonly EndedCall[], over: readonly OverBatch[] = []): void {
    this.#limiter.giveBack(over)
    const fresh = this.#acknowledged.fresh(node, calls).map(withWholeAmounts)
    const last = fresh.at(-1)
    if (!last) {
      this.#acknowledged.leased(node, this.#clock.now())
      return
    }
    const sandboxes = fresh.flatMap((entry) => (entry.sandboxTime ? [entryOfSandbox(entry, entry.sandboxTime)] : []))
    const ofCalls = fresh.filter(({ sandboxTime }) => sandboxTime === undefined)
    const ended = ofCalls.filter(({ isRefused, humanTask }) => !isRefused && humanTask === undefined)
    const entries = ended.map((call) => entryOf(call, this.#limiter.priceOf(call.tool)))
    const refused = this.#refusals.waiting()
    this.#sql.transaction(() => {
      this.#acknowledged.note(node, last.number, this.#clock.now())
      this.#ledger.add([...entries, ...sandboxes, ...refused.entries])
      this.#children.use(entries)
      this.#audit.append([...refused.notes, ...ended.map(callNote)])
      this.#events.callsEnded(ofCalls)
      this.#questions.note(ofCalls)
    })
    this.#refusals.written()
    for (const call of ended) this.#settle(call)
    for (const entry of entries) this.#totals.add(entry)
    for (const call of ofCalls) {
      if (call.isRefused) this.#refusals.note({ ...call, tool: null, reference: call.tool }, 'not_found')
    }
  }

  #settle({ callId, admittedAs, each }: EndedCall): void {
    const admitted = each?.admitted ?? (admittedAs === null ? [] : [admittedAs ?? callId])
    for (const id of admitted) this.#limiter.end(id)
    this.#limiter.noteUncounted((each?.ms.length ?? 1) - admitted.length)
  }

  /** Drops a removed session, after it has reported all completions. */
  forget(node: string): void {
    this.#acknowledged.forget(node)
  }

  /** Time when {@link upkeep} should write what is buffered; null when nothing is. */
  nextWriteTime(): number | null {
    return this.#refusals.nextWriteTime()
  }

  /** Earliest time at which anything noted now can be dropped. */
  expiresAtSoonest(): number {
    return (Math.floor(this.#clock.now() / DAY_MS) + 1 + USAGE_RETENTION_DAYS) * DAY_MS
  }

  /** Time when {@link upkeep} has something to drop; null when nothing is kept. */
  expiresAt(): number | null {
    const [ledger, audit] = [this.#ledger.expiresAt(), this.#audit.expiresAt()]
    return ledger === null || audit === null ? (ledger ?? audit) : Math.min(ledger, audit)
  }

  /** Writes buffered entries, and drops expired ones. */
  upkeep(): void {
    const now = this.#clock.now()
    this.#refusals.write()
    this.#audit.expire()
    this.#ledger.expire(now)
    this.#children.expire()
    this.#acknowledged.expire(now - USAGE_RETENTION_DAYS * DAY_MS)
  }

  /** Notes a request that its key does not allow. */
  noteDenied(by: Actor, what: string): void {
    this.#refusals.noteDenied(by, what)
  }
}

const WATCHED = { isWatched: true } as const

const notFor = (agent: string | null, id: string) =>
  agent === null ? `${id} is for some agents only: say which one calls` : `Agent ${agent} not in allowlist for ${id}`
