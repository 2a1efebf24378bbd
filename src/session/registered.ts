import type { Actor } from '../core/actor.ts'
import { RefusalError } from '../core/failure.ts'
import type { BegunCall, RegisteredTools } from '../ports/registered.ts'
import type { ToolDefinition } from '../registry/definition.ts'
import type { RegisteredTool } from '../registry/registered-tool.ts'
import { type AdmittedCall, type CallsApi, type NewCall, OWN_TOOLS } from '../tenant/calls-api.ts'
import type { Admission } from './admission.ts'
import type { CallAccount } from './call-account.ts'
import type { CallOutbox, OpenCall } from './call-outbox.ts'
import { KnownTools } from './known-tools.ts'

interface Parts {
  readonly session: string
  readonly tenant: Pick<CallsApi, 'beginCall'>
  readonly outbox: CallOutbox
  readonly admission: Pick<Admission, 'isFree'>
  /** A tool that the session made for itself; null when there is none of that id. */
  readonly madeTool: (id: string) => ToolDefinition | null
  /** True once the session is being removed: what runs then counts as lost, however it ends. */
  readonly isRemoved: () => boolean
  readonly now: () => number
}

/** The port, and calls of tools that are not there yet. */
export interface CallOfRegistered extends RegisteredTools {
  /** @throws RefusalError `conflict` when the tenant has a tool of that id; `rate_limited` */
  beginTest(definition: ToolDefinition): Promise<BegunCall>
}

/** The call of the history that calls registered tools. */
interface Outer {
  readonly callId: string
  readonly by: Actor
  /** Whether it is noted already that it runs. */
  readonly wasNoted: () => boolean
  readonly account: Pick<CallAccount, 'countedElsewhere'>
}

/**
 * Calls of registered tools in one session. The tenant has the tools and who may call them, and is asked where this session does not
 * know the tool already, or a rule limits it.
 */
export class SessionRegistered {
  readonly #parts: Parts
  readonly #known: KnownTools

  constructor(parts: Parts) {
    this.#parts = parts
    this.#known = new KnownTools(parts.now)
  }

  /** What is known of tools of versions before this one holds no more. */
  toolsChanged(version: number): void {
    this.#known.drop(version)
  }

  /** A tool that this caller may call without asking the tenant; null when it has to be asked. */
  #free(reference: string, by: Actor): RegisteredTool | null {
    const tool = this.#known.find(reference, by.agent)
    return tool && this.#parts.admission.isFree({ ...by, tool: tool.definition.id }) ? tool : null
  }

  /** @throws RefusalError when the tenant lets it not begin */
  async #ask(call: NewCall): Promise<AdmittedCall> {
    const { outbox, tenant, now } = this.#parts
    // What it waits for may have ended in this session.
    if (outbox.isUrgent) await outbox.tell()
    const askedAt = now()
    const answer = await tenant.beginCall(call)
    if ('failure' in answer) throw new RefusalError(answer.failure)
    const { tool, toolsVersion } = answer
    if (tool && toolsVersion !== undefined) this.#known.keep(call.reference, tool, toolsVersion, askedAt)
    return answer
  }

  port({ callId, by: { key, agent }, wasNoted, account }: Outer): CallOfRegistered {
    let begun = 0
    const { session, outbox, now } = this.#parts
    const begin = async (reference: string, own: ToolDefinition | null, isNew: boolean): Promise<BegunCall> => {
      const id = `${callId}.${++begun}`
      const startedAt = now()
      const free = own ? null : this.#free(reference, { key, agent })
      const asked = { key, agent, callId: id, reference, session, ...(own && { own: { timeout: own.timeout, isNew } }) }
      const answer = free ? { tool: free, tight: false } : await this.#ask(asked)
      const definition = answer.tool?.definition ?? own
      if (!definition) throw new Error('a call was begun of a tool that nobody has')
      const version = answer.tool?.version ?? 0
      const { tight } = answer
      const call: OpenCall = {
        key,
        agent,
        callId: id,
        session,
        ...(answer.tool ? { tool: definition.id } : { tool: OWN_TOOLS, made: definition.id }),
        version,
        startedAt,
        ms: 0,
        failure: 'lost',
        bytesIn: 0,
        bytesOut: 0,
        sandboxMs: 0,
        ...(free && { admittedAs: null }),
      }
      outbox.begin(callId, call)
      if (wasNoted()) outbox.note(call)
      return {
        version,
        definition,
        end: (how) => {
          if (this.#parts.isRemoved()) return
          account.countedElsewhere(how.sandboxMs)
          // Limits that were put meanwhile count it, and others may wait for it.
          const isTight = tight || (free !== null && call.admittedAs !== null)
          outbox.end(callId, call, { ...how, ms: now() - startedAt }, isTight)
        },
      }
    }
    return {
      // A tool of the tenant comes before one that the session made.
      begin: (reference) => begin(reference, this.#parts.madeTool(reference), false),
      beginTest: (definition) => begin(definition.id, definition, true),
    }
  }
}
