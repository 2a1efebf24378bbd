import { terms } from '../src/retrieval/tokenize.ts'

/** Judgements of one query: how well a document answers it, above 0. */
export type Judgements = ReadonlyMap<string, number>

/** Normalised discounted cumulative gain of the first `k`: 1 when nothing better could stand there. */
export function ndcg(ids: readonly string[], judged: Judgements, k: number): number {
  const gain = (grades: readonly number[]) =>
    grades.slice(0, k).reduce((sum, grade, n) => sum + grade / Math.log2(n + 2), 0)
  const ideal = gain([...judged.values()].sort((a, b) => b - a))
  return ideal === 0 ? 0 : gain(ids.map((id) => judged.get(id) ?? 0)) / ideal
}

/** Share of a query's good documents among the first `k`. */
export function recall(ids: readonly string[], judged: Judgements, k: number): number {
  return judged.size === 0 ? 0 : ids.slice(0, k).filter((id) => judged.has(id)).length / judged.size
}

/** 1 when all that answers the query stands among the first `k`, else 0. */
export function complete(ids: readonly string[], judged: Judgements, k: number): number {
  return judged.size > 0 && recall(ids, judged, k) === 1 ? 1 : 0
}

/** Plain BM25 over the text as one bag of index terms, every term of the query as often as it stands there: the floor. */
export class PlainBm25 {
  readonly #postings = new Map<string, { document: number; count: number }[]>()
  readonly #ids: string[] = []
  readonly #lengths: number[] = []
  #total = 0

  add(id: string, text: string): void {
    const found = terms(text)
    const counts = new Map<string, number>()
    for (const term of found) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const [term, count] of counts) {
      const posting = { document: this.#ids.length, count }
      const list = this.#postings.get(term)
      if (list) list.push(posting)
      else this.#postings.set(term, [posting])
    }
    this.#ids.push(id)
    this.#lengths.push(found.length)
    this.#total += found.length
  }

  search(query: string, limit: number, { k1, b }: { readonly k1: number; readonly b: number }): string[] {
    const scores = new Map<number, number>()
    const average = this.#total / this.#ids.length
    for (const term of terms(query)) {
      const list = this.#postings.get(term) ?? []
      const idf = Math.log(1 + (this.#ids.length - list.length + 0.5) / (list.length + 0.5))
      for (const { document, count } of list) {
        const norm = k1 * (1 - b + (b * (this.#lengths[document] ?? 0)) / average)
        scores.set(document, (scores.get(document) ?? 0) + (idf * count * (k1 + 1)) / (count + norm))
      }
    }
    const best = [...scores].sort((a, c) => c[1] - a[1] || a[0] - c[0]).slice(0, limit)
    return best.map(([document]) => this.#ids[document] ?? '')
  }
}
