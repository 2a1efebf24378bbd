/** Semantic search: a model's embeddings and its judgement. Optional everywhere: without it words alone decide. */
export interface Semantics {
  /** Stores embeddings of these texts, or replaces those of the same id. */
  put(corpus: string, texts: readonly EmbeddedText[], signal: AbortSignal): Promise<void>
  remove(ids: readonly string[], signal: AbortSignal): Promise<void>
  /** Ids of the texts of these corpora nearest to the query, nearest first, at most a hundred. */
  nearest(query: NearestQuery, signal: AbortSignal): Promise<readonly string[]>
  /** Scores, 0 to 1, for how well each text answers the query, in the order of `texts`: a few dozen at most. */
  judge(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>
}

export interface EmbeddedText {
  /** Id of at most 64 bytes. */
  readonly id: string
  readonly text: string
  readonly year: string | null
}

export interface NearestQuery {
  readonly query: string
  readonly corpora: readonly string[]
  readonly limit: number
  /** Year of the texts to search. */
  readonly year?: string
}
