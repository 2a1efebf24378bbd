import type { ToolDefinition } from '../registry/definition.ts'

/** The tools that the session's tenant registered, for one call: found, permitted, and counted. */
export interface RegisteredTools {
  /**
   * Finds a tool and begins one call of it, which counts until {@link BegunCall.end}.
   * @param reference `id`, or `id@version`
   * @throws RefusalError `not_found`; `forbidden` for one that is disabled or not for this agent; `rate_limited`
   */
  begin(reference: string): Promise<BegunCall>
}

export interface BegunCall {
  readonly version: number
  readonly definition: ToolDefinition
  /** Notes how it ended. Once; what was begun and never ended counts as lost. */
  end(how: CallEnd): void
}

export interface CallEnd {
  /** Null when it worked. */
  readonly failure: string | null
  readonly bytesIn: number
  readonly bytesOut: number
  /** What it kept the sandbox busy. */
  readonly sandboxMs: number
}
