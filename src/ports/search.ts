/** Search of the web. Adapters: `search-serper`, `search-google`, `search-brave`, `search-searxng`. */
export interface Search {
  /**
   * Results of a web search.
   * @param count how many results are wanted; fewer may come
   * @throws FailureError `upstream`, `limit_exceeded`, `timeout`; `upstream` that names the settings when there is no provider
   */
  search(query: string, count: number, signal: AbortSignal): Promise<readonly SearchResult[]>
}

export interface SearchResult {
  readonly title: string
  readonly url: string
  readonly description: string
}
