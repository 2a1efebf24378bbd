import { MAX_KNOWN_TOOLS } from '../../core/limits/registry.ts'
import type { RegisteredTool } from '../../registry/registered-tool.ts'
import type { AdmittedCall } from '../../tenant/calls-api.ts'

/** A tool in the version that the tenant sent last. */
export interface KnownTool extends Pick<RegisteredTool, 'version' | 'definition' | 'policy'> {
  readonly mark: string
  /** Revision of the tenant's tools in which it was sent. */
  readonly revision: number
}

/**
 * Tools that the tenant sent for earlier calls, by reference. A call begins by one of them under a lease of the tools; without,
 * the tenant is asked, and does not send a definition that the session has.
 */
export class KnownTools {
  readonly #tools = new Map<string, KnownTool>()

  find(reference: string): KnownTool | undefined {
    return this.#tools.get(reference)
  }

  /**
   * The tool that the tenant's answer means.
   * @param known the session's tool at the time of the request: others may have come meanwhile
   * @returns null for a tool that the tenant does not have
   */
  chosen(
    reference: string,
    known: KnownTool | undefined,
    { tool, mark, revision }: AdmittedCall,
  ): Pick<KnownTool, 'version' | 'definition'> | null {
    if (tool === null) return known !== undefined && mark === known.mark ? known : null
    if (mark === undefined || revision === undefined) return tool
    this.#tools.delete(reference)
    const [oldest] = this.#tools.keys()
    if (oldest !== undefined && this.#tools.size >= MAX_KNOWN_TOOLS) this.#tools.delete(oldest)
    const { version, definition, policy } = tool
    this.#tools.set(reference, { mark, revision, version, definition, policy })
    return tool
  }
}
