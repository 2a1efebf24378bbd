import { oneLine } from '../markdown.ts'

/** Text in one line: white space is one space. Null when there is none. */
export const clean = (text: string | null | undefined): string | null => (text && oneLine(text).trim()) || null

/** Greatest length: longer than any title that a person wrote. */
const MAX_LINE_CHARS = 300
/** Invisible characters, and those that turn the direction of all further text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text about a page or a document, as one line that can pretend to be nothing else. Null when there is none. */
export const headLine = (text: string | null | undefined): string | null =>
  clean(text?.replace(UNSEEN, ' '))?.slice(0, MAX_LINE_CHARS).toWellFormed() ?? null
