import type { PapersAnswer } from '../ports/papers.ts'
import { arxivParts } from './names.ts'
import type { PaperRow } from './reading.ts'

/** Whether the text of a paper is stored, not only its title and abstract. */
export const hasText = ({ chunks }: { readonly chunks: number }): boolean => chunks > 0

/**
 * Fields for an answer about one paper: `text_available`, and `notes` where there are any: those given, and for a paper without
 * a text what to do.
 */
export function textFields(paper: PaperRow, given: readonly string[] = []): PapersAnswer {
  const textless = `only title and abstract of ${paper.id} are stored, not its text; ${elsewhere(paper)}`
  const notes = hasText(paper) ? given : [...given, textless]
  return { text_available: hasText(paper), ...(notes.length > 0 && { notes }) }
}

function elsewhere({ id }: PaperRow): string {
  const others = 'take a paper with text_available: true'
  return arxivParts(id)
    ? `for the text, download https://arxiv.org/pdf/${id} and read it as a document; else ${others}`
    : others
}

/** Note for search results of which none has a text; empty when one has. */
export function textNotes(papers: readonly { readonly chunks: number }[]): PapersAnswer {
  if (papers.length === 0 || papers.some(hasText)) return {}
  return { notes: ['none of these papers has its text stored: what is here of them is title and abstract, as shown'] }
}
