import { isTenantClosed } from '../core/closed-tenant.ts'
import type { WarmTime } from '../ports/sandbox-spares.ts'
import { type CallsApi, type EndedCall, WARM_POOL } from './calls-api.ts'

/** Reports the time of a tenant's warm pool to the tenant. Returns when it is counted, or nobody is left who would pay for it. */
export async function reportWarmTime(calls: Pick<CallsApi, 'end'>, times: readonly WarmTime[]): Promise<void> {
  try {
    await calls.end(WARM_POOL, times.map(entryOf))
  } catch (thrown) {
    if (!isTenantClosed(thrown)) throw thrown
  }
}

const entryOf = ({ number, startedAt, runningMs }: WarmTime): EndedCall => ({
  ...{
    number,
    startedAt,
    callId: '',
    session: '',
    tool: WARM_POOL,
    key: null,
    agent: null,
    failure: null,
    admittedAs: null,
  },
  ...{ ms: 0, bytesIn: 0, bytesOut: 0, sandboxMs: 0 },
  sandboxTime: { runningMs, pausedMs: 0 },
})
