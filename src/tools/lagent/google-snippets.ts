import * as z from 'zod'
import { MAX_SEARCH_RESULTS } from '../../core/limits/web.ts'
import { toRepr } from '../../lagent/python/to-text.ts'
import { integer, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'

/**
 * Searches by Google. Source: Lagent, actions/google_search.py; there by Serper alone, here by whatever search is set up.
 * Serper's own answer boxes and knowledge graphs are not shown.
 */
export const googleSnippets = defineTool({
  name: 'google_snippets',
  description:
    "Search the web for a short answer, by the server's search service. Returns what the results say, as a Python list of " +
    'texts without their addresses. For addresses use google_search.',
  effect: 'fetch',
  uses: ['search'],
  input: z.object({
    query: requiredText.describe('What to search for'),
    k: withDefault(integer, 10).describe(`Number of results to look at, 1 to ${MAX_SEARCH_RESULTS}. Default 10`),
  }),

  async run({ query, k }, { ports: { search }, signal }) {
    const count = Math.min(Math.max(k, 1), MAX_SEARCH_RESULTS)
    const results = await search.search(query, count, signal)
    const found = results
      .slice(0, count)
      .map(({ description }) => description)
      .filter((text) => text !== '')
    const snippets = found.length > 0 ? found : ['No good Google Search Result was found']
    return { text: toRepr(snippets), data: { snippets } }
  },
})
