import { z } from 'zod'
import { listFrom, optional } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { fileId } from './search-arguments.ts'
import { foundPassages } from './wording.ts'

/** Ids of chunks. A single one may stand without brackets; none at all means every chunk. */
const ids = z.preprocess(
  (given) => {
    const value = listFrom(given)
    return Array.isArray(value) ? (value.length > 0 ? value : undefined) : value ? [value] : undefined
  },
  optional(z.array(z.coerce.string())),
)

/** Source: Tool Server, published document, 28. */
export const ragGetSpecificContent = defineTool({
  name: 'rag_get_specific_content',
  description:
    'Get chosen chunks of a paper by their doc_ids, as rag_search_details and rag_get_paper_chunks give them.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({
    file_id: fileId,
    doc_ids: ids.optional().describe('Which chunks, e.g. ["chunk_001", "chunk_002"]. All when left out'),
  }),

  async run({ file_id, doc_ids }, { ports: { papers }, signal }) {
    const nothing = `${file_id} has no such chunks; rag_get_paper_chunks lists those it has`
    return foundPassages(await papers.passages(file_id, doc_ids, signal), 'contents', nothing)
  },
})
