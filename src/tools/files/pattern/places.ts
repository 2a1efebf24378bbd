import { END } from './alphabet.ts'
import { AT_START, DEAD } from './automaton.ts'
import type { LinePattern } from './pattern.ts'

/** Characters read between two looks at the meter. */
const BLOCK = 16_384

/**
 * Places in a line at which matches begin, from 0 in UTF-16 units: the leftmost match, the leftmost behind its end, and so on. Gives
 * null wherever the search is to pause, and as many places as were found when the meter is exhausted.
 * @param most places at most
 */
export function* matchPlaces(line: string, pattern: LinePattern, most: number): Generator<null, number[]> {
  const begins = yield* beginnings(line, pattern)
  const places: number[] = []
  for (let from = nextSet(begins, 0); from !== -1 && places.length < most; ) {
    places.push(from)
    if (places.length === most || pattern.meter.isExhausted) break
    const end = yield* matchEnd(line, from, pattern)
    from = nextSet(begins, Math.max(end, from + 1))
  }
  return places
}

/** One byte for each place of a line and its end: 1 where a match begins. The line is read backwards, once. */
function* beginnings(line: string, { starts, alphabet, meter }: LinePattern): Generator<null, Uint8Array> {
  const begins = new Uint8Array(line.length + 1)
  let state = starts.start()
  let at = line.length
  while (at > 0) {
    const begun = at
    const stop = Math.max(0, at - BLOCK)
    while (at > stop && !meter.isDue) {
      const codePoint = codePointBefore(line, at)
      const step = starts.step(state, alphabet.kindOf(codePoint))
      if ((step & 1) === 1) begins[at] = 1
      at -= codePoint > 0xffff ? 2 : 1
      state = step >> 1
    }
    meter.spend(begun - at)
    if (meter.isExhausted) return begins
    if (meter.isDue) yield null
  }
  if ((starts.step(state, END) & 1) === 1) begins[0] = 1
  return begins
}

/** End of the preferred match that begins at a place. */
function* matchEnd(line: string, from: number, { ends, alphabet, meter }: LinePattern): Generator<null, number> {
  const before = from === 0 ? AT_START : ends.beforeOf(alphabet.kindOf(codePointBefore(line, from)))
  let state = ends.start(before)
  let end = from
  let at = from
  while (at < line.length) {
    const begun = at
    const stop = Math.min(line.length, at + BLOCK)
    while (at < stop && !meter.isDue) {
      const codePoint = line.codePointAt(at) ?? 0
      const step = ends.step(state, alphabet.kindOf(codePoint))
      if ((step & 1) === 1) end = at
      at += codePoint > 0xffff ? 2 : 1
      state = step >> 1
      if (state === DEAD) return end
    }
    meter.spend(at - begun)
    if (meter.isExhausted) return end
    if (meter.isDue) yield null
  }
  return (ends.step(state, END) & 1) === 1 ? line.length : end
}

function codePointBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1)
  if (unit < 0xdc00 || unit > 0xdfff || at < 2) return unit
  const whole = text.codePointAt(at - 2) ?? unit
  return whole > 0xffff ? whole : unit
}

const nextSet = (flags: Uint8Array, from: number) => flags.indexOf(1, from)
