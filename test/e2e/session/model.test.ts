import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { ModelledSession, PATHS } from './modelled-session.ts'

/**
 * Seeds of the usual run; add each that ever fails: a run that does prints its seed and its steps. `MODEL_STEPS=2000` makes longer runs,
 * with `MODEL_SEEDS=9,10` of others.
 */
const USUAL_SEEDS = [2, 7]
const SEEDS = process.env.MODEL_SEEDS?.split(',').map(Number) ?? USUAL_SEEDS
const USUAL_STEPS = 30
const STEPS = Number(process.env.MODEL_STEPS ?? USUAL_STEPS)
/** Patience for a run: a step may make a sandbox. */
const STEP_MS = 10_000

const NAMES = ['one', 'two', 'three']

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

/** What a step may be, and how often of a hundred times. */
const KINDS = {
  write: 16,
  remove: 5,
  move: 4,
  run: 18,
  leave: 10,
  release: 12,
  kill: 4,
  evict: 6,
  pause: 2,
  'fail to carry': 4,
  restore: 5,
  snapshot: 5,
  collect: 3,
  check: 3,
  fork: 3,
} as const

/** A step, as plain data that a failing run prints; each kind takes what it needs of it. */
interface Step {
  readonly do: keyof typeof KINDS
  readonly path: string
  readonly other: string
  readonly text: string
  readonly name: string
  /** Place among the moments that are kept, counted round and round. */
  readonly at: number
}

const aStep: Arbitrary<Step> = fc.record({
  do: fc.oneof(
    ...Object.entries(KINDS).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind as Step['do']) })),
  ),
  path: fc.constantFrom(...PATHS),
  other: fc.constantFrom(...PATHS),
  text: fc.nat(1_000_000).map(String),
  name: fc.constantFrom(...NAMES),
  at: fc.nat(1_000),
})

/** Does one step. @returns the session to go on with */
async function doStep(step: Step, session: ModelledSession): Promise<ModelledSession> {
  const { path, other, text, name } = step
  const of = <T>(from: readonly T[]): T => from[step.at % from.length] as T // something is always kept
  const paths = session.paths.length > 0 ? session.paths : [path]
  switch (step.do) {
    case 'write':
      await session.write(path, text)
      break
    case 'remove':
      if (session.paths.length > 0) await session.remove(of(paths))
      break
    case 'move':
      await session.move(of(paths), other)
      break
    case 'run':
      await session.run(path, text, other)
      break
    case 'leave':
      await session.leave(path, text)
      break
    case 'release':
      await session.release()
      break
    case 'kill':
      await session.kill()
      break
    case 'evict':
      session.bench.evict()
      break
    case 'pause':
      await session.pause()
      break
    case 'fail to carry':
      await session.failToCarry()
      break
    case 'restore':
      await session.restore(of(session.commits))
      break
    case 'snapshot':
      await session.snapshot(name, of([null, ...session.moments]))
      break
    case 'collect':
      await session.collect()
      break
    case 'check':
      await session.check(of([null, ...session.moments]))
      break
    case 'fork':
      await session.checkAll()
      return session.fork(of(session.moments))
  }
  return session
}

const aRun = (steps: number) => fc.array(aStep, { minLength: steps, maxLength: steps })

it('the usual runs have steps of every kind', () => {
  const kinds = USUAL_SEEDS.flatMap((seed) =>
    fc
      .sample(aRun(USUAL_STEPS), { seed, numRuns: 1 })
      .flat()
      .map((step) => step.do),
  )
  expect([...new Set(kinds)].sort()).toEqual(Object.keys(KINDS).sort())
})

it.each(SEEDS)(
  'a session with a sandbox holds what a model of it holds, over random changes by tools, commands and left processes, kills, pauses, evictions, broken connections, restores, snapshots, forks and collections: seed %i',
  async (seed) => {
    const run = async (steps: readonly Step[]) => {
      let session = new ModelledSession(sandboxd)
      for (const step of steps) {
        session = await doStep(step, session)
        await session.check(null)
      }
      await session.checkAll()
    }
    // A step may make a sandbox: nobody waits for ever fewer steps.
    await fc.assert(fc.asyncProperty(aRun(STEPS), run), { seed, numRuns: 1, endOnFailure: true })
  },
  120_000 + STEPS * STEP_MS,
)
