import { ParseError, TupleParser } from '../../../lagent/parsers.ts'
import { readLiteral } from '../../../lagent/python/read-literal.ts'
import { isDict, toRepr } from '../../../lagent/python/to-text.ts'
import { Tuple } from '../../../lagent/python/tuple.ts'

/**
 * Parser of tuples as text. Lagent's takes whatever has a length for a tuple: a dict would be called with its keys, a text with
 * its letters. Here a dict is refused, and one value in brackets, whose comma is easily forgotten, is a tuple of one.
 */
export class TupleTextParser extends TupleParser {
  override parseInputs(inputs: unknown, name?: string): unknown {
    return super.parseInputs(typeof inputs === 'string' ? tupleIn(inputs) : inputs, name)
  }
}

/**
 * The tuple of a text.
 * @returns the text itself where the parser should report the mistake
 */
function tupleIn(text: string): Tuple | string {
  let value: unknown
  try {
    value = readLiteral(text)
  } catch {
    return text
  }
  if (isDict(value)) throw new ParseError(`the arguments must be a tuple, not a dict: ${toRepr(value)}`)
  if (value instanceof Set || value instanceof Uint8Array) return text
  return Array.isArray(value) ? Tuple.from(value) : Tuple.of(value)
}
