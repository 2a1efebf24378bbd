import type { ValueConversion } from './conversion.ts'
import type { Params } from './params.ts'

/** Text of a list of lines, with or without their breaks, as notebooks have it; any other value stays as it is. */
export function linesAsText(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0 || !value.every((line) => typeof line === 'string')) return value
  const areEnded = value.length > 1 && value.slice(0, -1).every((line) => line.endsWith('\n'))
  return value.join(areEnded ? '' : '\n')
}

/** Lines in a list as the text of an argument. */
export const lines =
  (argument: string): ValueConversion =>
  (value, args) => {
    const text = linesAsText(value)
    return text === value ? null : { ...args, [argument]: text }
  }

/** What a file gets: an object or a list for a file of JSON as its text, and lines for another. */
export const fileContent: ValueConversion = (value, args, note) => {
  if (typeof value !== 'object' || value === null) return null
  if (!JSON_NAME.test(String(args.file_path))) return lines('content')(value, args, note)
  note('content was no text, and was written as JSON')
  return { ...args, content: `${JSON.stringify(value, null, 2)}\n` }
}

const JSON_NAME = /\.(?:json|geojson|ipynb)$/i

/** The encoding base64, which is one of the content, not of the file. */
export const base64Encoding: ValueConversion = (value, args) => {
  if (!isBase64(value)) return null
  const { encoding: _, ...others } = args
  return { ...others, is_base64: true }
}

/** Whether a value names base64. */
export const isBase64 = (value: unknown) => typeof value === 'string' && value.trim().toLowerCase() === 'base64'

/** The only text in a list. */
export const onlyText =
  (argument: string): ValueConversion =>
  (value, args: Params) =>
    Array.isArray(value) && value.length === 1 && typeof value[0] === 'string'
      ? { ...args, [argument]: value[0] }
      : null

/** A word in the place of another that an argument has. @param words by the one that the tool knows */
export const word =
  (argument: string, words: Readonly<Record<string, string>>): ValueConversion =>
  (value, args) => {
    if (typeof value !== 'string') return null
    const given = value.trim().toLowerCase()
    const meant = Object.keys(words).find((known) => words[known]?.split(' ').includes(given))
    return meant === undefined ? null : { ...args, [argument]: meant }
  }

/** A number as text. */
export const numberAsText =
  (argument: string): ValueConversion =>
  (value, args) =>
    typeof value === 'number' ? { ...args, [argument]: String(value) } : null
