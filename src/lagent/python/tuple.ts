/**
 * Python tuple: an array that Python's text shows in parentheses, and that TupleParser takes unchanged. Made by
 * `Tuple.of(…)` or `Tuple.from(…)`; `map` and similar methods make plain arrays.
 */
export class Tuple<T = unknown> extends Array<T> {
  static override get [Symbol.species]() {
    return Array
  }
}
