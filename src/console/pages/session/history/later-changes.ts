import { get, type Listed } from '../../../api.ts'
import { type Commit, pathOf } from '../types.ts'

/** Commits of a path that are looked through for those that came later. */
const LATER_MAX = 50
/** Later commits that a question names. */
const NAMED_MAX = 5

/**
 * Newest commits of one path.
 * @param look whether to look at what running commands have written so far, which makes a commit
 * @throws Problem
 */
export async function commitsOf(
  session: string,
  path: string,
  { look, signal }: { readonly look: boolean; readonly signal?: AbortSignal },
): Promise<readonly Commit[]> {
  const { data } = await get<Listed<Commit>>(pathOf(session, 'history'), { path, limit: LATER_MAX, look }, signal)
  return data
}

/** Maker of a commit in a word: its tool, or the kind of request; of a restore with what it went back to. */
export function makerOf({ tool, author, restored }: Pick<Commit, 'tool' | 'author' | 'restored'>): string {
  const maker = tool ?? author.split(/[_:]/)[0] ?? author
  if (!restored) return maker
  return `${maker} to ${restored.commit === 0 ? 'the start' : `commit ${restored.commit}`}`
}

/** Whether a commit set a path back to its state after an earlier one. */
export function isBackTo({ restored }: Pick<Commit, 'restored'>, commit: number, path: string): boolean {
  if (restored?.commit !== commit) return false
  return restored.path === '' || restored.path === path || path.startsWith(`${restored.path}/`)
}

/** A path that is to be set back. */
interface TakenBack {
  readonly session: string
  readonly path: string
  /** Commit whose state the path gets. */
  readonly before: number
  /** The last commit that is meant to be set back. */
  readonly after: number
}

/**
 * Question before a path is set back: later changes of it go, too, and are named, but for those that were taken back already.
 * @param to moment in words to which the path goes
 * @returns null where nothing changed it later
 */
export async function questionOf({ session, path, before, after }: TakenBack, to: string): Promise<string | null> {
  const all = (await commitsOf(session, path, { look: true })).filter(({ commit }) => commit > after)
  const back = all.findIndex((one) => isBackTo(one, before, path))
  const later = back < 0 ? all : all.slice(0, back)
  if (later.length === 0) return null
  const named = later.slice(0, NAMED_MAX).map((one) => `commit ${one.commit} (${makerOf(one)})`)
  const more = later.length > NAMED_MAX ? ' and more' : ''
  return (
    `Later changes of ${path}, by ${named.join(', ')}${more}, go too: to keep them, change the file by hand instead. ` +
    `Take it back to ${to}? The present state stays in the history.`
  )
}
