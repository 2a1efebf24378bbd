import { COMMIT_RETENTION_MS, FLUSH_AFTER_MS } from '../../src/core/limits/workspace.ts'
import type { Caller } from '../caller.ts'
import type { ByStatement, Counted } from './counter.ts'
import type { CostedWork } from './works.ts'

/** Counts of one call, each an average. */
export type Counts = Counted & { readonly sandboxSeconds: number }

export interface Cost {
  readonly what: string
  /** One call of a session that rests, with all that follows within seconds: alarms, contents to R2, use, audit. */
  readonly alone: Counts
  /** The same of one call of many, which share what follows. */
  readonly many: Counts
  /** Cost that one call leaves to be collected days later, when history drops it and contents without a reference are deleted. */
  readonly collected: Counts
  readonly byStatement: ByStatement
}

const CALLS = 40
/** Time after which nothing follows a call any more: alarms and reports come within FLUSH_AFTER_MS, and may call others. */
const SETTLED_MS = FLUSH_AFTER_MS + 4_000
const DAY_MS = 24 * 60 * 60_000
/** Alarms until a session has dropped all that is due. */
const ALARMS = 4

/** Counts the rows, requests and operations of calls, of the first one alone and of many, until days later. */
export async function countCosts(call: Caller, { what, session, prepare, call: work }: CostedWork): Promise<Cost> {
  const counted = async (calls: number, during: () => Promise<number>) => {
    await call.post('/cost/start', {})
    const sandboxSeconds = await during()
    const stopped = (await call.post('/cost/stop', {})) as { counted: Counted; byStatement: ByStatement }
    return { counts: perCall({ ...stopped.counted, sandboxSeconds }, calls), byStatement: stopped.byStatement }
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve, SETTLED_MS))

  await prepare(session)
  await work(session, 0)
  await settled()
  const alone = await counted(1, async () => {
    const seconds = await work(session, 1)
    await settled()
    return seconds
  })
  const many = await counted(CALLS, async () => {
    let seconds = 0
    for (let number = 2; number < CALLS + 2; number++) seconds += await work(session, number)
    await settled()
    return seconds
  })
  // Whatever the first calls left, too: two of them more than are counted.
  const collected = await counted(CALLS + 2, async () => {
    await call.post(`/cost/pass/${COMMIT_RETENTION_MS + DAY_MS}`, {})
    for (let alarm = 0; alarm < ALARMS; alarm++) await call.post(`/cost/alarm/session/dev/${session}`, {})
    await call.post(`/cost/pass/${2 * DAY_MS}`, {})
    await call.post('/cost/alarm/tenant/dev', {})
    await settled()
    return 0
  })
  return {
    what,
    alone: alone.counts,
    many: many.counts,
    collected: collected.counts,
    byStatement: perCall({ ...many.byStatement }, CALLS),
  }
}

function perCall<Count extends Readonly<Record<string, number>>>(counts: Count, calls: number): Count {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count / calls])) as Count
}
