/**
 * Papers, searched in two steps: which paper (its title and abstract), then where in it (its chunks).
 * An answer is JSON with the fields that docs/papers.md names; another service that speaks for the port may have more.
 * @throws FailureError `not_found` for an unknown paper, `upstream` when the service cannot be asked
 */
export interface Papers {
  /** `{query, k, m, publish_year_filter?, total, results: [{file_id, title, abstract, publish_year, score, rerank_score}]}` */
  searchAbstracts(query: AbstractQuery, signal: AbortSignal): Promise<PapersAnswer>
  /** `{query, file_id, k, m, total, results: [{doc_id, content, score, rerank_score}]}` */
  searchDetails(query: DetailQuery, signal: AbortSignal): Promise<PapersAnswer>
  /** `{file_id, title, publish_year, abstract, content}` */
  paper(fileId: string, signal: AbortSignal): Promise<PapersAnswer>
  /** `{file_id, chunk_count, chunks: [{doc_id, index, char_count}]}` */
  chunks(fileId: string, signal: AbortSignal): Promise<PapersAnswer>
  /** `{file_id, contents: [{doc_id, content}], missing}`. @param docIds all when absent */
  passages(fileId: string, docIds: readonly string[] | undefined, signal: AbortSignal): Promise<PapersAnswer>
  /** How many papers, chunks and years there are, and what the index holds. */
  stats(signal: AbortSignal): Promise<PapersAnswer>
  /** Whether it can be searched now, and what is missing otherwise. Never throws. */
  health(signal: AbortSignal): Promise<PapersAnswer>
  /** Name, version, how it ranks, its limits. */
  info(signal: AbortSignal): Promise<PapersAnswer>
  /** `{size, hits, misses}` of the cache of search results. */
  cacheStats(signal: AbortSignal): Promise<PapersAnswer>
  /** `{cleared}` */
  cacheClear(signal: AbortSignal): Promise<PapersAnswer>
}

export type PapersAnswer = Readonly<Record<string, unknown>>

export interface AbstractQuery {
  readonly query: string
  /** How many candidates the first stage finds. */
  readonly k: number
  /** How many the reranker leaves of them. */
  readonly m: number
  /** Only papers of this year, chosen before the first stage. */
  readonly year?: string
}

export interface DetailQuery {
  readonly query: string
  readonly fileId: string
  readonly k: number
  readonly m: number
}

/** Where papers are put. What one tenant puts there, no other one sees. */
export interface PaperStore {
  /** Puts them in, or in the place of those with the same id: all or none of one call. */
  put(papers: readonly Paper[]): Promise<{ readonly added: number; readonly replaced: number }>
  /** @returns false when there was no such paper */
  remove(fileId: string): Promise<boolean>
  /** In the order of their ids, of this shelf alone. `after` is the last id of the page before. */
  list(page: { readonly limit: number; readonly after?: string }): Promise<readonly ListedPaper[]>
}

export interface ListedPaper extends Pick<Paper, 'fileId' | 'title' | 'year'> {
  /** How many chunks its text has. */
  readonly chunks: number
}

/** A paper as it is kept: its text cut into chunks already. */
export interface Paper {
  /** As it is asked for: an arXiv id with its version ("1706.03762v7"), or any other word. */
  readonly fileId: string
  /** Other ids under which it is found. */
  readonly aliases: readonly string[]
  readonly title: string
  readonly abstract: string
  readonly authors: readonly string[]
  /** Four digits. */
  readonly year: string | null
  readonly categories: readonly string[]
  /** In reading order; empty when only the abstract is known. */
  readonly chunks: readonly PaperChunk[]
}

export interface PaperChunk {
  /** Headings above it, outermost first: "3 Model > 3.2 Attention". Empty before the first heading. */
  readonly section: string
  readonly text: string
}

/** What a file says of a paper; empty where it does not say. */
export type ReadPaper = Pick<Paper, 'title' | 'abstract' | 'authors' | 'chunks'>
