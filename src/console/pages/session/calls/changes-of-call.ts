import type { Commit, FileOfCall } from '../types.ts'

/** Commits that a call made, newest first. */
export type CommitsOfCall = readonly Pick<Commit, 'commit' | 'changes'>[]

/** A path as it is after a call, the commit before the call's first change of it, and that of its last one. */
export type ChangeOfCall = FileOfCall & { readonly before: number; readonly after: number }

/** Paths that some commits changed, newest first, each once; without those that came and went meanwhile. */
export function changesOf(commits: CommitsOfCall): readonly ChangeOfCall[] {
  const ends = new Map<string, { last: FileOfCall; first: FileOfCall; before: number; after: number }>()
  for (const { commit, changes } of commits) {
    for (const one of changes) {
      const { last = one, after = commit } = ends.get(one.path) ?? {}
      ends.set(one.path, { last, after, first: one, before: commit - 1 })
    }
  }
  return [...ends.values()].flatMap(({ last, first, before, after }) => {
    const [isNew, isGone] = [first.change === 'created', last.change === 'deleted']
    if (isNew && isGone) return []
    return [{ ...last, before, after, change: isNew ? 'created' : isGone ? 'deleted' : 'modified' }]
  })
}
