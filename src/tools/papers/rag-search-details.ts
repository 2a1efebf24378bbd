import { z } from 'zod'
import { defineTool } from '../define.ts'
import { counts, fileId, k, m, query } from './search-arguments.ts'
import { foundPassages } from './wording.ts'

/** Source: Tool Server, published document, 25. */
export const ragSearchDetails = defineTool({
  name: 'rag_search_details',
  description:
    'Search inside one paper: the second of two steps. Returns the chunks of its text that fit best, with their doc_id. ' +
    'Get the chunks beside them with rag_get_specific_content.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({ query, file_id: fileId, k, m: m(3) }),

  async run({ query, file_id, ...limits }, { ports: { papers }, signal }) {
    const found = await papers.searchDetails({ query, fileId: file_id, ...counts(limits) }, signal)
    const nothing = `nothing in ${file_id} fits ${JSON.stringify(query)}; read it with rag_get_paper_content`
    return foundPassages(found, 'results', nothing)
  },
})
