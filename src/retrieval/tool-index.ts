import { fail } from '../core/failure.ts'
import { MAX_FINDABLE_TERMS, MAX_FINDABLE_TOOLS } from '../core/limits/tool-search.ts'
import type { Neighbours } from './neighbours.ts'
import { addEntry, type Collection, idf, newPosting, type Posting, refresh, renumber } from './postings.ts'
import { normalise, raise, raiseLeader } from './row-values.ts'
import { isCjk } from './tokenize.ts'
import { type QueryTerms, readQuestion, type ToolQuestion } from './tool-question.ts'
import { type FindableTool, grams, type ToolTerms, toolTerms } from './tool-terms.ts'
import { TOOL_FIELDS, TOOL_WEIGHTS, type ToolWeights } from './tool-weights.ts'

export interface FoundTool {
  readonly id: string
  /** Score above 0; comparable within one answer only. */
  readonly score: number
}

export interface ToolSearchOptions {
  /** Number of results at most. */
  readonly limit?: number
  /** Tools that the caller may use; all by default. */
  readonly permitted?: (id: string) => boolean
}

interface Row {
  readonly id: string
  /** Numbers of the terms of the fields searched for pairs, a -1 behind each field. */
  readonly sequence: Int32Array
  /** Distinct terms of name and of toolkit. */
  readonly names: readonly (readonly number[])[]
  /** Square root of the number of grams in its names. */
  readonly gramNorm: number
  readonly terms: number
}

/** Rows with the fit of one term to each of them. */
interface Evidence {
  readonly rows: Int32Array
  readonly values: Float64Array
}

/** Share of removed rows from which they are cleared away; until then they still take part in every look-up. */
const MAX_GONE = 0.2
/** Names, description and parameters: fields in whose text two terms side by side mean something. */
const SEQUENCE_FIELDS = 5
const NAME_FIELDS = 2

/**
 * Finds tools by a question in English or Chinese: BM25F over a tool's fields, with words near in meaning, the clauses
 * of the question, and likeness of names. The same tools in the same order always give the same answer. How it ranks
 * and what each part brings is in docs/retrieval.md.
 */
export class ToolIndex {
  readonly #weights: ToolWeights
  readonly #neighbours: Neighbours | undefined
  /** A removed row is null until the next clearing. */
  #rows: (Row | null)[] = []
  #lengths: (Uint16Array | null)[] = []
  readonly #rowOf = new Map<string, number>()
  readonly #postings = new Map<string, Posting>()
  readonly #grams = new Map<string, number[]>()
  readonly #lengthSums = TOOL_FIELDS.map(() => 0)
  #termNumbers = 0
  #terms = 0
  #version = 0

  /** @param neighbours words near in meaning; without them only the words themselves count */
  constructor(neighbours?: Neighbours, weights: ToolWeights = TOOL_WEIGHTS) {
    this.#neighbours = neighbours
    this.#weights = weights
  }

  has(id: string): boolean {
    return this.#rowOf.has(id)
  }

  get size(): number {
    return this.#rowOf.size
  }

  /**
   * Adds a tool, or replaces the one with its id. The next search finds it.
   * @param tool its description, or the result of `toolTerms` for it, which takes less time
   * @throws FailureError `limit_exceeded` beyond MAX_FINDABLE_TOOLS or MAX_FINDABLE_TERMS; nothing is changed then
   */
  put(tool: FindableTool | ToolTerms): void {
    const prepared = 'fields' in tool ? tool : toolTerms(tool)
    const fields = TOOL_FIELDS.map((_, field) => (prepared.fields[field] || null)?.split(' ') ?? [])
    const count = fields.reduce((sum, terms) => sum + terms.length, 0)
    this.#checkRoom(prepared.id, count)
    this.remove(prepared.id)
    const row = this.#rows.length
    const numbers = fields.map((terms, field) => this.#addTerms(row, field, terms))
    const gramSet = grams(prepared.nameWords === '' ? [] : prepared.nameWords.split(' '))
    for (const gram of gramSet) pushTo(this.#grams, gram, row)
    this.#rows.push({
      id: prepared.id,
      sequence: Int32Array.from(numbers.slice(0, SEQUENCE_FIELDS).flatMap((terms) => [...terms, -1])),
      names: numbers.slice(0, NAME_FIELDS).map((terms) => [...new Set(terms)]),
      gramNorm: Math.sqrt(Math.max(1, gramSet.size)),
      terms: count,
    })
    this.#lengths.push(Uint16Array.from(fields, (terms) => terms.length))
    this.#rowOf.set(prepared.id, row)
    this.#terms += count
    this.#version++
  }

  /** Removes a tool. @returns whether it was there */
  remove(id: string): boolean {
    const row = this.#rowOf.get(id)
    if (row === undefined) return false
    this.#lengths[row]?.forEach((length, field) => {
      this.#lengthSums[field] = (this.#lengthSums[field] ?? 0) - length
    })
    this.#terms -= this.#rows[row]?.terms ?? 0
    this.#rows[row] = null
    this.#lengths[row] = null
    this.#rowOf.delete(id)
    this.#version++
    if (this.#rows.length - this.size > Math.max(16, this.#rows.length * MAX_GONE)) this.#clearAway()
    return true
  }

  /** The tools that fit best, best first; those of equal score by id. None when no word of the question is known. */
  search(question: string, { limit = 10, permitted }: ToolSearchOptions = {}): FoundTool[] {
    const query = readQuestion(question, this.#weights)
    const allowed = this.#allowed(permitted)
    const evidence = this.#gatherer()
    const scores = normalise(this.#fit(query.whole, evidence), allowed)
    this.#addClauses(scores, query, allowed, evidence)
    this.#addGrams(scores, query, allowed)
    this.#addPairs(scores, query)
    this.#addNameShares(scores, query)
    return this.#best(scores, allowed, limit)
  }

  #allowed(permitted: ToolSearchOptions['permitted']): Uint8Array {
    const allowed = new Uint8Array(this.#rows.length)
    for (let n = 0; n < allowed.length; n++) {
      const row = this.#rows[n]
      if (row && (permitted === undefined || permitted(row.id))) allowed[n] = 1
    }
    return allowed
  }

  #checkRoom(id: string, terms: number): void {
    const old = this.#rowOf.get(id)
    const replaced = old === undefined ? 0 : (this.#rows[old]?.terms ?? 0)
    if (this.#terms - replaced + terms > MAX_FINDABLE_TERMS) {
      fail(
        'limit_exceeded',
        `the descriptions of all tools have more than MAX_FINDABLE_TERMS (${MAX_FINDABLE_TERMS}) words`,
      )
    }
    if (old === undefined && this.size >= MAX_FINDABLE_TOOLS) {
      fail(
        'limit_exceeded',
        `more than MAX_FINDABLE_TOOLS (${MAX_FINDABLE_TOOLS}) tools cannot be searched; remove some`,
      )
    }
  }

  /** Adds terms to a row. @returns the terms' numbers */
  #addTerms(row: number, field: number, terms: readonly string[]): number[] {
    const counts = new Map<Posting, number>()
    const numbers = terms.map((term) => {
      let posting = this.#postings.get(term)
      if (!posting) {
        posting = newPosting(this.#termNumbers++)
        this.#postings.set(term, posting)
      }
      counts.set(posting, (counts.get(posting) ?? 0) + 1)
      return posting.number
    })
    for (const [posting, count] of counts) addEntry(posting, row, field, count)
    this.#lengthSums[field] = (this.#lengthSums[field] ?? 0) + terms.length
    return numbers
  }

  #clearAway(): void {
    const numbers = new Int32Array(this.#rows.length).fill(-1)
    const kept = [...this.#rows.keys()].filter((row) => this.#rows[row])
    for (const [now, before] of kept.entries()) numbers[before] = now
    this.#rows = kept.map((row) => this.#rows[row] ?? null)
    this.#lengths = kept.map((row) => this.#lengths[row] ?? null)
    for (const [id, row] of this.#rowOf) this.#rowOf.set(id, numbers[row] ?? -1)
    for (const [term, posting] of this.#postings) if (!renumber(posting, numbers)) this.#postings.delete(term)
    for (const [gram, rows] of this.#grams) {
      const left = rows.map((row) => numbers[row] ?? -1).filter((row) => row >= 0)
      if (left.length > 0) this.#grams.set(gram, left)
      else this.#grams.delete(gram)
    }
  }

  #posting(term: string, collection: Collection): Posting | undefined {
    const posting = this.#postings.get(term)
    if (posting) refresh(posting, collection, this.#weights)
    return posting
  }

  /** Gatherer of evidence: the fit of a term to each row, by the term itself or by its best neighbour. Results are cached. */
  #gatherer(): (term: string) => Evidence {
    const live = this.size
    const collection: Collection = {
      version: this.#version,
      live,
      lengths: this.#lengths,
      meanLengths: this.#lengthSums.map((sum) => sum / Math.max(1, live)),
    }
    const known = new Map<string, Evidence>()
    const best = new Float64Array(this.#rows.length)
    return (term) => {
      const before = known.get(term)
      if (before) return before
      const found: number[] = []
      const own = this.#posting(term, collection)
      if (own) raise(best, found, own, own.idf * (isCjk(term) && term.length === 1 ? this.#weights.character : 1))
      this.#neighbours?.each(term, (neighbour, similarity) => {
        const posting = this.#posting(neighbour, collection)
        if (!posting) return
        const idf = own ? Math.min(own.idf, posting.idf) : posting.idf
        raise(best, found, posting, this.#weights.neighbour * similarity * idf)
      })
      const values = Float64Array.from(found, (row) => (best[row] ?? 0) ** this.#weights.flattening)
      const evidence = { rows: Int32Array.from(found), values }
      for (const row of found) best[row] = 0
      known.set(term, evidence)
      return evidence
    }
  }

  /** Fit of each row to the question: by its terms, and by what its Chinese words mean. */
  #fit(query: QueryTerms, evidence: (term: string) => Evidence): Float64Array {
    const sums = new Float64Array(this.#rows.length)
    for (const [term, weight] of query.terms) {
      const { rows, values } = evidence(term)
      for (let n = 0; n < rows.length; n++) {
        const row = rows[n] ?? 0
        sums[row] = (sums[row] ?? 0) + weight * (values[n] ?? 0)
      }
    }
    const best = new Float64Array(sums.length)
    for (const terms of query.translations) this.#addTranslations(sums, best.fill(0), terms.map(evidence))
    return sums
  }

  /** Adds the evidence of Chinese words' meanings. @param best the best of them so far, of each row */
  #addTranslations(sums: Float64Array, best: Float64Array, translations: readonly Evidence[]): void {
    const { dictionary, otherSenses } = this.#weights
    for (const { rows, values } of translations) {
      for (let n = 0; n < rows.length; n++) {
        const row = rows[n] ?? 0
        const value = values[n] ?? 0
        const before = best[row] ?? 0
        best[row] = Math.max(before, value)
        sums[row] =
          (sums[row] ?? 0) + dictionary * (Math.max(0, value - before) + otherSenses * Math.min(value, before))
      }
    }
  }

  /** Adds to each row the clause that it answers best, and part of the others; for a question in one piece, the question. */
  #addClauses(scores: Float64Array, query: ToolQuestion, allowed: Uint8Array, evidence: (term: string) => Evidence) {
    const { clause: weight, otherClauses, clauseLead } = this.#weights
    const clauses = query.clauses.map((clause) => normalise(this.#fit(clause, evidence), allowed))
    for (const clause of clauses) raiseLeader(clause, clauseLead)
    for (let row = 0; row < scores.length; row++) {
      const score = scores[row] ?? 0
      let best = 0
      let sum = 0
      for (const clause of clauses) {
        const value = clause[row] ?? 0
        best = Math.max(best, value)
        sum += value
      }
      const answer = clauses.length > 0 ? best + (otherClauses * (sum - best)) / clauses.length : score
      scores[row] = score + weight * answer
    }
  }

  #addGrams(scores: Float64Array, query: ToolQuestion, allowed: Uint8Array): void {
    const sums = new Float64Array(scores.length)
    for (const gram of query.grams) {
      const rows = (this.#grams.get(gram) ?? []).filter((row) => this.#rows[row])
      const rarity = Math.log(1 + this.size / Math.max(1, rows.length))
      for (const row of rows) sums[row] = (sums[row] ?? 0) + rarity / (this.#rows[row]?.gramNorm ?? 1)
    }
    const shares = normalise(sums, allowed)
    for (let row = 0; row < shares.length; row++) {
      scores[row] = (scores[row] ?? 0) + this.#weights.grams * (shares[row] ?? 0)
    }
  }

  #addPairs(scores: Float64Array, query: ToolQuestion): void {
    const seen = new Set<string>()
    for (const [n, second] of query.sequence.entries()) {
      const first = query.sequence[n - 1]
      // A pair of Chinese terms overlaps: it is one longer word, and each of its parts has counted.
      if (first === undefined || isCjk(first) || seen.has(`${first} ${second}`)) continue
      seen.add(`${first} ${second}`)
      const rows = this.#rowsWithPair(first, second)
      const weight = this.#weights.pairs * idf(this.size, rows.length)
      for (const row of rows) scores[row] = (scores[row] ?? 0) + weight
    }
  }

  /** Rows in which the pair stands. Both are terms of the question, whose postings have been refreshed for it. */
  #rowsWithPair(first: string, second: string): number[] {
    const [a, b] = [this.#postings.get(first), this.#postings.get(second)]
    if (!a || !b) return []
    const rows: number[] = []
    for (let n = 0, m = 0; n < a.rows.length && m < b.rows.length; ) {
      const [rowA, rowB] = [a.rows[n] ?? 0, b.rows[m] ?? 0]
      if (rowA === rowB && hasPair(this.#rows[rowA]?.sequence, a.number, b.number)) rows.push(rowA)
      if (rowA <= rowB) n++
      if (rowB <= rowA) m++
    }
    return rows
  }

  #addNameShares(scores: Float64Array, query: ToolQuestion): void {
    const inQuestion = new Uint8Array(this.#termNumbers)
    for (const term of query.sequence) {
      const number = this.#postings.get(term)?.number
      if (number !== undefined) inQuestion[number] = 1
    }
    for (let n = 0; n < scores.length; n++) {
      const score = scores[n] ?? 0
      if (score === 0) continue
      let share = 0
      for (const name of this.#rows[n]?.names ?? []) share += shareOf(name, inQuestion)
      scores[n] = score + this.#weights.nameShare * share
    }
  }

  #best(scores: Float64Array, allowed: Uint8Array, limit: number): FoundTool[] {
    const best: FoundTool[] = []
    let least = 0
    for (let n = 0; n < scores.length; n++) {
      const score = scores[n] ?? 0
      const row = this.#rows[n]
      if (!row || score === 0 || allowed[n] === 0 || score < least) continue
      const found = { id: row.id, score }
      const at = best.findIndex((other) => before(found, other))
      best.splice(at < 0 ? best.length : at, 0, found)
      if (best.length > limit) best.pop()
      if (best.length === limit) least = best.at(-1)?.score ?? 0
    }
    return best
  }
}

function shareOf(name: readonly number[], inQuestion: Uint8Array): number {
  if (name.length === 0) return 0
  let shared = 0
  for (const number of name) shared += inQuestion[number] ?? 0
  return shared / name.length
}

function before(one: FoundTool, other: FoundTool): boolean {
  return one.score > other.score || (one.score === other.score && one.id < other.id)
}

function hasPair(sequence: Int32Array | undefined, first: number, second: number): boolean {
  if (!sequence) return false
  for (let at = sequence.indexOf(first); at >= 0; at = sequence.indexOf(first, at + 1)) {
    if (sequence[at + 1] === second) return true
  }
  return false
}

function pushTo(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
