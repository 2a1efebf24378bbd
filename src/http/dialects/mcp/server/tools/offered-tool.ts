import type { Hints } from '../../../../callable-tools/hints.ts'

export type Schema = Readonly<Record<string, unknown>>

/** A tool as `tools/list` has it. */
export interface OfferedTool {
  readonly name: string
  /** Name for people. */
  readonly title: string
  readonly description: string
  /** Schema of an object: one of any other type hides all tools of the list in several clients. */
  readonly inputSchema: Schema & { readonly type: 'object' }
  /** Schema of `structuredContent`, for a tool whose results were checked against it. */
  readonly outputSchema?: Schema & { readonly type: 'object' }
  readonly annotations: Hints
  readonly _meta?: Readonly<Record<string, unknown>>
}
