import * as z from 'zod'
import { FailureError, fail } from '../../core/failure.ts'
import { MAX_BROWSER_QUERIES, MAX_BROWSER_RESULTS } from '../../core/limits/web.ts'
import { readLiteral } from '../../lagent/python/read-literal.ts'
import type { SearchResult } from '../../ports/search.ts'
import { oneOrMoreTexts } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { keepFound, mergedResults } from './browser-results.ts'

/** Queries of a search. A list may come as a text, since models are told to send a text. */
const queriesInput = z.preprocess(
  (given) => (typeof given === 'string' ? (listIn(given) ?? given) : given),
  oneOrMoreTexts,
)

function listIn(text: string): string[] | null {
  if (!text.trimStart().startsWith('[')) return null
  try {
    return z.array(z.string()).parse(readLiteral(text))
  } catch {
    return null // words that begin with a bracket
  }
}

/**
 * Searches the web. Source: Lagent, actions/web_browser.py, search; there one of six services, here whatever is set up.
 * PDFs stay among the results, since they can be read here.
 */
export const browserSearch = defineTool({
  name: 'browser_search',
  description:
    "Search the web (internet) by the server's search service, with one query or several at once. Returns the results by index: url, " +
    'summ (what it says) and title. Read the best ones with browser_select. A search replaces the results of the one ' +
    'before.',
  effect: 'fetch',
  uses: ['notes', 'search'],
  input: z.object({
    query: queriesInput.describe(`What to search for: a text, or a list of ${MAX_BROWSER_QUERIES} texts at most`),
  }),

  async run({ query }, { ports: { notes, search }, signal }) {
    const queries = [...new Set(query.map((text) => text.trim()).filter((text) => text !== ''))]
    if (queries.length === 0) fail('invalid_input', 'query is required')
    if (queries.length > MAX_BROWSER_QUERIES) {
      fail(
        'limit_exceeded',
        `query has ${queries.length} searches; at most ${MAX_BROWSER_QUERIES} are made at once (MAX_BROWSER_QUERIES)`,
      )
    }
    const searches = await Promise.all(
      queries.map((one) => search.search(one, MAX_BROWSER_RESULTS, signal).catch(asFailure)),
    )
    const done = searches.filter((found): found is readonly SearchResult[] => !(found instanceof FailureError))
    const failed = searches.find((found) => found instanceof FailureError)
    if (failed && done.length === 0) throw failed
    const found = mergedResults(done)
    keepFound(notes, found)
    const lines = found.map(({ url, summ, title }, index) => `[${index}] ${title}\n${url}\n${summ}`)
    const missing = failed ? [`some searches failed: ${failed.failure.message}`] : []
    return {
      text: lines.length > 0 ? [...lines, ...missing].join('\n\n') : 'nothing found; try other words',
      data: Object.fromEntries(found.map((result, index) => [`${index}`, result])),
    }
  },
})

function asFailure(thrown: unknown): FailureError {
  if (thrown instanceof FailureError) return thrown
  throw thrown
}
