import type { CallObserver, ObservedCall } from '../../ports/call-observer.ts'

/** Log of calls: one line of JSON for each, of which Workers Logs makes fields. */
export const callLog = (tenant: string, write: (line: string) => void = writeLine): CallObserver => ({
  ended: (call) => write(JSON.stringify(callLine(tenant, call))),
})

/** Fields of a call's line; `docs/operating.md` lists them. */
const callLine = (tenant: string, call: ObservedCall) => ({
  level: 'info',
  message: 'call',
  time: new Date(call.startedAt + call.ms).toISOString(),
  tenant,
  dialect: call.origin?.dialect ?? null,
  tool: call.tool,
  outcome: call.outcome,
  reason: call.reason,
  ms: call.ms,
  sandboxMs: call.sandboxMs,
  queueMs: call.queuedMs,
  bytesIn: call.bytesIn,
  bytesOut: call.bytesOut,
  requestId: call.origin?.requestId ?? null,
  traceId: call.origin?.trace?.traceId ?? null,
})

// biome-ignore lint/suspicious/noConsole: the platform's log is where operators look
const writeLine = (line: string) => console.log(line)
