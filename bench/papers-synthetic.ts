import type { Paper } from '../src/ports/papers.ts'

const VOCABULARY = 150_000
const ABSTRACT_WORDS = 150
const TITLE_WORDS = 9
/**
 * Distribution by Zipf and Mandelbrot: the commonest word stands in about half of the abstracts, as content words of a
 * field do.
 */
const SHIFT = 20

/** Abstracts and queries without meaning, in the proportions of real ones; the same for the same seed. */
export function synthetic(seed: number) {
  const random = mulberry32(seed)
  const words = Array.from({ length: VOCABULARY }, (_, rank) => nameOf(rank))
  const word = () => {
    // The inverse of the cumulative distribution of 1/(rank + SHIFT).
    const rank = SHIFT * ((VOCABULARY + SHIFT) / SHIFT) ** random() - SHIFT
    return words[Math.min(VOCABULARY - 1, Math.floor(rank))] as string
  }
  const text = (count: number) => Array.from({ length: count }, word).join(' ')
  return {
    paper: (n: number): Paper => ({
      fileId: `synthetic-${n}`,
      title: text(TITLE_WORDS),
      abstract: `${text(ABSTRACT_WORDS)}.`,
      aliases: [],
      authors: [],
      year: String(2000 + (n % 25)),
      categories: [],
      chunks: [],
    }),
    /** Typical queries: a few words, a sentence, a paragraph; and the worst case, only the commonest words. */
    queries: {
      'a few words': () => text(4),
      'a sentence': () => text(12),
      'an abstract': () => text(ABSTRACT_WORDS),
      'common words alone': () => Array.from({ length: 6 }, () => words[Math.floor(random() * 60)]).join(' '),
    },
  }
}

const CONSONANTS = 'bcdfgklmnprtvz'
const VOWELS = 'aou'

/** Word for a rank, which no stemmer changes. */
function nameOf(rank: number): string {
  let name = ''
  let rest = rank
  do {
    name += `${CONSONANTS[rest % CONSONANTS.length]}${VOWELS[Math.floor(rest / CONSONANTS.length) % VOWELS.length]}`
    rest = Math.floor(rest / (CONSONANTS.length * VOWELS.length))
  } while (rest > 0)
  return `${name}k`
}

/** A small generator of numbers from 0 to 1, by T. Ettinger's public-domain recipe. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
