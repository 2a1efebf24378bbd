/** A sequence of numbers: the units of a text, or lines by number. */
export interface Sequence {
  readonly length: number
  /** The number at an index below `length`. */
  unit(index: number): number
}

/** The UTF-16 units of a text. */
export const unitsOf = (text: string): Sequence => ({ length: text.length, unit: (index) => text.charCodeAt(index) })

/**
 * Positions at which a pattern stands, overlapping ones included, in rising order. Time is linear in both lengths, whatever is in
 * them (Knuth, Morris and Pratt); `indexOf` multiplies the lengths for texts such as "aaa…" and "baaa…".
 * @param pattern not empty
 * @param from position at which the search begins
 */
export function* occurrences(pattern: Sequence, text: Sequence, from = 0): Generator<number> {
  const size = pattern.length
  const borders = bordersOf(pattern)
  let matched = 0
  for (let at = from; at < text.length; at++) {
    const unit = text.unit(at)
    while (matched > 0 && (matched === size || pattern.unit(matched) !== unit)) matched = borders[matched - 1] ?? 0
    if (pattern.unit(matched) === unit) matched++
    if (matched === size) yield at - size + 1
  }
}

/** For each beginning of a pattern, the length of its longest proper beginning that is also its end. */
function bordersOf(pattern: Sequence): Int32Array {
  const borders = new Int32Array(pattern.length)
  let length = 0
  for (let at = 1; at < pattern.length; at++) {
    const unit = pattern.unit(at)
    while (length > 0 && pattern.unit(length) !== unit) length = borders[length - 1] ?? 0
    if (pattern.unit(length) === unit) length++
    borders[at] = length
  }
  return borders
}
