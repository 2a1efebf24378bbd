import { FLUSH_AFTER_MS } from '../../src/core/limits/workspace.ts'
import type { Caller } from '../caller.ts'
import type { InUse } from './in-use.ts'
import type { CostedWork } from './works.ts'

export interface MeasuredInUse {
  readonly what: string
  /** Seconds for one call, by class of objects. */
  readonly seconds: InUse
}

/** Calls of a burst, and the time for which an agent's model thinks between two of them. */
const CALLS = 10
const THINKING_MS = 6_000
/** Time after which nothing follows the last call any more. */
const SETTLED_MS = FLUSH_AFTER_MS + 4_000

/** Measures for how long objects are in use for each call of a burst, with what follows the last one. */
export async function measureInUse(call: Caller, work: CostedWork): Promise<MeasuredInUse> {
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  await work.prepare(work.session)
  await work.call(work.session, 0)
  await pause(SETTLED_MS)
  await call.post('/cost/in-use/start', {})
  for (let number = 1; number <= CALLS; number++) {
    await work.call(work.session, number)
    await pause(number < CALLS ? THINKING_MS : SETTLED_MS)
  }
  const seconds = (await call.post('/cost/in-use/stop', {})) as InUse
  return {
    what: work.what,
    seconds: Object.fromEntries(Object.entries(seconds).map(([kind, all]) => [kind, all / CALLS])),
  }
}
