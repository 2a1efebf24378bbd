import { MAX_KNOWN_TOOLS } from '../../core/limits/registry.ts'
import type { RegisteredTool } from '../../registry/registered-tool.ts'
import type { AdmittedCall } from '../../tenant/calls-api.ts'

/** A tool in the version that the tenant sent last. */
type KnownTool = Pick<RegisteredTool, 'version' | 'definition'> & { readonly mark: string }

/**
 * Tools that the tenant sent for earlier calls, by reference. The tenant is asked for every call all the same: this saves it from
 * sending a definition that the session has.
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
    { tool, mark }: AdmittedCall,
  ): Omit<KnownTool, 'mark'> | null {
    if (tool === null) return known !== undefined && mark === known.mark ? known : null
    if (mark === undefined) return tool
    this.#tools.delete(reference)
    const [oldest] = this.#tools.keys()
    if (oldest !== undefined && this.#tools.size >= MAX_KNOWN_TOOLS) this.#tools.delete(oldest)
    this.#tools.set(reference, { mark, version: tool.version, definition: tool.definition })
    return tool
  }
}
