/** Search of arXiv. Adapter: `arxiv-atom`. */
export interface Arxiv {
  /**
   * Papers that match a query, the best first.
   * @param query in arXiv's own syntax: plain words, or `ti:…`, `au:…` with AND and OR
   * @returns at most `count`
   * @throws FailureError `invalid_input` for a query that arXiv does not take, `upstream`, `limit_exceeded`, `timeout`
   */
  search(query: string, count: number, signal: AbortSignal): Promise<readonly ArxivPaper[]>
}

export interface ArxivPaper {
  readonly title: string
  readonly authors: readonly string[]
  readonly summary: string
  /** Time of its newest version, as arXiv writes it: `2017-08-02T00:41:18Z`. */
  readonly updated: string
}
