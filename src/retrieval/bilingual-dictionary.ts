import TOOL_TABLE from './tool-dictionary.json' with { type: 'json' }

const HAS_HAN = /\p{Script=Han}/u

/** English meanings of a text's Chinese words; at each place its longest known word counts. */
export interface BilingualDictionary {
  /** English words that each Chinese word may mean. */
  translations(text: string): (readonly string[])[]
  /** English words of all Chinese ones; none for a text without Chinese. */
  english(text: string): string[]
  /** Places where a word of two characters or more begins or ends: a pair of characters over such a place is no word. */
  edges(text: string): ReadonlySet<number>
}

/** Bilingual dictionary of tools and tasks. */
export const TOOL_DICTIONARY = bilingualDictionary(TOOL_TABLE)

/** Chinese words of one meaning, separated by slashes, with their English, separated by spaces. */
type DictionaryTable = Readonly<Record<string, string>>

/** Bilingual dictionary from tables like `gloss.json`; where two have the same word, the first one counts. */
export function bilingualDictionary(...tables: readonly DictionaryTable[]): BilingualDictionary {
  const [words, longest] = readTables(tables)
  const lengthAt = (text: string, at: number) => {
    for (let length = Math.min(longest, text.length - at); length > 0; length--) {
      if (words.has(text.slice(at, at + length))) return length
    }
    return 0
  }
  function* wordsOf(text: string): Generator<{ at: number; word: string }> {
    if (!HAS_HAN.test(text)) return
    for (let at = 0; at < text.length; ) {
      const length = lengthAt(text, at)
      if (length > 0) yield { at, word: text.slice(at, at + length) }
      at += length || 1
    }
  }
  const translations = (text: string) => Array.from(wordsOf(text), ({ word }) => words.get(word) ?? [])
  return {
    translations,
    english: (text) => translations(text).flat(),
    edges: (text) =>
      new Set([...wordsOf(text)].flatMap(({ at, word }) => (word.length > 1 ? [at, at + word.length] : []))),
  }
}

function readTables(tables: readonly DictionaryTable[]): [ReadonlyMap<string, readonly string[]>, number] {
  const translations = new Map<string, readonly string[]>()
  let longest = 1
  for (const [chinese, english] of tables.toReversed().flatMap((table) => Object.entries(table))) {
    const words = english.split(' ')
    for (const word of chinese.split('/')) {
      translations.set(word, words)
      longest = Math.max(longest, word.length)
    }
  }
  return [translations, longest]
}
