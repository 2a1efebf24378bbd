import { get, type Listed } from '../../../api.ts'
import { type Commit, pathOf } from '../types.ts'

/** Commits of a path that are looked through for those that came later. */
const LATER_MAX = 50
/** Later commits that a question names. */
const NAMED_MAX = 5

/** Newest commits of one path. @throws Problem */
export async function commitsOf(session: string, path: string, signal?: AbortSignal): Promise<readonly Commit[]> {
  const { data } = await get<Listed<Commit>>(pathOf(session, 'history'), { path, limit: LATER_MAX }, signal)
  return data
}

/** Maker of a commit in a word: its tool, or the kind of request. */
export const makerOf = ({ tool, author }: Pick<Commit, 'tool' | 'author'>): string =>
  tool ?? author.split(/[_:]/)[0] ?? author

/**
 * Question before a path is set back to before a commit: later changes of it go, too, and are named.
 * @param after the last commit that is meant to be set back
 * @param to moment in words to which the path goes
 * @returns null where nothing changed it later
 */
export async function questionOf(session: string, path: string, after: number, to: string): Promise<string | null> {
  const later = (await commitsOf(session, path)).filter(({ commit }) => commit > after)
  if (later.length === 0) return null
  const named = later.slice(0, NAMED_MAX).map((one) => `commit ${one.commit} (${makerOf(one)})`)
  const more = later.length > NAMED_MAX ? ' and more' : ''
  return `Later changes of ${path}, by ${named.join(', ')}${more}, go too. Take it back to ${to}? The present state stays in the history.`
}
