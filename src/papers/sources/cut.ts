import { CHUNK_CHARS, CHUNK_MIN_CHARS, CHUNK_OVERLAP_CHARS } from '../../core/limits/papers.ts'
import type { PaperChunk } from '../../ports/papers.ts'
import type { Section } from './paper-text.ts'

/**
 * Chunks for search: none crosses a section, each begins with the end of the one before it in the same section, and no
 * word is cut, unless it alone is longer than a chunk.
 */
export const cut = (sections: readonly Section[]): PaperChunk[] =>
  sections.flatMap(({ path, text }) => pieces(text.trim()).map((piece) => ({ section: path, text: piece })))

function pieces(text: string): string[] {
  const found: string[] = []
  let start = 0
  while (text.length - start > CHUNK_CHARS) {
    const end = endWithin(text, start + CHUNK_MIN_CHARS, start + CHUNK_CHARS)
    found.push(text.slice(start, end).trim())
    start = startWithin(text, end - CHUNK_OVERLAP_CHARS, end)
  }
  const last = text.slice(start).trim()
  return (last === '' ? found : [...found, last]).map((piece) => piece.toWellFormed())
}

/** Gaps between words. Chinese and Japanese have no spaces: any two of their characters may be parted. */
const WORDS = /\s+|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，、：）])/gu
/** Best first: between paragraphs, sentences, words. */
const BREAKS = [/\n\s*\n/g, /[.!?…]["'”’)\]]?\s+(?=\S)|[。！？；]["'”’」』）]?/gu, WORDS]

function endWithin(text: string, from: number, to: number): number {
  const window = text.slice(from, to)
  for (const kind of BREAKS) {
    const last = lastMatchEnd(window, kind)
    if (last > 0) return from + last
  }
  return wholeCharacter(text, to)
}

/** Begin of the next piece: at a sentence of the overlap, else at a word. */
function startWithin(text: string, from: number, to: number): number {
  const window = text.slice(from, to)
  for (const kind of BREAKS.slice(1)) {
    for (const { index, 0: found } of window.matchAll(kind)) {
      if (index + found.length < window.length) return from + index + found.length
    }
  }
  return to
}

function lastMatchEnd(window: string, kind: RegExp): number {
  let end = 0
  for (const { index, 0: found } of window.matchAll(kind)) end = index + found.length
  return end
}

/** Position moved out of a surrogate pair. */
const wholeCharacter = (text: string, at: number) => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at)
