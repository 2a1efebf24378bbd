import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { get, type Listed } from '../../api.ts'
import { type Resource, useResource } from '../../parts/resource.ts'
import { type Commit, pathOf } from './types.ts'

/** Counts changes of a session that were made here: what tells of its files is read again with each. */
export const changed = signal(0)

/** Has what tells of a session's files read again. */
export function noteChange(): void {
  changed.value += 1
}

/** Reads a thing again after each change that was made here. */
export function useReadAgain({ reload }: Pick<Resource<unknown>, 'reload'>): void {
  const seen = useRef(changed.peek())
  useEffect(() => {
    if (changed.value !== seen.current) void reload()
    seen.current = changed.value
  }, [changed.value])
}

/** Milliseconds between two looks for a commit that was made elsewhere. */
const NEWEST_MS = 5_000

/** Number of the newest commit of a session, 0 before the first; undefined until it is known. */
export function useNewest(session: string): number | undefined {
  const read = async (signal: AbortSignal) => {
    const { data } = await get<Listed<Commit>>(pathOf(session, 'history'), { limit: 1 }, signal)
    return data[0]?.commit ?? 0
  }
  const newest = useResource(`newest commit of ${session}`, read, { everyMs: NEWEST_MS })
  useReadAgain(newest)
  return newest.value
}
