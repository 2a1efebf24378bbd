import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_READ_RESULTS } from '../../core/limits/web.ts'
import { integer, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { pageOrReason } from './page-or-reason.ts'

/** Source: XAgent ToolServer, core/envs/web.py, search_and_browse. */
export const searchAndRead = defineTool({
  name: 'search_and_read',
  description:
    "Search the web (internet) by the server's search service and read the first results. Returns title, URL, short description and " +
    'page text of each; where a page cannot be read, its text says why.',
  effect: 'fetch',
  uses: ['browser', 'http', 'reader', 'search'],
  input: z.object({
    query: requiredText.describe('What to search for'),
    num_results: withDefault(integer, 3).describe(`Number of results to read, 1 to ${MAX_READ_RESULTS}. Default 3`),
  }),

  async run({ query, num_results }, { ports, signal }) {
    const count = Math.min(Math.max(num_results, 1), MAX_READ_RESULTS)
    const found = (await ports.search.search(query, count, signal)).slice(0, count)
    if (found.length === 0) fail('not_found', `nothing found for ${query.slice(0, 200)}; try other words`)
    const results = await Promise.all(
      found.map(async ({ title, url, description }) => {
        const read = await pageOrReason(url, ports, signal)
        return { title, url, description, page: 'error' in read ? read.error : read.content }
      }),
    )
    const text = results.map(({ title, url, page }) => `# ${title}\n${url}\n\n${page}`).join('\n\n')
    return { text, data: { query, results } }
  },
})
