import { fail } from '../core/failure.ts'
import { permits } from '../registry/permitted.ts'
import type { EndedCall, NewCall, RegisteredTool } from './api.ts'
import type { ToolList } from './tool-list.ts'

/** Calls of registered tools: who may make one, and which run. */
export class ToolCalls {
  readonly #tools: ToolList
  readonly #running = new Set<string>()

  constructor(tools: ToolList) {
    this.#tools = tools
  }

  /**
   * In the order in which Toolcore looks: is it there, is it on, is it this agent's.
   * @throws FailureError `not_found`, `forbidden`
   */
  begin({ callId, reference, agent }: NewCall): RegisteredTool {
    const tool = this.#tools.find(reference)
    const { id } = tool.definition
    if (!tool.policy.enabled) fail('forbidden', `Tool is disabled: ${id}`)
    if (!permits(tool.policy.allowed_agents, agent)) fail('forbidden', `Agent ${agent} not in allowlist for ${id}`)
    this.#running.add(callId)
    return tool
  }

  /** Those that are not known, or were told of before, change nothing. */
  end(calls: readonly EndedCall[]): void {
    for (const { callId } of calls) this.#running.delete(callId)
  }
}
