import { KNOWN_TOOL_MS, MAX_KNOWN_TOOL_CHARS, MAX_KNOWN_TOOLS } from '../core/limits/registry.ts'
import { permits } from '../registry/permitted.ts'
import type { RegisteredTool } from '../registry/registered-tool.ts'

interface Known {
  readonly tool: RegisteredTool
  /** Milliseconds since 1970. */
  readonly until: number
}

/**
 * Registered tools that the tenant named lately, by reference. When one of its tools changes the tenant tells the sessions that
 * may know it; one that cannot be told forgets after KNOWN_TOOL_MS.
 */
export class KnownTools {
  readonly #now: () => number
  readonly #tools = new Map<string, Known>()
  /** Tools of versions before this one are known no more, though they may still be on their way. */
  #validFrom = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** @returns null for one that is not known, or not for this agent: the tenant says why */
  find(reference: string, agent: string | null): RegisteredTool | null {
    const known = this.#tools.get(reference)
    if (!known || known.until <= this.#now()) return null
    const { policy } = known.tool
    return policy.enabled && permits(policy.allowed_agents, agent) ? known.tool : null
  }

  /**
   * @param version of the tenant's tools when it named this one
   * @param askedAt when it was asked, in milliseconds since 1970
   */
  keep(reference: string, tool: RegisteredTool, version: number, askedAt: number): void {
    if (version < this.#validFrom || JSON.stringify(tool).length > MAX_KNOWN_TOOL_CHARS) return
    if (this.#tools.size >= MAX_KNOWN_TOOLS) this.#tools.clear()
    this.#tools.set(reference, { tool, until: askedAt + KNOWN_TOOL_MS })
  }

  /** The tenant's tools have changed to this version. */
  drop(version: number): void {
    this.#validFrom = Math.max(this.#validFrom, version)
    this.#tools.clear()
  }
}
