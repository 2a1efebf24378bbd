import type { Moment } from '../../../../src/core/moment.ts'
import { LARGE, type ModelledSession } from './modelled-session.ts'
import type { ModelledTenant } from './modelled-tenant.ts'

/** Draws of one seed. */
export interface Draws {
  /** Number from 0 to below `limit`. */
  below(limit: number): number
  pick<T>(from: readonly T[]): T
}

export const drawsOf = (random: () => number): Draws => {
  const below = (limit: number) => Math.floor(random() * limit)
  return {
    below,
    pick: (from) => {
      const found = from[below(from.length)]
      if (found === undefined) throw new Error('nothing to draw from')
      return found
    },
  }
}

const NAMES = ['a', 'b', 'c', 'd/e', 'd/f', 'd/g/h', 'a/b', 'i', 'd']
const SNAPSHOTS = ['one', 'two', 'three', 'four']
const HOUR_MS = 3_600_000

/** Does one random step with a session. @returns the sessions that there are then, in place of this one */
export async function step(session: ModelledSession, draws: Draws, tenant: ModelledTenant): Promise<ModelledSession[]> {
  const path = () => draws.pick(draws.below(3) > 0 && session.paths.length > 0 ? session.paths : NAMES)
  const moment = (): Moment | null => draws.pick([null, ...session.moments])
  const text = () => (draws.below(40) === 0 ? `${draws.below(3)}${LARGE}` : `${draws.below(30)}`)
  const kind = draws.below(100)
  if (kind < 38) await session.write(path(), text())
  else if (kind < 46) await session.remove(path())
  else if (kind < 54) await session.move(path(), draws.pick(NAMES))
  else if (kind < 57) await session.makeDirectory(path())
  else if (kind < 61) session.restore(draws.pick(session.moments.filter((at) => typeof at === 'number')))
  else if (kind < 66) session.snapshot(draws.pick(SNAPSHOTS), moment())
  else if (kind < 69) session.removeSnapshot(draws.pick(SNAPSHOTS))
  else if (kind < 74) tenant.time.now += draws.below(40) * HOUR_MS
  else if (kind < 78) session.expire(draws.below(2) === 0)
  else if (kind < 84) await session.flush()
  else if (kind < 87) await tenant.references.sweep()
  else if (kind < 90) session.evict()
  else if (kind < 97) await session.check(moment())
  else if (kind < 99) return [session, await session.fork(moment())]
  else await session.checkAll()
  return [session]
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
