/** Search of scholarly papers, by pages of ten. Adapters: `scholar-serper`, `scholar-serpapi`, `scholar-openalex`, … */
export interface Scholar {
  /** @throws FailureError `upstream`, `limit_exceeded`, `timeout` */
  page(query: ScholarQuery, signal: AbortSignal): Promise<ScholarPage>
}

export interface ScholarQuery {
  readonly query: string
  /** From 1. */
  readonly page: number
  readonly yearLow: number | undefined
  readonly yearHigh: number | undefined
}

export interface ScholarPage {
  /** Who found them, in words for people, e.g. `Google Scholar (Serper)`. */
  readonly source: string
  readonly papers: readonly Paper[]
}

export interface Paper {
  readonly title: string
  readonly url: string
  /** Who wrote it, and where it appeared, as far as the source says. */
  readonly authors: string
  readonly year: number | null
  /** An abstract, or the lines that match. */
  readonly abstract: string
  readonly cited_by: number | null
  readonly pdf_url: string | null
}
