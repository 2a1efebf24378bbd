import * as z from 'zod'
import { defineTool } from '../define.ts'
import { fields } from './wording.ts'

/** Source: Tool Server, published document, 29. */
export const ragCacheStats = defineTool({
  name: 'rag_cache_stats',
  description:
    "Get the use of the server's cache of paper search results. Returns size (answers), hits and misses. It tells nothing " +
    'about papers; rag_get_stats counts those.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({}),

  async run(_, { ports: { papers }, signal }) {
    return fields(await papers.cacheStats(signal))
  },
})
