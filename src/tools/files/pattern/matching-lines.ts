import { END } from './alphabet.ts'
import type { LinePattern } from './pattern.ts'

/** A line of a text that matches. */
export interface MatchingLine {
  /** Number of the line, from 1. */
  readonly number: number
  /** Place of the line in the text, and of its end without its line break. */
  readonly from: number
  readonly to: number
}

/** Characters read between two looks at the meter. */
const BLOCK = 16_384

/**
 * Lines of a text that match, in order. Gives null wherever the search is to pause.
 * @param text with universal newlines; lines are those of `splitLines`
 */
export function* matchingLines(text: string, { search, alphabet, meter }: LinePattern): Generator<MatchingLine | null> {
  const { ascii } = alphabet
  let number = 1
  let from = 0
  let state = search.start()
  let at = 0
  while (at < text.length) {
    const begun = at
    const stop = Math.min(text.length, at + BLOCK)
    while (at < stop && !meter.isDue) {
      const unit = text.charCodeAt(at)
      const codePoint = unit < 0xd800 || unit > 0xdbff ? unit : (text.codePointAt(at) ?? unit)
      const kind = unit < 128 ? (ascii[unit] ?? END) : alphabet.kindOf(codePoint)
      const step = search.step(state, kind)
      if ((step & 1) === 1) {
        const to = endOfLine(text, at)
        yield { number, from, to }
        at = to + 1
        number += 1
        from = at
        state = search.start()
      } else if (kind === END) {
        at += 1
        number += 1
        from = at
        state = search.start()
      } else {
        at += codePoint > 0xffff ? 2 : 1
        state = step >> 1
      }
    }
    meter.spend(at - begun)
    if (meter.isDue) yield null
  }
  if (from < text.length && (search.step(state, END) & 1) === 1) yield { number, from, to: text.length }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these control characters are line breaks, as in splitLines
const LINE_BREAK = /[\n\v\f\x1c-\x1e\x85\u2028\u2029]/g

/** Place of the line break at or behind `at`, or of the text's end. */
function endOfLine(text: string, at: number): number {
  LINE_BREAK.lastIndex = at
  return LINE_BREAK.exec(text)?.index ?? text.length
}
