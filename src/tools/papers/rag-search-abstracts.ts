import * as z from 'zod'
import { defineTool } from '../define.ts'
import { counts, limits, query } from './search-arguments.ts'
import { foundPapers, withNote } from './wording.ts'

const RESULTS = 5

/** Source: Tool Server, published document, 23. */
export const ragSearchAbstracts = defineTool({
  name: 'rag_search_abstracts',
  description:
    "Find papers on a subject by their titles and abstracts, in the server's paper library. Returns m papers (5), best " +
    'first: file_id, title, abstract, publish_year, scores, and text_available: whether the whole text is stored. Next, for ' +
    'papers with text: rag_search_details finds passages in one, rag_get_paper_content reads it. Of the others the abstract ' +
    'is all there is.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({ query, ...limits('papers', RESULTS) }),

  async run({ query, ...given }, { ports: { papers }, signal }) {
    const { note, ...numbers } = counts(given, RESULTS)
    return foundPapers(withNote(await papers.searchAbstracts({ query, ...numbers }, signal), numbers.m, note), query)
  },
})
