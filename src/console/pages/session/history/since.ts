import { get, type Listed } from '../../../api.ts'
import { useResource } from '../../../parts/resource.ts'
import type { ChangeOfCall } from '../calls/changes-of-call.ts'
import { useReadAgain } from '../changed.ts'
import { type Commit, type Difference, pathOf } from '../types.ts'
import { commitsOf, isBackTo } from './later-changes.ts'

/** State of a path now, beside what a call, or a range of commits, made of it. */
export interface Since {
  /** Newest later commit that changed it; null for none. */
  readonly last: number | null
  /** Newest later commit that took it back to what it was before; null for none. */
  readonly takenBack: number | null
  /** Whether it is as it was before. */
  readonly isBack: boolean
  /** Whether there is something at the path. */
  readonly isThere: boolean
}

/** A change of a path: the commit before it, and its last one. */
export type MadeChange = Pick<ChangeOfCall, 'path' | 'change' | 'before' | 'after'>

/** Reads what became of a path after a change; undefined until it is known. */
export function useSince(session: string, made: MadeChange, isFollowed: boolean): Since | undefined {
  const { path, before, after, change } = made
  const key = isFollowed ? `since ${JSON.stringify([session, path, before, after])}` : null
  const since = useResource<Since>(key, async (signal) => {
    const later = (await commitsOf(session, path, signal)).filter(({ commit }) => commit > after)
    const [newest] = later
    if (!newest) return { last: null, takenBack: null, isBack: false, isThere: change !== 'deleted' }
    const query = { from: before, path, limit: 1 }
    const { data } = await get<Listed<Difference>>(pathOf(session, 'diff'), query, signal)
    const isBack = data.length === 0
    const isThere = newest.changes.every((one) => one.path !== path || one.change !== 'deleted')
    const back = later.find((one) => isBackTo(one, before, path)) ?? (isBack && isRestore(newest) ? newest : undefined)
    return { last: newest.commit, takenBack: back?.commit ?? null, isBack, isThere }
  })
  useReadAgain(since)
  return since.value
}

/** Whether a commit restored something; one of an older version of the server does not say what. */
const isRestore = ({ restored, author, tool }: Commit): boolean =>
  restored !== null || author.startsWith('restore') || tool === 'workspace_restore'
