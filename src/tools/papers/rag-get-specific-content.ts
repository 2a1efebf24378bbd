import * as z from 'zod'
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
    'Read chosen chunks of one paper from the server. Returns contents (doc_id, content) in the order of doc_ids, ' +
    'and missing: the ids that the paper does not have. For reading around a passage of rag_search_details, or a long paper ' +
    'in pieces: "chunk_001" to "chunk_010", then "chunk_011" to "chunk_020". Each chunk begins with the last sentence or ' +
    'two of the one before.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({
    file_id: fileId,
    doc_ids: ids
      .optional()
      .describe(
        'The chunks\' doc_ids from rag_search_details or rag_get_paper_chunks, e.g. ["chunk_001", "chunk_002"]. ' +
          'Default: all chunks',
      ),
  }),

  async run({ file_id, doc_ids }, { ports: { papers }, signal }) {
    const nothing = `${file_id} has no such chunks; rag_get_paper_chunks lists those it has`
    return foundPassages(await papers.passages(file_id, doc_ids, signal), 'contents', nothing)
  },
})
