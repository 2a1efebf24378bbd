/**
 * Google Scholar itself, by its own ids: articles, authors, how to cite. Adapter: `scholar-index-serpapi`. `Scholar`
 * searches papers wherever they are found.
 *
 * Parameters besides the first are those of https://serpapi.com/google-scholar-api, by name. A key that is null means the
 * operator's.
 * @throws FailureError `not_found` for an unknown id or name, `upstream` when the service cannot be reached, also for want
 * of a key, `limit_exceeded`, `timeout`
 */
export interface ScholarIndex {
  articles(query: string, request: ScholarIndexRequest, signal: AbortSignal): Promise<readonly ScholarArticle[]>
  author(authorId: string, request: ScholarIndexRequest, signal: AbortSignal): Promise<ScholarAuthor>
  /**
   * Citation of an article, in the first style there is, MLA.
   * @param articleId a `ScholarArticle.id`
   */
  citation(articleId: string, request: ScholarIndexRequest, signal: AbortSignal): Promise<string>
  /** Ids of authors of that name. */
  authorIds(name: string, request: ScholarIndexRequest, signal: AbortSignal): Promise<readonly string[]>
}

export interface ScholarIndexRequest {
  readonly parameters: Readonly<Record<string, string | number | boolean | undefined>>
  readonly key: string | null
}

export interface ScholarArticle {
  readonly id: string
  readonly title: string
  readonly snippet: string
  /** Authors, venue and date. */
  readonly publication: string
  readonly citedBy: number | null
}

export interface ScholarAuthor {
  readonly name: string
  readonly affiliations: string
  readonly website: string
  readonly articles: readonly { readonly title: string; readonly authors: string }[]
}
