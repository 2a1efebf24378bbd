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
const NEWEST_MS = 3_000

/** Number of the newest commit of a session, as it is known: a look into its sandbox would make commits of what a command has written so far. */
async function readNewest(session: string, signal: AbortSignal): Promise<number> {
  const { data } = await get<Listed<Commit>>(pathOf(session, 'history'), { limit: 1, look: false }, signal)
  return data[0]?.commit ?? 0
}

/** Has what tells of a session's files read again when others have changed them. */
export function useChangesByOthers(session: string): void {
  const { value } = useResource(`newest commit by others of ${session}`, (signal) => readNewest(session, signal), {
    everyMs: NEWEST_MS,
  })
  useEffect(() => {
    if (value === undefined) return
    if (seen.session === session && seen.commit !== value) noteChange()
    seen = { session, commit: value }
  }, [session, value])
}

/** Session that is shown, and its newest commit when that was last looked for, whichever of its pages did. */
let seen = { session: '', commit: 0 }

/** Number of the newest commit of a session, 0 before the first; undefined until it is known. */
export function useNewest(session: string): number | undefined {
  const newest = useResource(`newest commit of ${session}`, (signal) => readNewest(session, signal))
  useReadAgain(newest)
  return newest.value
}

/**
 * Says whether a reading is to look into the sandbox, at what running commands have written so far: the first one of a place does, and those
 * that follow it by themselves do not.
 */
export function useLook(place: string): () => boolean {
  const seen = useRef<string | null>(null)
  return () => {
    const isFirst = seen.current !== place
    seen.current = place
    return isFirst
  }
}
