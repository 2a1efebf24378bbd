import * as z from 'zod'
import { defineTool } from '../define.ts'
import { fields } from './wording.ts'

/** Source: Tool Server, published document, 21. */
export const ragHealthCheck = defineTool({
  name: 'rag_health_check',
  description:
    "Check whether the server's paper library can be searched now. Returns status (healthy, empty, degraded, unhealthy or " +
    'unavailable) and, where something lacks, missing. No need to call it before a search: a failing search says why.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({}),

  async run(_, { ports: { papers }, signal }) {
    return fields(await papers.health(signal))
  },
})
