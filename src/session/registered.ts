import type { Actor } from '../core/actor.ts'
import { RefusalError } from '../core/failure.ts'
import type { BegunCall, RegisteredTools } from '../ports/registered.ts'
import type { ToolDefinition } from '../registry/definition.ts'
import { type CallsApi, OWN_TOOLS } from '../tenant/calls-api.ts'
import type { Admission } from './admission.ts'
import type { CallAccount } from './call-account.ts'
import type { CallOutbox, OpenCall } from './call-outbox.ts'
import { KnownTools } from './known-tools.ts'

interface Parts {
  readonly session: string
  readonly tenant: Pick<CallsApi, 'beginCall'>
  readonly outbox: CallOutbox
  readonly admission: Pick<Admission, 'isLimited'>
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

/** Calls of registered tools in one session: the tenant is asked for each, since it has the tool and who may call it. */
export class SessionRegistered {
  readonly #parts: Parts
  readonly #known = new KnownTools()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  port({ callId, by: { key, agent }, wasNoted, account }: Outer): CallOfRegistered {
    let begun = 0
    const { session, tenant, outbox, admission, now } = this.#parts
    const begin = async (reference: string, own: ToolDefinition | null, isNew: boolean): Promise<BegunCall> => {
      const id = `${callId}.${++begun}`
      const startedAt = now()
      // What it waits for may have ended in this session.
      if (outbox.isUrgent) await outbox.tell()
      const asked = { key, agent, callId: id, reference, session }
      const known = this.#known.find(reference)
      const answer = await tenant.beginCall({
        ...asked,
        ...(known && { mark: known.mark }),
        ...(own && { own: { timeout: own.timeout, isNew } }),
      })
      if ('failure' in answer) throw new RefusalError(answer.failure)
      const { tight } = answer
      const tool = this.#known.chosen(reference, known, answer)
      const definition = tool?.definition ?? own
      if (!definition) throw new Error('a call was begun of a tool that nobody has')
      const version = tool?.version ?? 0
      const call: OpenCall = {
        key,
        agent,
        callId: id,
        session,
        ...(tool ? { tool: definition.id } : { tool: OWN_TOOLS, made: definition.id }),
        version,
        startedAt,
        ms: 0,
        failure: 'lost',
        bytesIn: 0,
        bytesOut: 0,
        sandboxMs: 0,
      }
      outbox.begin(callId, call)
      if (wasNoted()) outbox.note(call)
      return {
        version,
        definition,
        end: (how) => {
          if (this.#parts.isRemoved()) return
          account.countedElsewhere(how.sandboxMs)
          const awaitedBy = tight ? 'others' : admission.isLimited(call) ? 'limited' : 'nobody'
          outbox.end(callId, call, { ...how, ms: now() - startedAt }, awaitedBy)
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
