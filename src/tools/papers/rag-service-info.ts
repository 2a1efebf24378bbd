import * as z from 'zod'
import { defineTool } from '../define.ts'
import { fields } from './wording.ts'

/** Source: Tool Server, published document, 31. */
export const ragServiceInfo = defineTool({
  name: 'rag_service_info',
  description:
    "Get what the server's paper service is. Returns name, version, languages, ranking and limits (query_chars, the " +
    'greatest k, …). rag_get_stats counts its papers.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({}),

  async run(_, { ports: { papers }, signal }) {
    return fields(await papers.info(signal))
  },
})
