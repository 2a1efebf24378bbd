import type { ObservedCall } from '../../../../src/ports/call-observer.ts'

const TRACE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentId: null, isSampled: true }

/** A call of `file_read` that ended well, but for the given. */
export const observedCall = (given: Partial<ObservedCall> = {}): ObservedCall => ({
  ...{
    tool: 'file_read',
    startedAt: Date.UTC(2026, 10, 23),
    ms: 12,
    sandboxMs: 3,
    queuedMs: 2,
    bytesIn: 40,
    bytesOut: 500,
  },
  ...{ outcome: 'done', reason: null, spanId: '00f067aa0ba902b7' },
  origin: { dialect: 'mcp', requestId: 'r1', trace: TRACE },
  ...given,
})
