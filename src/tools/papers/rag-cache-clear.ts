import * as z from 'zod'
import { defineTool } from '../define.ts'
import { fields } from './wording.ts'

/** Source: Tool Server, published document, 30. */
export const ragCacheClear = defineTool({
  name: 'rag_cache_clear',
  description:
    "Empty the server's cache of paper search results. Returns cleared (answers). Not needed for fresh results: an answer " +
    'is forgotten when papers change. No paper is removed.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({}),

  async run(_, { ports: { papers }, signal }) {
    return fields(await papers.cacheClear(signal))
  },
})
