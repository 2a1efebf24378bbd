import * as z from 'zod'
import { MAX_BROWSER_RESULTS } from '../../core/limits/web.ts'
import type { Notes } from '../../ports/notes.ts'
import type { SearchResult } from '../../ports/search.ts'

/** Results of a search, with the names that Lagent's browser gives their fields. A result's index is its place in the list. */
const Found = z.array(z.object({ url: z.string(), summ: z.string(), title: z.string() }))
export type Found = z.output<typeof Found>

/** Longest address in a note: all MAX_BROWSER_RESULTS have room in one. */
const MAX_URL_CHARS = 1_500
const MAX_SUMMARY_CHARS = 800
const MAX_TITLE_CHARS = 200

const NOTE = 'browser'

/** Results of the session's last search. @returns null when there was none */
export function lastFound(notes: Notes): Found | null {
  const found = Found.safeParse(notes.read(NOTE))
  return found.success ? found.data : null
}

export const keepFound = (notes: Notes, found: Found) => notes.write(NOTE, found)

/** Results of several searches in turns, each address once with all texts about it. */
export function mergedResults(searches: readonly (readonly SearchResult[])[]): Found {
  const found = new Map<string, { url: string; summ: string; title: string }>()
  const longest = Math.max(0, ...searches.map(({ length }) => length))
  for (let place = 0; place < longest; place++) {
    for (const { url, description, title } of searches.flatMap((results) => results[place] ?? [])) {
      const known = found.get(url)
      const summ = oneLine(description, MAX_SUMMARY_CHARS)
      if (known && !known.summ.includes(summ)) known.summ = oneLine(`${known.summ} ${summ}`, MAX_SUMMARY_CHARS)
      if (known || url.length > MAX_URL_CHARS || found.size === MAX_BROWSER_RESULTS) continue
      found.set(url, { url, summ, title: oneLine(title, MAX_TITLE_CHARS) })
    }
  }
  return [...found.values()]
}

const oneLine = (text: string, most: number) =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed()
