import { terms } from '../retrieval/tokenize.ts'

/** Terms of a paper in the index. */
export interface IndexedPaper {
  readonly title: readonly string[]
  readonly abstract: readonly string[]
}

export const indexTerms = (paper: { readonly title: string; readonly abstract: string }): IndexedPaper => ({
  title: terms(paper.title),
  abstract: terms(paper.abstract),
})

/** Term in `paper_index`: the corpus is part of it, so no corpus finds the terms of another one. */
export const inCorpus = (corpus: number, term: string) => `${corpus}_${term}`

/** Term of a year, in its own column. */
export const yearTerm = (corpus: number, year: string) => inCorpus(corpus, `y${year}`)

/** Each term once, with how much `by` adds to its count. */
export function countTerms(paper: IndexedPaper, by: number, counts: Map<string, number>): void {
  for (const term of new Set([...paper.title, ...paper.abstract])) counts.set(term, (counts.get(term) ?? 0) + by)
}
