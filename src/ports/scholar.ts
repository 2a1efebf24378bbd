/** Search of scholarly papers, by pages of ten. Adapters: `scholar-serper`, `scholar-serpapi`, `scholar-openalex`, … */
export interface Scholar {
  /**
   * One page of results.
   * @throws FailureError `upstream`, `limit_exceeded`, `timeout`
   */
  page(query: ScholarQuery, signal: AbortSignal): Promise<ScholarPage>
}

export interface ScholarQuery {
  readonly query: string
  /** Page number, from 1. */
  readonly page: number
  readonly yearLow: number | undefined
  readonly yearHigh: number | undefined
}

export interface ScholarPage {
  /** Name of the source for people, e.g. `Google Scholar (Serper)`. */
  readonly source: string
  readonly papers: readonly Paper[]
}

export interface Paper {
  readonly title: string
  readonly url: string
  /** Authors and venue, as far as the source states them. */
  readonly authors: string
  readonly year: number | null
  /** An abstract, or the matching lines. */
  readonly abstract: string
  readonly cited_by: number | null
  readonly pdf_url: string | null
}
