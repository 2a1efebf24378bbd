import fc, { type Arbitrary } from 'fast-check'
import type { Moment } from '../../../../src/core/moment.ts'
import { LARGE, type ModelledSession } from './modelled-session.ts'
import type { ModelledTenant } from './modelled-tenant.ts'

/** A path, or the place of one among those that there are. */
type Place = string | number
/** Place among the moments that are kept, and the present. */
type When = number

/** Something that a user, the clock or the server does; plain data, which a failing run prints and a test can name. */
export type Step = {
  /** Place of the session among those that there are. */
  readonly session: number
} & (
  | { readonly do: 'write'; readonly path: Place; readonly text: string }
  | { readonly do: 'remove' | 'make directory'; readonly path: Place }
  | { readonly do: 'move'; readonly path: Place; readonly to: string }
  | { readonly do: 'snapshot'; readonly name: string; readonly at: When }
  | { readonly do: 'remove snapshot'; readonly name: string }
  | { readonly do: 'restore' | 'check' | 'fork'; readonly at: When }
  | { readonly do: 'wait'; readonly hours: number }
  | { readonly do: 'expire'; readonly whole: boolean }
  | { readonly do: 'crash in a flush'; readonly after: number }
  | { readonly do: 'flush' | 'sweep' | 'evict' | 'check all' | 'destroy' }
)

const NAMES = ['a', 'b', 'c', 'd/e', 'd/f', 'd/g/h', 'a/b', 'i', 'd']
const SNAPSHOTS = ['one', 'two', 'three', 'four']
const HOUR_MS = 3_600_000
/** Starts the texts that stand for a content which goes to the store before its commit. */
const LARGE_TEXT = 'large '

const name = fc.constantFrom(...NAMES)
const snapshot = fc.constantFrom(...SNAPSHOTS)
const place: Arbitrary<Place> = fc.oneof({ weight: 1, arbitrary: name }, { weight: 2, arbitrary: fc.nat(60) })
const when = fc.nat(2_000)
const upTo = (most: number) => fc.nat(most).map(String)
const text = fc.oneof(
  { weight: 39, arbitrary: upTo(29) },
  { weight: 1, arbitrary: upTo(2).map((seed) => LARGE_TEXT + seed) },
)
const session = fc.nat(60)
const only = <Word extends string>(word: Word) => ({ session, do: fc.constant(word) })

/** One step; the weights are hundredths. */
export const aStep: Arbitrary<Step> = fc.oneof(
  { weight: 36, arbitrary: fc.record({ ...only('write'), path: place, text }) },
  { weight: 8, arbitrary: fc.record({ ...only('remove'), path: place }) },
  { weight: 8, arbitrary: fc.record({ ...only('move'), path: place, to: name }) },
  { weight: 3, arbitrary: fc.record({ ...only('make directory'), path: place }) },
  { weight: 4, arbitrary: fc.record({ ...only('restore'), at: when }) },
  { weight: 5, arbitrary: fc.record({ ...only('snapshot'), name: snapshot, at: when }) },
  { weight: 3, arbitrary: fc.record({ ...only('remove snapshot'), name: snapshot }) },
  { weight: 5, arbitrary: fc.record({ ...only('wait'), hours: fc.nat(39) }) },
  { weight: 4, arbitrary: fc.record({ ...only('expire'), whole: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record(only('flush')) },
  { weight: 2, arbitrary: fc.record({ ...only('crash in a flush'), after: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record(only('sweep')) },
  { weight: 3, arbitrary: fc.record(only('evict')) },
  { weight: 6, arbitrary: fc.record({ ...only('check'), at: when }) },
  { weight: 2, arbitrary: fc.record({ ...only('fork'), at: when }) },
  { weight: 1, arbitrary: fc.record(only('check all')) },
  { weight: 1, arbitrary: fc.record(only('destroy')) },
)

/** Item at a place, counted round and round. */
function at<T>(items: readonly T[], number: number): T {
  const found = items[number % items.length]
  if (found === undefined) throw new Error('nothing to take from')
  return found
}

/**
 * Does one step. A fork of one more session than `most` and the removal of the last one do nothing.
 * @returns the sessions that there are then
 */
export async function doStep(
  step: Step,
  sessions: readonly ModelledSession[],
  { tenant, most }: { readonly tenant: ModelledTenant; readonly most: number },
): Promise<readonly ModelledSession[]> {
  const one = at(sessions, step.session)
  const path = (place: Place) =>
    typeof place === 'string' ? place : one.paths.length > 0 ? at(one.paths, place) : at(NAMES, place)
  const moment = (number: When): Moment | null => at([null, ...one.moments], number)
  switch (step.do) {
    case 'write':
      await one.write(path(step.path), step.text.replace(LARGE_TEXT, LARGE))
      break
    case 'remove':
      await one.remove(path(step.path))
      break
    case 'make directory':
      await one.makeDirectory(path(step.path))
      break
    case 'move':
      await one.move(path(step.path), step.to)
      break
    case 'restore': {
      const commits = one.moments.filter((moment) => typeof moment === 'number')
      one.restore(at(commits, step.at))
      break
    }
    case 'snapshot':
      one.snapshot(step.name, moment(step.at))
      break
    case 'remove snapshot':
      one.removeSnapshot(step.name)
      break
    case 'wait':
      tenant.time.now += step.hours * HOUR_MS
      break
    case 'expire':
      one.expire(step.whole)
      break
    case 'flush':
      await one.flush()
      break
    case 'crash in a flush':
      await tenant.cuttingOff(one.node, step.after, () => one.flush())
      one.evict()
      break
    case 'sweep':
      await tenant.references.sweep()
      break
    case 'evict':
      one.evict()
      break
    case 'check':
      await one.check(moment(step.at))
      break
    case 'check all':
      await one.checkAll()
      break
    case 'fork':
      return sessions.length < most ? [...sessions, await one.fork(moment(step.at))] : sessions
    case 'destroy':
      if (sessions.length === 1) break
      await one.destroy()
      return sessions.filter((other) => other !== one)
  }
  return sessions
}

/** Drops all that nothing refers to, with as much time as it takes. */
export async function collect(sessions: readonly ModelledSession[], tenant: ModelledTenant): Promise<void> {
  for (const session of sessions) {
    session.expire(true)
    while (await session.flush());
  }
  tenant.time.now += 25 * HOUR_MS
  await tenant.references.sweep()
}
