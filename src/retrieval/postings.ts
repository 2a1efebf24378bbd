import { TOOL_FIELDS, type ToolWeights } from './tool-weights.ts'

/** Places of one term: rows, fields, and counts. */
export interface Posting {
  /** Number of the term. */
  readonly number: number
  /** Row, field and count of each field that has it, packed in one integer; rows ascend. */
  entries: number[]
  /** Existing rows that have the term; of `version`. */
  rows: Int32Array
  /** BM25F's frequency of the term in each of these rows, saturated, without idf. */
  frequencies: Float64Array
  idf: number
  /** State of the index to which `rows`, `frequencies` and `idf` belong. */
  version: number
}

const COUNT_BITS = 7
const FIELD_BITS = 3
const MAX_COUNT = 2 ** COUNT_BITS - 1

export function newPosting(number: number): Posting {
  return { number, entries: [], rows: new Int32Array(0), frequencies: new Float64Array(0), idf: 0, version: -1 }
}

export function addEntry(posting: Posting, row: number, field: number, count: number): void {
  posting.entries.push((((row << FIELD_BITS) | field) << COUNT_BITS) | Math.min(count, MAX_COUNT))
}

const rowOf = (entry: number) => entry >>> (COUNT_BITS + FIELD_BITS)
const fieldOf = (entry: number) => (entry >>> COUNT_BITS) & (2 ** FIELD_BITS - 1)
const countOf = (entry: number) => entry & MAX_COUNT

/** Gives the rows their new numbers and drops those without one (-1). @returns whether any are left */
export function renumber(posting: Posting, numbers: Int32Array): boolean {
  const below = 2 ** (COUNT_BITS + FIELD_BITS)
  posting.entries = posting.entries.flatMap((entry) => {
    const row = numbers[rowOf(entry)] ?? -1
    return row < 0 ? [] : [row * below + (entry % below)]
  })
  return posting.entries.length > 0
}

/** Properties of the collection that a posting's scores depend on. */
export interface Collection {
  readonly version: number
  readonly live: number
  /** Number of terms in each field, per row; null when the row is gone. */
  readonly lengths: readonly (Uint16Array | null)[]
  readonly meanLengths: readonly number[]
}

/** Brings rows, frequencies and idf up to date with the collection. */
export function refresh(posting: Posting, collection: Collection, weights: ToolWeights): void {
  if (posting.version === collection.version) return
  const rows: number[] = []
  const sums: number[] = []
  for (const entry of posting.entries) {
    const row = rowOf(entry)
    const lengths = collection.lengths[row]
    if (!lengths) continue
    const field = fieldOf(entry)
    const name = TOOL_FIELDS[field] ?? 'dictionary'
    const { weight, lengthNorm } = weights.fields[name]
    const relative = (lengths[field] ?? 0) / (collection.meanLengths[field] || 1)
    const frequency = (weight * countOf(entry)) / (1 - lengthNorm + lengthNorm * relative)
    if (rows.at(-1) === row) sums[sums.length - 1] = (sums.at(-1) ?? 0) + frequency
    else {
      rows.push(row)
      sums.push(frequency)
    }
  }
  const k = weights.saturation
  posting.rows = Int32Array.from(rows)
  posting.frequencies = Float64Array.from(sums, (sum) => (sum * (k + 1)) / (sum + k))
  posting.idf = idf(collection.live, rows.length)
  posting.version = collection.version
}

/** Inverse document frequency of a property that `having` of `all` texts have. */
export function idf(all: number, having: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5))
}
