import type { Task } from '../task.ts'

/** Documents and papers. */
export const DOCUMENTS = {
  'long document': {
    wants: 'Read a book',
    tries: {
      sends: ['parse_document', { path: 'book.epub' }],
      data: { truncated: true, next_pages: '3' },
    },
  },
  'formula that nobody evaluated': {
    wants: 'Read a spreadsheet',
    tries: { sends: ['parse_document', { path: 'prices.xlsx' }], message: '| 2 | =A1*2 |' },
  },
  'Markdown as PDF': {
    wants: 'Make a PDF of a Markdown file',
    tries: {
      sends: ['tex2pdf_convert', { path: 'docs/paper.md' }],
      fails: true,
      message:
        'paper.md is Markdown, and this compiles LaTeX only; make LaTeX of it with execute_shell (pandoc -s paper.md -o paper.tex), or write it as LaTeX, and compile that',
    },
  },
  'papers by two common words': {
    wants: 'Find papers on tool use',
    tries: {
      sends: ['rag_search_abstracts', { q: 'tool use', top_k: 2 }],
      message: 'none of these papers has its text stored: what is here of them is title and abstract, as shown',
      data: { total: 2, results: [{ file_id: '2302.04761v1', text_available: false }, { file_id: '2305.15334' }] },
    },
  },
  'number of candidates': {
    wants: 'Find three papers',
    tries: {
      sends: ['rag_search_abstracts', { query: 'attention', k: 3 }],
      data: { k: 3, m: 3, total: 3 },
    },
  },
  'text of a paper of which there is only the abstract': {
    wants: 'Read a paper',
    tries: {
      sends: ['rag_get_paper_content', { paper_id: '1706.03762v7' }],
      message:
        'only title and abstract of 1706.03762v7 are stored, not its text; for the text, download https://arxiv.org/pdf/1706.03762v7 and read it as a document; else take a paper with text_available: true',
      data: { text_available: false },
    },
  },
} as const satisfies Record<string, Task>
