import { stem } from './stem.ts'
import { STOP_CHARACTERS, STOP_WORDS } from './stop-words.ts'

/** Length of a word: a longer run of letters and digits is represented by its start. */
const MAX_WORD_CHARS = 64

const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega'
/** Names of Greek letters: formulas and names of substances write a letter or its name: "TNF-α", "TNF-alpha". */
const GREEK_NAMES: ReadonlyMap<string, string> = new Map(
  GREEK.split(' ').map((name, n) => [String.fromCodePoint(0x3b1 + n), ` ${name} `]),
)
/** Single Greek letters; whole words of Greek stay unchanged. */
const LONE_GREEK = /(?<!\p{Script=Greek})[α-ω](?!\p{Script=Greek})/gu

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}'
const RUN = new RegExp(`[${CJK}ー]+|(?:(?![${CJK}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')
const CJK_START = new RegExp(`^[${CJK}ー]`, 'u')

/** Whether a term is made of Chinese characters or kana: such terms are one or two characters. */
export const isCjk = (term: string): boolean => CJK_START.test(term)

/** Runs of letters and digits in lower case, without accents; Chinese and Japanese ones apart from the others. */
export function words(text: string): string[] {
  return plain(text).match(RUN) ?? []
}

function plain(text: string): string {
  // The short way: most texts have nothing but ASCII, and the rest takes ten times as long.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(LONE_GREEK, (letter) => GREEK_NAMES.get(letter) ?? letter)
}

/**
 * Index terms in the order of the text: stems of words, and of Chinese and Japanese each character and each pair of neighbours.
 * Stop words are left out.
 */
export function terms(text: string): string[] {
  const found: string[] = []
  for (const run of words(text)) {
    if (isCjk(run)) pushCharacters(run, STOP_CHARACTERS, found)
    else if (!STOP_WORDS.has(run)) found.push(stem(run.slice(0, MAX_WORD_CHARS)))
  }
  return found
}

/** Terms of a query, as {@link terms}; a text of stop words alone keeps these. */
export function queryTerms(text: string): string[] {
  const found = terms(text)
  if (found.length > 0) return found
  for (const run of words(text)) {
    if (isCjk(run)) pushCharacters(run, NO_CHARACTERS, found)
    else found.push(stem(run.slice(0, MAX_WORD_CHARS)))
  }
  return found
}

const NO_CHARACTERS: ReadonlySet<string> = new Set()

function pushCharacters(run: string, stop: ReadonlySet<string>, found: string[]): void {
  const characters = [...run]
  for (const [n, character] of characters.entries()) {
    const next = characters[n + 1]
    if (!stop.has(character)) found.push(character)
    if (next !== undefined && !(stop.has(character) && stop.has(next))) found.push(character + next)
  }
}
