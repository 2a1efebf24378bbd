/** Search of arXiv. Adapter: `arxiv-atom`. */
export interface Arxiv {
  /**
   * @param query in arXiv's own words: plain ones, or `ti:…`, `au:…` with AND and OR
   * @returns the best first, at most `count`
   * @throws FailureError `invalid_input` for a query that arXiv does not take, `upstream`, `limit_exceeded`, `timeout`
   */
  search(query: string, count: number, signal: AbortSignal): Promise<readonly ArxivPaper[]>
}

export interface ArxivPaper {
  readonly title: string
  readonly authors: readonly string[]
  readonly summary: string
  /** When its newest version came, as arXiv writes it: `2017-08-02T00:41:18Z`. */
  readonly updated: string
}
