import { Refusal } from './pattern.ts'

const MAX_NAME_CHARS = 48

/** Words that cannot name a constant; those of them that have two words in other languages are not here. */
const RESERVED = new Set(
  (
    'arguments async await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
)

/** A name in the spellings that files, constants and tools have. */
export interface Spellings {
  readonly kebab: string
  readonly snake: string
  readonly camel: string
}

/** Spellings of a name. @throws Refusal */
export function spellingsOf(name: string): Spellings {
  if (name.length > MAX_NAME_CHARS || !/^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/.test(name)) {
    throw new Refusal(
      `"${name}" is no name: write lower-case words of a-z and 0-9 with _ between them, at most ${MAX_NAME_CHARS} characters, e.g. word_count`,
    )
  }
  const words = name.split(/[_-]/)
  const camel = words.map((word, at) => (at === 0 ? word : capital(word))).join('')
  if (RESERVED.has(camel)) throw new Refusal(`"${name}" is a word of the language: take another, e.g. ${name}_file`)
  return { kebab: words.join('-'), snake: words.join('_'), camel }
}

/** Name of one word. @throws Refusal for a name of several words */
export function oneWord(name: string, what: string): string {
  const { camel } = spellingsOf(name)
  if (camel !== name) throw new Refusal(`"${name}" is no name of a ${what}: take one word of a-z and 0-9`)
  return name
}

export const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/**
 * Refuses a name that a text uses for something else.
 * @throws Refusal
 */
export function refuseWordOf(text: string, identifier: string): void {
  if (!new RegExp(`\\b${identifier}\\b`).test(text)) return
  throw new Refusal(`"${identifier}" already means something in the files that would have it: take another name`)
}
