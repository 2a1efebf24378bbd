import * as z from 'zod'
import { defineTool } from '../define.ts'
import { fileId } from './search-arguments.ts'
import { notesOf } from './wording.ts'

/** Source: Tool Server, published document, 26. */
export const ragGetPaperContent = defineTool({
  name: 'rag_get_paper_content',
  description:
    'Read a whole paper from the server. Returns file_id, title, publish_year, abstract, content (Markdown) and ' +
    'text_available. Without a stored text, content is the abstract. A paper is often 30,000 to 100,000 characters: for a ' +
    'question about it, rag_search_details is cheaper; to read it in pieces, list them with rag_get_paper_chunks and get ' +
    'them with rag_get_specific_content.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({ file_id: fileId }),

  async run({ file_id }, { ports: { papers }, signal }) {
    const data = await papers.paper(file_id, signal)
    const { title, abstract, content } = data
    const parts = [title, content || abstract].filter((part) => typeof part === 'string' && part !== '')
    return { text: [...parts, ...notesOf(data)].join('\n\n'), data }
  },
})
