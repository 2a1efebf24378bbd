import { stemmer } from 'stemmer'

/** Entries of each of the memo's two generations: a word met again when its generation ends moves to the next. */
const MEMO_ENTRIES = 40_000
let memo = new Map<string, string>()
let before = memo

/**
 * Stem of an English word by Porter's algorithm. Stored indexes are made of these stems: with another algorithm, or another
 * version of the package, they must be made anew.
 * @param word in lower case; a word with other letters than a–z is returned unchanged
 */
export function stem(word: string): string {
  if (word.length < 3) return word
  const known = memo.get(word)
  if (known !== undefined) return known
  const stemmed = before.get(word) ?? (/^[a-z]+$/.test(word) ? stemmer(word) : word)
  if (memo.size >= MEMO_ENTRIES) {
    before = memo
    memo = new Map()
  }
  memo.set(word, stemmed)
  return stemmed
}
