import { useSignal } from '@preact/signals'
import { useCallback, useEffect } from 'preact/hooks'
import { type Listed, type Problem, problemOf } from '../api.ts'
import { keepNewest } from './keep-newest.ts'

/** Things of the server that are remembered, so that the way back shows them at once. */
const KEPT_MAX = 60
const kept = new Map<string, unknown>()

const keep = (key: string, value: unknown): void => keepNewest(kept, key, value, KEPT_MAX)

/** Forgets what was read, all of it: for another person, or after a change with wide effects. */
export function forgetResources(): void {
  kept.clear()
}

/** A thing of the server, as far as it is known. */
export interface Resource<T> {
  /** Undefined until it is there; the last one while a newer is on its way. */
  readonly value: T | undefined
  readonly problem: Problem | null
  /** Reads it again. */
  readonly reload: () => Promise<void>
}

interface ResourceOptions {
  /** Reads it again after so many milliseconds, while the page can be seen. */
  readonly everyMs?: number | undefined
}

/** Reads a thing by a key that names it and all its parameters; null for not yet. It is read again when the key changes. */
export function useResource<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  { everyMs }: ResourceOptions = {},
): Resource<T> {
  const state = useSignal<{ key: string | null; value: T | undefined; problem: Problem | null }>(fresh<T>(key))
  if (state.peek().key !== key) state.value = fresh<T>(key)

  const read = useCallback(
    async (signal: AbortSignal) => {
      if (key === null) return
      try {
        const value = await load(signal)
        if (signal.aborted) return
        keep(key, value)
        state.value = { key, value, problem: null }
      } catch (thrown) {
        if (!signal.aborted) state.value = { ...state.peek(), problem: problemOf(thrown) }
      }
    },
    [key],
  )

  useEffect(() => {
    const end = new AbortController()
    void read(end.signal)
    const timer = everyMs ? setInterval(() => void (document.hidden || read(end.signal)), everyMs) : undefined
    return () => {
      end.abort()
      clearInterval(timer)
    }
  }, [read, everyMs])

  const { value, problem } = state.value
  return { value, problem, reload: () => read(new AbortController().signal) }
}

function fresh<T>(key: string | null) {
  return { key, value: key === null ? undefined : (kept.get(key) as T | undefined), problem: null }
}

/** A list of the server, read page by page. */
export interface Pages<T> {
  /** Undefined until the first page is there. */
  readonly items: readonly T[] | undefined
  readonly problem: Problem | null
  /** Reads the next page; null where there is none, or one is on its way. */
  readonly next: (() => void) | null
  readonly reload: () => Promise<void>
}

interface ReadPages<T> {
  readonly items: readonly T[]
  readonly cursor: string | null
}

interface PagesOptions<T> extends ResourceOptions {
  /** Name of an item: newer items of the first page are put before those that are there. */
  readonly idOf: (item: T) => string
}

/** Reads a list by a key that names it and all its filters. Read again, its first page replaces or precedes what is there. */
export function usePages<T>(
  key: string | null,
  load: (cursor: string | null, signal: AbortSignal) => Promise<Listed<T>>,
  { idOf, everyMs }: PagesOptions<T>,
): Pages<T> {
  const busy = useSignal(false)
  const first = useResource<ReadPages<T>>(
    key,
    async (signal) => {
      const page = await load(null, signal)
      const before = key === null ? undefined : (kept.get(key) as ReadPages<T> | undefined)
      return joined(page, before, idOf)
    },
    { everyMs },
  )
  const further = useSignal<{ key: string | null; pages: ReadPages<T> } | null>(null)
  const problem = useSignal<Problem | null>(null)
  // A later page was put into the cache: the newest of both is what is kept.
  const pages = (key !== null && (kept.get(key) as ReadPages<T> | undefined)) || further.value?.pages || first.value
  const cursor = pages?.cursor ?? null

  async function readNext() {
    if (!pages || cursor === null || key === null || busy.peek()) return
    busy.value = true
    problem.value = null
    try {
      const page = await load(cursor, new AbortController().signal)
      const known = new Set(pages.items.map(idOf))
      const items = [...pages.items, ...page.data.filter((item) => !known.has(idOf(item)))]
      const next = { items, cursor: page.next_cursor }
      keep(key, next)
      further.value = { key, pages: next }
    } catch (thrown) {
      problem.value = problemOf(thrown)
    }
    busy.value = false
  }

  return {
    items: pages?.items,
    problem: first.problem ?? problem.value,
    next: cursor === null || busy.value || problem.value ? null : () => void readNext(),
    reload: async () => {
      problem.value = null
      await first.reload()
    },
  }
}

/** The first page, followed by those earlier items that come after it: their list is read on from where it was. */
function joined<T>(page: Listed<T>, before: ReadPages<T> | undefined, idOf: (item: T) => string): ReadPages<T> {
  const last = page.data.at(-1)
  const at = before && last ? before.items.findIndex((item) => idOf(item) === idOf(last)) : -1
  if (!before || at < 0 || page.next_cursor === null) return { items: page.data, cursor: page.next_cursor }
  return { items: [...page.data, ...before.items.slice(at + 1)], cursor: before.cursor }
}
