import type { Result } from '../../core/outcome.ts'
import type { Ports } from '../../ports/index.ts'
import type { CallEnd } from '../../ports/registered.ts'
import type { Nesting } from '../../registry/chain/budget.ts'
import type { ToolDefinition } from '../../registry/definition.ts'

/** What executors reach. */
export type ExecutorPorts = Pick<
  Ports,
  'circuits' | 'clock' | 'http' | 'otherTools' | 'python' | 'registered' | 'secrets'
>

export interface Execution {
  readonly definition: ToolDefinition
  readonly args: Readonly<Record<string, unknown>>
  readonly context: Readonly<Record<string, unknown>>
  /** Told of what the call uses when it is used, since calls that fail count too. */
  readonly used: (amounts: Partial<Amounts>) => void
  /** The chains that it is called by. */
  readonly nesting: Nesting
  /** For tools that call others; here, since the executors do not know who calls them. */
  readonly callRegistered: (
    call: RegisteredCall,
    nesting: Nesting,
    ports: ExecutorPorts,
    signal: AbortSignal,
  ) => Promise<Result>
}

export interface RegisteredCall {
  /** `id`, or `id@version`. */
  readonly reference: string
  readonly args: Readonly<Record<string, unknown>>
  /** What the tool is told besides. */
  readonly context: Readonly<Record<string, unknown>>
}

/** How much went to a service or into the sandbox, how much came back, and how long it kept the sandbox busy. */
export type Amounts = Omit<CallEnd, 'failure'>
