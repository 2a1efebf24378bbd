import * as z from 'zod'
import { MAX_SEARCH_RESULTS } from '../../core/limits/web.ts'
import { integer, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'

/** Source: Tool Server, tools/google_tools, GoogleSearchTool; there by scraping, here by the services that offer it. */
export const googleSearch = defineTool({
  name: 'google_search',
  description:
    "Search the web (internet) by the server's search service. Returns results: title, URL and a short description of each. Read a " +
    'result with crawl_page; for scholarly papers use google_scholar_search.',
  effect: 'fetch',
  uses: ['search'],
  input: z.object({
    query: requiredText.describe('What to search for, e.g. "machine learning tutorials"'),
    num_results: withDefault(integer, 50).describe(`Number of results, 1 to ${MAX_SEARCH_RESULTS}. Default 50`),
  }),

  async run({ query, num_results }, { ports: { search }, signal }) {
    const count = Math.min(Math.max(num_results, 1), MAX_SEARCH_RESULTS)
    const results = (await search.search(query, count, signal)).map(({ title, url, description }) => ({
      title,
      url,
      description,
    }))
    const lines = results.map(({ title, url, description }, at) => `${at + 1}. ${title}\n${url}\n${description}`)
    return {
      text: lines.length > 0 ? lines.join('\n\n') : `nothing found for ${query}; try other words`,
      data: { query, results, total_results: results.length },
    }
  },
})
