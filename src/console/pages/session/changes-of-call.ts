import type { Commit, FileOfCall } from './types.ts'

/** Commits that a call made, newest first. */
export type CommitsOfCall = readonly Pick<Commit, 'commit' | 'changes'>[]

/** A path as it is after a call, and the commit before the call's first change of it. */
type ChangeOfCall = FileOfCall & { readonly before: number }

/** Paths that some commits changed, newest first, each once; without those that came and went meanwhile. */
export function changesOf(commits: CommitsOfCall): readonly ChangeOfCall[] {
  const ends = new Map<string, { last: FileOfCall; first: FileOfCall; before: number }>()
  for (const { commit, changes } of commits) {
    for (const one of changes) {
      ends.set(one.path, { last: ends.get(one.path)?.last ?? one, first: one, before: commit - 1 })
    }
  }
  return [...ends.values()].flatMap(({ last, first, before }) => {
    const [isNew, isGone] = [first.change === 'created', last.change === 'deleted']
    if (isNew && isGone) return []
    return [{ ...last, before, change: isNew ? 'created' : isGone ? 'deleted' : 'modified' }]
  })
}
