import { useEffect } from 'preact/hooks'
import { get } from '../../../api.ts'
import { usePages } from '../../../parts/resource.ts'
import { useReadAgain } from '../changed.ts'
import { type Commit, type FileOfCall, pathOf } from '../types.ts'
import { changesOf } from './changes-of-call.ts'

/** Most commits of one page of the list. */
const PAGE = 200
/** Commits that are read for a list of calls. */
const READ_MAX = 2_000

/** Paths that a call changed, counted by how; those that are not known one by one are `more`. */
type Counts = Readonly<Record<FileOfCall['change'] | 'more', number>>

/**
 * Counts what calls of a session changed, by their ids.
 * @param since time when the oldest call of interest began; undefined while there is none
 */
export function useChangesOfCalls(session: string, since: string | undefined): ReadonlyMap<string, Counts> {
  const commits = usePages<Commit>(
    `history of ${JSON.stringify([session, null])}`,
    (cursor, signal) => get(pathOf(session, 'history'), { limit: PAGE, cursor, look: false }, signal),
    { idOf: ({ commit }) => String(commit) },
  )
  useReadAgain(commits)
  const { items = [], next } = commits
  const oldest = items.at(-1)?.committed_at
  const isShort = since !== undefined && oldest !== undefined && oldest > since && items.length < READ_MAX
  useEffect(() => {
    if (isShort) next?.()
  }, [isShort, items.length, next === null])
  const ofCalls = new Map<string, Commit[]>()
  for (const commit of items) {
    if (commit.author.startsWith('call_')) ofCalls.set(commit.author, [...(ofCalls.get(commit.author) ?? []), commit])
  }
  return new Map([...ofCalls].map(([call, made]) => [call, countsOf(made)]))
}

function countsOf(commits: readonly Commit[]): Counts {
  const counts = { created: 0, modified: 0, deleted: 0, more: 0 }
  for (const { change, kind } of changesOf(commits)) if (kind !== 'directory') counts[change] += 1
  for (const { more_changes } of commits) counts.more += more_changes
  return counts
}

const SIGNS = [
  ['created', '+', 'added'],
  ['modified', '~', ''],
  ['deleted', '−', 'removed'],
] as const

/** Counts of files that a call changed, in a few characters, and in words for those who hover or hear; nothing for no change. */
export function ChangeCounts({ counts }: { readonly counts: Counts | undefined }) {
  if (!counts) return null
  const there = SIGNS.filter(([change]) => counts[change] > 0)
  const words = there.map(([change]) => `${counts[change]} ${change}`)
  if (counts.more > 0) words.push(`${counts.more} more`)
  if (words.length === 0) return null
  return (
    <span class="change-counts" role="img" title={words.join(', ')} aria-label={words.join(', ')}>
      {there.map(([change, sign, tone]) => (
        <span key={change} class={tone || undefined}>
          {sign}
          {counts[change]}
        </span>
      ))}
      {counts.more > 0 && <span>…</span>}
    </span>
  )
}
