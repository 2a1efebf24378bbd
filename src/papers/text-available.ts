import type { PapersAnswer } from '../ports/papers.ts'
import { arxivParts } from './names.ts'
import type { PaperRow } from './reading.ts'

/** Whether the text of a paper is stored, not only its title and abstract. */
export const hasText = ({ chunks }: { readonly chunks: number }): boolean => chunks > 0

/** Fields for an answer about one paper: `text_available`, and for one without a text the note that says what to do. */
export function textFields(paper: PaperRow): PapersAnswer {
  if (hasText(paper)) return { text_available: true }
  return {
    text_available: false,
    notes: [`only title and abstract of ${paper.id} are stored, not its text; ${elsewhere(paper)}`],
  }
}

function elsewhere({ id }: PaperRow): string {
  const others = 'take a paper with text_available: true, or put the text in by POST /v1/papers with this id'
  return arxivParts(id)
    ? `for the text, download https://arxiv.org/pdf/${id} and read it as a document; else ${others}`
    : others
}

/** Note for search results of which none has a text; empty when one has. */
export function textNotes(papers: readonly { readonly chunks: number }[]): PapersAnswer {
  if (papers.length === 0 || papers.some(hasText)) return {}
  return { notes: ['none of these papers has its text stored: what is here of them is title and abstract, as shown'] }
}
