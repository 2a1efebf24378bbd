import type { Ports } from '../../ports/index.ts'
import type { LivePiece } from '../../ports/runner.ts'
import type { Nesting } from '../../registry/chain/budget.ts'
import type { ToolDefinition } from '../../registry/definition.ts'

/** Ports of executors. */
export type ExecutorPorts = Pick<Ports, 'circuits' | 'clock' | 'http' | 'mcpServers' | 'python' | 'secrets' | 'toolbox'>

export interface Execution {
  readonly definition: ToolDefinition
  readonly args: Readonly<Record<string, unknown>>
  readonly context: Readonly<Record<string, unknown>>
  /** Callback for what the call uses, at once when it is used, since calls that fail count too. */
  readonly used: (amounts: Partial<Amounts>) => void
  /** Chains around this call. */
  readonly nesting: Nesting
  /** `traceparent` of requests to the tool's own service; left out without a trace. */
  readonly traceparent?: string
  /** Callback for what the call shows while it runs; left out where nobody follows it. */
  readonly live?: (piece: LivePiece) => void
}

/** Amounts of a call: bytes sent to a service or into the sandbox, bytes received, and sandbox time. */
export interface Amounts {
  readonly bytesIn: number
  readonly bytesOut: number
  readonly sandboxMs: number
}
