import type { ServedGroup } from '../core/served.ts'
import type {
  AdmittedBuiltin,
  AdmittedCall,
  AskedCall,
  CallsApi,
  EndedCall,
  HeldLimits,
  LimitsLease,
  NewBuiltinCall,
  NewCall,
} from './calls-api.ts'
import type { ToolCalls } from './tool-calls.ts'
import type { Upkeep } from './upkeep.ts'

/** Admission of calls and reports of completed ones. What they leave to be written later is scheduled here. */
export class CallsGroup implements ServedGroup<CallsApi> {
  readonly #calls: ToolCalls
  readonly #upkeep: Pick<Upkeep, 'plan'>

  constructor(calls: ToolCalls, upkeep: Pick<Upkeep, 'plan'>) {
    this.#calls = calls
    this.#upkeep = upkeep
  }

  async permit(call: AskedCall): Promise<void> {
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

  async end(node: string, calls: readonly EndedCall[], holds?: HeldLimits): Promise<LimitsLease> {
    this.#calls.end(node, calls, holds?.unused)
    await this.#upkeep.plan()
    return this.#calls.lease(node, holds?.version ?? null)
  }
}
