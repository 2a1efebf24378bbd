import { useRef } from 'preact/hooks'
import { get, type Listed } from '../../../api.ts'
import { useResource } from '../../../parts/resource.ts'
import type { ChangeOfCall } from '../calls/changes-of-call.ts'
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

/**
 * Reads what became of a path after a change; undefined until it is known. It is read again when the path was touched again.
 * @param touched the newest later commit that changed the path, as far as is known
 */
export function useSince(
  session: string,
  made: MadeChange,
  { isFollowed, touched }: { readonly isFollowed: boolean; readonly touched: number },
): Since | undefined {
  const { path, before, after, change } = made
  const place = JSON.stringify([session, path, before, after])
  const since = useResource<Since>(isFollowed ? `since ${place} ${touched}` : null, async (signal) => {
    const later = (await commitsOf(session, path, { look: false, signal })).filter(({ commit }) => commit > after)
    const [newest] = later
    if (!newest) return { last: null, takenBack: null, isBack: false, isThere: change !== 'deleted' }
    const query = { from: before, path, limit: 1, look: false }
    const { data } = await get<Listed<Difference>>(pathOf(session, 'diff'), query, signal)
    const isBack = data.length === 0
    const isThere = newest.changes.every((one) => one.path !== path || one.change !== 'deleted')
    const back = later.find((one) => isBackTo(one, before, path)) ?? (isBack && isRestore(newest) ? newest : undefined)
    return { last: newest.commit, takenBack: back?.commit ?? null, isBack, isThere }
  })
  // What was known stays until the next is.
  const known = useRef<{ place: string; value: Since } | null>(null)
  if (since.value) known.current = { place, value: since.value }
  return since.value ?? (known.current?.place === place ? known.current.value : undefined)
}

/** Whether a commit restored something; one of an older version of the server does not say what. */
const isRestore = ({ restored, author, tool }: Commit): boolean =>
  restored !== null || author.startsWith('restore') || tool === 'workspace_restore'
