/**
 * Papers, searched in two steps: which paper (its title and abstract), then where in it (its chunks). An answer is JSON with the
 * fields that docs/papers.md names; another service behind the port may have more.
 * @throws FailureError `not_found` for an unknown paper, `upstream` when the service cannot be reached
 */
export interface Papers {
  /**
   * `{query, k, m, publish_year_filter?, total, results: [{file_id, title, abstract, publish_year, text_available,
   * score, rerank_score}], notes?}`
   */
  searchAbstracts(query: AbstractQuery, signal: AbortSignal): Promise<PapersAnswer>
  /** `{query, file_id, k, m, total, results: [{doc_id, content, score, rerank_score}], text_available, notes?}` */
  searchDetails(query: DetailQuery, signal: AbortSignal): Promise<PapersAnswer>
  /** `{file_id, title, publish_year, abstract, content, text_available, notes?}`. Without a text, `content` is the abstract. */
  paper(fileId: string, signal: AbortSignal): Promise<PapersAnswer>
  /** `{file_id, chunk_count, chunks: [{doc_id, index, char_count}], text_available, notes?}` */
  chunks(fileId: string, signal: AbortSignal): Promise<PapersAnswer>
  /** `{file_id, contents: [{doc_id, content}], missing, text_available, notes?}`. @param docIds all when absent */
  passages(fileId: string, docIds: readonly string[] | undefined, signal: AbortSignal): Promise<PapersAnswer>
  /** Numbers of papers, chunks and years, and what the index holds. */
  stats(signal: AbortSignal): Promise<PapersAnswer>
  /** Whether the papers can be searched now, and what is missing otherwise. Never throws. */
  health(signal: AbortSignal): Promise<PapersAnswer>
  /** Name, version, ranking and limits of the service. */
  info(signal: AbortSignal): Promise<PapersAnswer>
  /** Size, hits and misses of the cache of search results: `{size, hits, misses}`. */
  cacheStats(signal: AbortSignal): Promise<PapersAnswer>
  /** `{cleared}` */
  cacheClear(signal: AbortSignal): Promise<PapersAnswer>
}

export type PapersAnswer = Readonly<Record<string, unknown>>

export interface AbstractQuery {
  readonly query: string
  /** Number of candidates that the first stage finds. */
  readonly k: number
  /** Number of results that the reranker keeps. */
  readonly m: number
  /** Year of the papers to search, applied before the first stage. */
  readonly year?: string
}

export interface DetailQuery {
  readonly query: string
  readonly fileId: string
  readonly k: number
  readonly m: number
}

/** Store of papers. One tenant's papers are invisible to all others. */
export interface PaperStore {
  /** Adds papers, or replaces those with the same id: all or none of one call. */
  put(papers: readonly Paper[]): Promise<{ readonly added: number; readonly replaced: number }>
  /** Removes a paper. @returns false when there was no such paper */
  remove(fileId: string): Promise<boolean>
  /** Papers of this store alone, in the order of their ids. `after` is the last id of the page before. */
  list(page: { readonly limit: number; readonly after?: string }): Promise<readonly ListedPaper[]>
}

/** A batch of papers that was moved between two stores. */
export interface MovedPapers {
  readonly moved: number
  /** Papers that are still in the earlier store. */
  readonly remaining: number
  /** Whether nothing at all is left in the earlier store. */
  readonly done: boolean
}

export interface ListedPaper extends Pick<Paper, 'fileId' | 'title' | 'year'> {
  /** Number of chunks of its text. */
  readonly chunks: number
}

/** Paper as stored: its text is cut into chunks already. */
export interface Paper {
  /** Id in requests: an arXiv id with its version ("1706.03762v7"), or any other word. */
  readonly fileId: string
  /** Further ids that find the paper. */
  readonly aliases: readonly string[]
  readonly title: string
  readonly abstract: string
  readonly authors: readonly string[]
  /** Year in four digits. */
  readonly year: string | null
  readonly categories: readonly string[]
  /** Chunks in reading order; empty when only the abstract is known. */
  readonly chunks: readonly PaperChunk[]
}

export interface PaperChunk {
  /** Headings above the chunk, outermost first: "3 Model > 3.2 Attention". Empty before the first heading. */
  readonly section: string
  readonly text: string
}

/** Parts of a paper that a file states; empty where it does not. */
export type ReadPaper = Pick<Paper, 'title' | 'abstract' | 'authors' | 'chunks'>
