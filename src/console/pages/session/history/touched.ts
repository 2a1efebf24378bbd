import { get, type Listed } from '../../../api.ts'
import { useResource } from '../../../parts/resource.ts'
import { useReadAgain } from '../changed.ts'
import { type Commit, pathOf } from '../types.ts'

/** Newest commits that are looked through. */
const LOOKED_AT = 200

/**
 * Says which commit changed a path last, of those after a commit, as far as the newest commits tell; 0 for none. With it one request finds out
 * for all paths of a page which of them are to be looked at again.
 */
export function useTouched(session: string): (path: string, after: number) => number {
  const commits = useResource(`newest commits of ${session}`, async (signal) => {
    const query = { limit: LOOKED_AT, look: false }
    return (await get<Listed<Commit>>(pathOf(session, 'history'), query, signal)).data
  })
  useReadAgain(commits)
  return (path, after) => {
    const touches = ({ changes, more_changes }: Commit) =>
      more_changes > 0 || changes.some((one) => one.path === path || path.startsWith(`${one.path}/`))
    return commits.value?.find((one) => one.commit > after && touches(one))?.commit ?? 0
  }
}
