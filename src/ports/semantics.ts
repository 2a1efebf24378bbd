/** What texts mean, by a model's vectors and judgement. Optional everywhere: without it words alone decide. */
export interface Semantics {
  /** Keeps the vectors of these texts, or puts them in the place of those of the same id. */
  put(corpus: string, texts: readonly EmbeddedText[], signal: AbortSignal): Promise<void>
  remove(ids: readonly string[], signal: AbortSignal): Promise<void>
  /** Ids of the texts of these corpora whose meaning is nearest to the query's, nearest first, at most a hundred. */
  nearest(query: NearestQuery, signal: AbortSignal): Promise<readonly string[]>
  /** How well each text answers the query, 0 to 1, in the order of `texts`: a few dozen at most. */
  judge(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>
}

export interface EmbeddedText {
  /** At most 64 bytes. */
  readonly id: string
  readonly text: string
  readonly year: string | null
}

export interface NearestQuery {
  readonly query: string
  readonly corpora: readonly string[]
  readonly limit: number
  /** Only texts of this year. */
  readonly year?: string
}
