/**
 * Remote MCP servers, each by its address. What they send is foreign: bounded in size and depth, and nothing else. Every request goes
 * through the guarded port, without redirects. Adapter: `mcp/mcp-servers`.
 */
export interface McpServers {
  /**
   * Connects, and reads the whole list of tools.
   * @throws FailureError `forbidden`, `upstream`, `timeout`, `limit_exceeded`
   */
  list(server: McpAddress, signal: AbortSignal): Promise<McpListing>
  /**
   * Pin of a tool, from a list that is fresh by the server's own word, within bounds. Where that list has another one than is expected, a
   * newer list is looked at, since somebody may have accepted it meanwhile.
   * @returns null when the server has no such tool
   * @throws FailureError as {@link list}
   */
  pinOf(
    server: McpAddress,
    tool: { readonly tool: string; readonly expected: string; readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<string | null>
  /**
   * Calls a tool. A server that keeps sessions has one for all calls.
   * @returns the result as the server sent it
   * @throws FailureError `upstream` with the server's own error, `forbidden`, `timeout`, `limit_exceeded`; {@link UnansweredError} when
   * the server may have acted on the call
   */
  call(server: McpAddress, call: McpCall, signal: AbortSignal): Promise<McpAnswer>
  /**
   * Ends the sessions that servers keep for these calls, as far as they let it be done within MCP_END_MS. What still runs ends its own
   * with itself. Never rejects.
   */
  end(): Promise<void>
}

export interface McpAddress {
  readonly url: string
  /** Headers of each request, its credentials among them. */
  readonly headers: Readonly<Record<string, string>>
}

export interface McpCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** Schema of the arguments, some of which may go into headers too. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly timeoutMs: number
  /**
   * Callback for the progress of which the server notifies, never after its answer. Left out where nobody follows the call: the server
   * is not asked for progress then.
   */
  readonly onProgress?: (progress: McpProgress) => void
}

/** Progress of a call in the server's words. */
export interface McpProgress {
  readonly progress: number
  /** Progress at the end; null where it is not known. */
  readonly total: number | null
  /** Empty where there is none; as long as an answer may be. */
  readonly message: string
}

export interface McpListing {
  /** Revision of the protocol that was agreed on. */
  readonly revision: string
  /** Name and version of the server in its own words; null when it says none. */
  readonly server: { readonly name: string; readonly version: string } | null
  /** Tools in the server's order, as it sent them. */
  readonly tools: readonly unknown[]
  /** Milliseconds for which the list is fresh; null when the server does not say. */
  readonly ttlMs: number | null
}

export interface McpAnswer {
  readonly result: Readonly<Record<string, unknown>>
  /** Bytes sent, and received. */
  readonly bytesIn: number
  readonly bytesOut: number
}
