import type { SearchResult } from '../ports/search.ts'

/**
 * Requests page after page until there are enough results, or a page brings nothing new.
 * @param page gets the page's number, from 0
 */
export async function searchPages(
  count: number,
  maxPages: number,
  ask: (page: number) => Promise<readonly SearchResult[]>,
): Promise<SearchResult[]> {
  const found = new Map<string, SearchResult>()
  for (let page = 0; page < maxPages && found.size < count; page++) {
    const before = found.size
    for (const result of await ask(page)) if (!found.has(result.url)) found.set(result.url, result)
    if (found.size === before) break
  }
  return [...found.values()].slice(0, count)
}
