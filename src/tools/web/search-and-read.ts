import { z } from 'zod'
import { FailureError, fail } from '../../core/failure.ts'
import { MAX_READ_RESULTS } from '../../core/limits.ts'
import type { Ports } from '../../ports/index.ts'
import { integer, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { pageText } from './page-text.ts'

/** Source: XAgent ToolServer, core/envs/web.py, search_and_browse. */
export const searchAndRead = defineTool({
  name: 'search_and_read',
  description:
    'Search the web and read the first results. Returns title, URL, short description and page text of each; where a page ' +
    'cannot be read, its text says why.',
  effect: 'fetch',
  uses: ['browser', 'clock', 'http', 'search'],
  input: z.object({
    query: requiredText.describe('What to search for'),
    num_results: withDefault(integer, 3).describe(`How many results to read, 1 to ${MAX_READ_RESULTS}. Default 3`),
  }),

  async run({ query, num_results }, { ports, signal }) {
    const count = Math.min(Math.max(num_results, 1), MAX_READ_RESULTS)
    const found = (await ports.search.search(query, count, signal)).slice(0, count)
    if (found.length === 0) fail('not_found', `nothing found for ${query.slice(0, 200)}; try other words`)
    const results = await Promise.all(
      found.map(async ({ title, url, description }) => ({
        title,
        url,
        description,
        page: await textOrReason(url, ports, signal),
      })),
    )
    const text = results.map(({ title, url, page }) => `# ${title}\n${url}\n\n${page}`).join('\n\n')
    return { text, data: { query, results } }
  },
})

/** One page that cannot be read says why and does not keep the others back. */
async function textOrReason(
  url: string,
  ports: Pick<Ports, 'browser' | 'clock' | 'http'>,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await pageText(url, ports, signal)
  } catch (thrown) {
    if (thrown instanceof FailureError && !signal.aborted) return thrown.failure.message
    throw thrown
  }
}
