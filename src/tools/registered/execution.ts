import type { Ports } from '../../ports/index.ts'
import type { Nesting } from '../../registry/chain/budget.ts'
import type { ToolDefinition } from '../../registry/definition.ts'

/** What executors reach. */
export type ExecutorPorts = Pick<Ports, 'circuits' | 'clock' | 'http' | 'python' | 'secrets' | 'toolbox'>

export interface Execution {
  readonly definition: ToolDefinition
  readonly args: Readonly<Record<string, unknown>>
  readonly context: Readonly<Record<string, unknown>>
  /** Told of what the call uses when it is used, since calls that fail count too. */
  readonly used: (amounts: Partial<Amounts>) => void
  /** The chains that it is called by. */
  readonly nesting: Nesting
}

/** How much went to a service or into the sandbox, how much came back, and how long it kept the sandbox busy. */
export interface Amounts {
  readonly bytesIn: number
  readonly bytesOut: number
  readonly sandboxMs: number
}
