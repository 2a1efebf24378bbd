import type { Result } from '../../core/outcome.ts'
import type { Ports } from '../../ports/index.ts'
import type { ToolDefinition } from '../../registry/definition.ts'

/** What executors reach. */
export type ExecutorPorts = Pick<Ports, 'circuits' | 'clock' | 'http' | 'secrets'>

export interface Execution {
  readonly definition: ToolDefinition
  readonly args: Readonly<Record<string, unknown>>
  readonly context: Readonly<Record<string, unknown>>
}

/** What a run of a tool came to, and how much of it there was. */
export interface Executed {
  readonly result: Result
  readonly bytesIn: number
  readonly bytesOut: number
  readonly sandboxMs: number
}
