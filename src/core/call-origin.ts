import type { TraceContext } from './trace-context.ts'

/** Request that a call came with, for logs and traces. */
export interface CallOrigin {
  readonly dialect: string
  /** Id that the client got as `X-Request-Id`; null for a connection of many requests. */
  readonly requestId: string | null
  readonly trace: TraceContext | null
}
