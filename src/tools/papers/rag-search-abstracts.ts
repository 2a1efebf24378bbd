import { z } from 'zod'
import { defineTool } from '../define.ts'
import { counts, k, m, query } from './search-arguments.ts'
import { foundPapers } from './wording.ts'

/** Source: Tool Server, published document, 23. */
export const ragSearchAbstracts = defineTool({
  name: 'rag_search_abstracts',
  description:
    'Search papers by their titles and abstracts: the first of two steps. Returns file_id, title, year and abstract of ' +
    'each, best first. Then look inside one with rag_search_details.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({ query, k, m: m(5) }),

  async run({ query, ...limits }, { ports: { papers }, signal }) {
    return foundPapers(await papers.searchAbstracts({ query, ...counts(limits) }, signal), query)
  },
})
