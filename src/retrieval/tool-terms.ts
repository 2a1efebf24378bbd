import { TOOL_DICTIONARY } from './bilingual-dictionary.ts'
import { simplified } from './simplified.ts'
import { STOP_WORDS } from './stop-words.ts'
import { isCjk, terms, words } from './tokenize.ts'
import { TOOL_FIELDS, type ToolField } from './tool-weights.ts'

/** Description of a tool that can be found. */
export interface FindableTool {
  readonly id: string
  readonly name: string
  readonly toolkit?: string
  readonly description?: string
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[]
  readonly category?: string
  /** Words about its results: names and descriptions of the fields. */
  readonly returns?: string
}

/** Terms of a tool for the index: plain JSON, which can be stored, so that a start need not read the texts again. */
export interface ToolTerms {
  readonly id: string
  /** Terms of each field of TOOL_FIELDS, in the order of the text, with spaces between them. */
  readonly fields: readonly string[]
  /** Words of name and toolkit as they are written, in lower case. */
  readonly nameWords: string
}

/** Length of each field, in characters: its beginning says what a tool is for. */
const MAX_FIELD_CHARS = 4_000

export function toolTerms(tool: FindableTool): ToolTerms {
  const texts = fieldTexts(tool)
  return {
    id: tool.id,
    fields: TOOL_FIELDS.map((field) => terms(texts[field]).join(' ')),
    nameWords: longWords(`${texts.name} ${texts.toolkit}`).join(' '),
  }
}

function fieldTexts(tool: FindableTool): Record<ToolField, string> {
  const parameters = tool.parameters ?? []
  const cut = (text = '') => readable(text.slice(0, MAX_FIELD_CHARS))
  const texts = {
    name: cut(tool.name),
    toolkit: cut(tool.toolkit),
    description: cut(tool.description),
    parameterNames: cut(parameters.map(({ name }) => name).join(' ')),
    parameterTexts: cut(parameters.map(({ description }) => description ?? '').join(' ')),
    category: cut(tool.category),
    returns: cut(tool.returns),
  }
  const described = [texts.name, texts.toolkit, texts.description, texts.parameterTexts].join(' ')
  return { ...texts, dictionary: TOOL_DICTIONARY.english(described).join(' ').slice(0, MAX_FIELD_CHARS) }
}

/** Text with a space between the words of camelCase and of HTTPServer, and in simplified characters. */
export function readable(text: string): string {
  return simplified(text)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
}

/** Words with four letters or more, without stop words. @param text readable */
export function longWords(text: string): string[] {
  return words(text).filter((word) => word.length >= 4 && !isCjk(word) && !STOP_WORDS.has(word))
}

/** Runs of four letters in some words. */
export function grams(longWords: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const word of longWords) {
    for (let at = 0; at + 4 <= word.length; at++) found.add(word.slice(at, at + 4))
  }
  return found
}
