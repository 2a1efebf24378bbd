import * as z from 'zod'
import { CHUNK_CHARS } from '../../core/limits/papers.ts'
import { defineTool } from '../define.ts'
import { counts, fileId, limits, query } from './search-arguments.ts'
import { foundPassages, withNote } from './wording.ts'

const RESULTS = 3

/** Source: Tool Server, published document, 25. */
export const ragSearchDetails = defineTool({
  name: 'rag_search_details',
  description:
    'Find the passages of one paper on the server that are about a query, or explain it. Returns the m best passages (3), ' +
    `chunks of some ${CHUNK_CHARS} characters: doc_id, content, scores. Next: rag_get_specific_content reads the chunks ` +
    'before and after ("chunk_004" and "chunk_006" beside "chunk_005"). A paper with text_available: false has only its ' +
    'abstract to search.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({ query, file_id: fileId, ...limits('chunks', RESULTS) }),

  async run({ query, file_id, ...given }, { ports: { papers }, signal }) {
    const { note, ...numbers } = counts(given, RESULTS)
    const found = withNote(await papers.searchDetails({ query, fileId: file_id, ...numbers }, signal), numbers.m, note)
    const readIt = found.text_available === false ? '' : '; try other words, or read it with rag_get_paper_content'
    const nothing = `nothing in ${file_id} fits ${JSON.stringify(query)}${readIt}`
    return foundPassages(found, 'results', nothing)
  },
})
