import * as z from 'zod'
import { defineTool } from '../define.ts'
import { fileId } from './search-arguments.ts'
import { fields } from './wording.ts'

/** Source: Tool Server, published document, 27. */
export const ragGetPaperChunks = defineTool({
  name: 'rag_get_paper_chunks',
  description:
    "List the chunks of a paper's text on the server, without their content. Returns chunk_count, and for each " +
    'chunk its doc_id, index (from 1) and char_count (characters). Next: rag_get_specific_content reads chunks by doc_id, ' +
    'some at a time for a long paper. Without a stored text the abstract is the only chunk.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({ file_id: fileId }),

  async run({ file_id }, { ports: { papers }, signal }) {
    return fields(await papers.chunks(file_id, signal))
  },
})
