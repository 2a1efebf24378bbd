import type { Actor } from '../../core/actor.ts'
import { FailureError, RefusalError } from '../../core/failure.ts'
import { MAX_UNASKED_TOOL_CALLS } from '../../core/limits/usage.ts'
import type { NamelessTool } from '../../ports/call-observer.ts'
import type { CallPrice } from '../../registry/call-price.ts'
import type { SourcedDefinition, ToolDefinition } from '../../registry/definition.ts'
import { permits } from '../../registry/permitted.ts'
import type { Caller } from '../../tenant/api.ts'
import { type CallRequest, type CallsApi, OWN_TOOLS } from '../../tenant/calls-api.ts'
import type { Amounts } from '../../tools/registered/execution.ts'
import type { Admission } from '../admission.ts'
import type { CallAccount, WriteEnd } from '../call-account.ts'
import { charged, costIn, setPrice } from '../call-cost.ts'
import type { CallOutbox, OpenCall } from '../call-outbox.ts'
import { type CallTrace, type ObservedCalls, UNOBSERVED } from '../observed-calls.ts'
import { type KnownTool, KnownTools } from './known-tools.ts'

interface Parts {
  readonly session: string
  readonly tenant: { readonly calls: Pick<CallsApi, 'begin'> }
  readonly outbox: CallOutbox
  readonly admission: Pick<Admission, 'beginsUnasked' | 'isLimited' | 'priceOf' | 'wanted'>
  /** True once the session is being removed: running calls then count as lost, however they end. */
  readonly isRemoved: () => boolean
  readonly observed?: ObservedCalls
  readonly now: () => number
}

/** The call of the history that calls tools of the toolbox. */
export interface OuterAccount {
  readonly callId: string
  readonly by: Caller
  /** Whether the history has the running call already. */
  readonly wasNoted: () => boolean
  readonly account: Pick<CallAccount, 'countedElsewhere' | 'takeEnd'>
}

interface NewCall {
  /** `id`, or `id@version`. */
  readonly reference: string
  /** The session's tool of that name, made or about to be; the tenant's tool comes before it. */
  readonly own: SourcedDefinition | null
  /** With true the call is a `conflict` when the tenant has a tool of that name. */
  readonly isNew: boolean
}

export interface BegunCall {
  /** The tenant's tool; null for a call of the session's own. */
  readonly registered: { readonly version: number; readonly definition: ToolDefinition } | null
  /** `traceparent` of requests that the call makes; null without a trace. */
  readonly traceparent: string | null
  /** Notes the end of the call, once. A call that was begun and never ended counts as lost. */
  end(how: CallEnd): void
}

interface CallEnd extends Amounts {
  /** Code of the failure; null for success. */
  readonly failure: string | null
}

/** A call that may begin: the tenant's tool, and whether the end must be reported at once. */
interface Permitted {
  readonly tool: Pick<KnownTool, 'version' | 'definition'> | null
  readonly tight: boolean
  /** Price in the tenant's answer. Left out for a call that began without asking: the lease has it. */
  readonly price?: CallPrice | null | undefined
  /** Id by which the tenant counts a call that began without asking, as in `Admitted`. */
  readonly unasked?: { readonly as: string | null }
}

/**
 * Counter of calls of tools in one session. The tenant decides who may call what, and how much. It is asked for each call
 * that does not begin by the session's leases of its tools and limits.
 */
export class CountedCalls {
  readonly #parts: Parts
  readonly #known = new KnownTools()
  /** Number of running calls that began by the leases. */
  #unasked = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Begins calls made by one call of the history, each of which counts until its end.
   * @returns a function that throws RefusalError `not_found`; `forbidden` for a tool that is disabled or not for this agent;
   * `conflict`; `rate_limited`
   */
  of({ callId, by, wasNoted, account }: OuterAccount): (call: NewCall) => Promise<BegunCall> {
    const { key, agent } = by
    // The tenant counts each call of a key with a rate or a budget of its own.
    const isMetered = by.restrictions?.isMetered === true
    let begun = 0
    const { session, outbox, admission, now, observed = UNOBSERVED } = this.#parts
    return async (made) => {
      const { reference, own } = made
      const id = `${callId}.${++begun}`
      const startedAt = now()
      const leased = own || isMetered ? null : this.#leased(reference, { key, agent })
      const trace = observed.begin(by)
      const permission = async () => {
        try {
          return await this.#ask({ key, agent, callId: id, reference, session }, made, isMetered)
        } catch (thrown) {
          if (thrown instanceof RefusalError) this.#observeRefusal(trace, startedAt, thrown.failure.code)
          throw thrown
        }
      }
      const { tool, tight, unasked, price } = leased ?? (await permission())
      const called = tool?.definition ?? own
      if (!called) throw new Error('a call was begun of a tool that nobody has')
      const call: OpenCall = {
        key,
        agent,
        callId: id,
        session,
        ...(tool ? { tool: called.id } : { tool: OWN_TOOLS, made: called.id }),
        version: tool?.version ?? 0,
        ...(unasked && { admittedAs: unasked.as }),
        startedAt,
        ms: 0,
        failure: 'lost',
        bytesIn: 0,
        bytesOut: 0,
        sandboxMs: 0,
      }
      setPrice(call, leased ? admission.priceOf(call.tool) : price)
      if (leased) this.#unasked += 1
      outbox.begin(callId, call)
      if (wasNoted()) outbox.note(call)
      return {
        registered: tool,
        traceparent: trace.traceparent,
        end: (how) => {
          if (leased) this.#unasked -= 1
          if (this.#parts.isRemoved()) return
          account.countedElsewhere(how.sandboxMs, costIn(call, how.sandboxMs))
          // Limits put meanwhile count a call that began unasked, and other calls may wait for its end.
          const awaitedBy =
            tight || (unasked && call.admittedAs !== unasked.as)
              ? 'others'
              : // Of granted calls no rule counts how many run.
                typeof unasked?.as !== 'string' && (isMetered || admission.isLimited(call))
                ? 'limited'
                : 'nobody'
          const ended = { ...how, ms: now() - startedAt, ...charged(call, how.sandboxMs) }
          const write: WriteEnd = (note) => {
            if (!outbox.end(callId, call, ended, awaitedBy, note)) return
            const { failure: reason, price: _, cost: __, ...amounts } = ended
            observed.ended(trace, {
              tool: (tool ? 'registered' : 'session_made') satisfies NamelessTool,
              ...{ ...amounts, startedAt, queuedMs: 0 },
              ...{ outcome: reason === null ? 'done' : 'failed', reason },
            })
          }
          // Steps of a chain end long before it, and others may wait for their ends.
          if (account.takeEnd && outbox.isLast(callId, call)) account.takeEnd(write)
          else write()
        },
      }
    }
  }

  #observeRefusal(trace: CallTrace, startedAt: number, reason: string): void {
    const { observed = UNOBSERVED, now } = this.#parts
    const amounts = { ms: now() - startedAt, sandboxMs: 0, queuedMs: 0, bytesIn: 0, bytesOut: 0 }
    const tool: NamelessTool = 'registered'
    observed.ended(trace, { tool, startedAt, ...amounts, outcome: 'refused', reason })
  }

  /** The tenant's tool, where a call of it begins by the leases: it is known, and its policy allows the agent. */
  #leased(reference: string, { key, agent }: Actor): Permitted | null {
    const tool = this.#known.find(reference)
    if (tool === undefined || this.#unasked >= MAX_UNASKED_TOOL_CALLS) return null
    const { definition, policy, revision } = tool
    // The tenant is asked for a call that it refuses, so that the refusal is noted there.
    if (!policy.enabled || !permits(policy.allowed_agents, agent)) return null
    const unasked = this.#parts.admission.beginsUnasked({ key, agent, tool: definition.id }, revision)
    return unasked && { tool, tight: false, unasked }
  }

  /** Asks the tenant. @throws RefusalError */
  async #ask(
    request: CallRequest & { readonly callId: string },
    { reference, own, isNew }: NewCall,
    isMetered: boolean,
  ): Promise<Permitted> {
    const { tenant, outbox, admission } = this.#parts
    // The call may wait for another one that has ended in this session.
    if (outbox.isUrgent) await outbox.tell()
    const known = this.#known.find(reference)
    const { key, agent } = request
    const mayBeUnasked = known && !own && !isMetered && this.#unasked < MAX_UNASKED_TOOL_CALLS
    const wanted = mayBeUnasked ? admission.wanted({ key, agent, tool: known.definition.id }, known.revision) : null
    const begin = tenant.calls.begin({
      ...request,
      ...(known && { mark: known.mark }),
      ...(own && { own: { timeout: own.timeout, isNew } }),
      ...(wanted && { wants: wanted.wants }),
    })
    const answer = await begin.catch(refuse)
    wanted?.answered(answer.batch)
    return { tool: this.#known.chosen(reference, known, answer), tight: answer.tight, price: answer.price }
  }
}

/**
 * Throws a refusal. @throws RefusalError what the tenant refused; any other error unchanged, since a request that was lost
 * may have begun the call
 */
function refuse(thrown: unknown): never {
  if (thrown instanceof FailureError && thrown.failure.code !== 'unavailable') throw new RefusalError(thrown.failure)
  throw thrown
}
