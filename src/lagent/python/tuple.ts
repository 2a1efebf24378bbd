/**
 * A Python tuple: an array that Python's text shows in parentheses, and that TupleParser takes as it is. Made by
 * `Tuple.of(…)` or `Tuple.from(…)`; what `map` and the like make of it are plain arrays.
 */
export class Tuple<T = unknown> extends Array<T> {
  static override get [Symbol.species]() {
    return Array
  }
}
