import { setImmediate as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { WaitingContents } from '../../../../src/workspace/waiting.ts'
import { ModelledSession } from './modelled-session.ts'
import { ModelledTenant } from './modelled-tenant.ts'
import { aStep, collect, doStep, type Step } from './steps.ts'

/** Seeds of runs of random steps. A run that fails prints its seed and its steps, as few as were found: add those to KEPT. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]
const WAITING_SEEDS = [21, 22]
const WEEK = Array.from({ length: 5 }, (): Step => ({ session: 0, do: 'wait', hours: 39 }))
/** Steps that always run: those of runs that ever failed. */
const KEPT: readonly (readonly Step[])[] = [
  // What a snapshot needs of the commits that expire.
  [
    { session: 0, do: 'write', path: 'i', text: '25' },
    { session: 0, do: 'snapshot', name: 'one', at: 0 },
    { session: 0, do: 'remove', path: 'i' },
    ...WEEK,
    { session: 0, do: 'expire', whole: true },
  ],
]
/** Runs of one seed, and the most steps of each: some 1,500 steps of a seed. */
const RUNS = 6
const MAX_STEPS = 600
/** Steps that all seeds together do at least. */
const LEAST_STEPS = 10_000
const MAX_SESSIONS = 5
/** Time in which fewer steps are looked for that fail too; what was found by then is printed. */
const SHRINK_MS = 60_000

/** The store has what sessions refer to, but for what may wait, and nothing else. */
function expectNoGarbage(sessions: readonly ModelledSession[], tenant: ModelledTenant, someWait: boolean): void {
  const referred = [...new Set(sessions.flatMap((session) => session.hashes()))].sort()
  const stored = [...tenant.contents.keys()].sort()
  if (someWait) expect(referred).toEqual(expect.arrayContaining(stored))
  else expect(stored).toEqual(referred)
}

async function expectAll(
  sessions: readonly ModelledSession[],
  tenant: ModelledTenant,
  someWait = false,
): Promise<void> {
  for (const session of sessions) await session.checkAll()
  await collect(sessions, tenant)
  for (const session of sessions) await session.checkAll()
  expectNoGarbage(sessions, tenant, someWait)
}

let done = 0
async function doAll(steps: readonly Step[], mayWait?: WaitingContents): Promise<void> {
  const tenant = new ModelledTenant(async () => undefined)
  let sessions: readonly ModelledSession[] = [new ModelledSession(tenant, undefined, mayWait)]
  for (const step of steps) sessions = await doStep(step, sessions, { tenant, most: MAX_SESSIONS })
  await expectAll(sessions, tenant, mayWait !== undefined)
  done += steps.length
}

it.each(KEPT.map((steps) => ({ steps })))('sessions hold what a model holds after kept steps %#', ({ steps }) =>
  doAll(steps),
)

it.each(SEEDS)(
  'sessions hold what a model of them holds, over random changes, restores, snapshots, forks and collections: seed %i',
  async (seed) => {
    const steps = fc.array(aStep, { maxLength: MAX_STEPS, size: 'max' })
    await fc.assert(
      fc.asyncProperty(steps, (taken) => doAll(taken)),
      {
        seed,
        numRuns: RUNS,
        interruptAfterTimeLimit: SHRINK_MS,
      },
    )
  },
  2 * SHRINK_MS,
)

it.each(WAITING_SEEDS)(
  'sessions of which a few contents wait hold what a model of them holds: seed %i',
  async (seed) => {
    const steps = fc.array(aStep, { maxLength: MAX_STEPS, size: 'max' })
    const property = fc.asyncProperty(steps, (taken) => doAll(taken, { contents: 3, bytes: 1_000 }))
    await fc.assert(property, { seed, numRuns: RUNS, interruptAfterTimeLimit: SHRINK_MS })
  },
  2 * SHRINK_MS,
)

it('does enough random steps', () => {
  expect(done).toBeGreaterThanOrEqual(LEAST_STEPS)
})

it('keeps every file of every kept moment, and nothing else, while writers, forks, snapshots and removals of sessions go on beside collections', async () => {
  const tenant = new ModelledTenant(async () => {
    await pause()
  })
  const living = new Set<ModelledSession>()
  const user = async (seed: number) => {
    let own: readonly ModelledSession[] = [new ModelledSession(tenant)]
    for (const step of fc.sample(aStep, { seed, numRuns: 250 })) {
      // Contents travel while the next steps are done.
      const flushed = own[step.session % own.length]?.flush()
      own = await doStep(step, own, { tenant, most: 3 })
      await flushed?.catch(() => false)
    }
    for (const session of own) living.add(session)
  }
  let isOver = false
  const collector = async () => {
    while (!isOver) {
      tenant.time.now += 7 * 3_600_000
      await tenant.references.sweep()
      await pause()
    }
  }
  const collecting = collector()
  await Promise.all([11, 12, 13, 14, 15, 16].map(user))
  isOver = true
  await collecting
  await expectAll([...living], tenant)
})
