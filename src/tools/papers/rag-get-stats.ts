import * as z from 'zod'
import { defineTool } from '../define.ts'
import { fields } from './wording.ts'

/** Source: Tool Server, published document, 22. */
export const ragGetStats = defineTool({
  name: 'rag_get_stats',
  description:
    "Count what the server's paper library holds. Returns papers, with_text (papers whose whole text is stored), chunks, " +
    'own_papers, public_papers, years (papers per year), and terms in the index.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({}),

  async run(_, { ports: { papers }, signal }) {
    return fields(await papers.stats(signal))
  },
})
