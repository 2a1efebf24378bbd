import type { ServedGroup } from '../core/served.ts'
import type {
  AdmittedBuiltin,
  AdmittedCall,
  CallRequest,
  CallsApi,
  EndedCall,
  HeldLimits,
  LimitsLease,
  NewBuiltinCall,
  NewCall,
  ToolsLease,
} from './calls-api.ts'
import type { SessionList } from './session-list.ts'
import type { ToolCalls } from './tool-calls.ts'
import type { Upkeep } from './upkeep.ts'

interface Parts {
  readonly calls: ToolCalls
  readonly sessions: Pick<SessionList, 'find'>
  readonly upkeep: Pick<Upkeep, 'plan'>
}

/** Admission of calls and reports of completed ones, with the upkeep that they make due. */
export class CallsGroup implements ServedGroup<CallsApi> {
  readonly #calls: ToolCalls
  readonly #sessions: Parts['sessions']
  readonly #upkeep: Parts['upkeep']

  constructor({ calls, sessions, upkeep }: Parts) {
    this.#calls = calls
    this.#sessions = sessions
    this.#upkeep = upkeep
  }

  async permit(call: CallRequest): Promise<void> {
    try {
      this.#calls.permit(call)
    } catch (thrown) {
      await this.#upkeep.plan()
      throw thrown
    }
  }

  async begin(call: NewCall): Promise<AdmittedCall> {
    try {
      return this.#calls.begin(call)
    } catch (thrown) {
      await this.#upkeep.plan()
      throw thrown
    }
  }

  async admit(call: NewBuiltinCall): Promise<AdmittedBuiltin> {
    const answer = this.#calls.admit(call)
    if (answer.failure) await this.#upkeep.plan()
    return answer
  }

  async end(node: string, calls: readonly EndedCall[], holds?: HeldLimits): Promise<LimitsLease & ToolsLease> {
    this.#calls.end(node, calls, holds?.over)
    await this.#upkeep.plan()
    const lease = this.#calls.lease(node, holds?.version ?? null)
    // Only listed sessions are notified of changes.
    return this.#sessions.find(node) === null ? lease : { ...lease, ...this.#calls.toolsLease() }
  }
}
