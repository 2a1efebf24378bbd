import { fail } from '../../../core/failure.ts'
import { isObject } from '../../../core/json-object.ts'
import { MAX_CHAIN_NEEDLE_CHARS } from '../../../core/limits/chains.ts'
import { shellQuote } from '../../../core/shell-quote.ts'
import { jsonSize } from '../json-size.ts'
import { MissingError } from './missing.ts'
import { boundText, equal, jsonText, keysOf, kindOf, ownField, textOf } from './values.ts'
import type { Work } from './work.ts'

/** Number of arguments, at least and at most. */
type Count = readonly [number, number]

interface ChainFunction {
  readonly args: Count
  /** Runs the function. @throws FailureError `invalid_input` beginning with the mistake; the caller adds the function's name */
  run(args: readonly unknown[], work: Work): unknown
}

const MANY = Number.POSITIVE_INFINITY

/** Functions whose arguments may be missing: the evaluator itself evaluates them, one after the other. */
export const LAZY_FUNCTIONS: ReadonlyMap<string, Count> = new Map([
  ['has', [1, 1]],
  ['default', [2, 2]],
  ['coalesce', [1, MANY]],
])

const define = (args: Count, run: ChainFunction['run']): ChainFunction => ({ args, run })

export const FUNCTIONS: ReadonlyMap<string, ChainFunction> = new Map([
  ['length', define([1, 1], ([value], work) => lengthOf(value, work))],
  ['contains', define([2, 2], ([whole, part], work) => contains(whole, part, work))],
  ['keys', define([1, 1], ([value], work) => spent(keysOf(object(value)), work))],
  ['values', define([1, 1], ([value], work) => spent(keysOf(object(value)), work).map((key) => object(value)[key]))],

  ['first', define([1, 1], ([value]) => itemOf(list(value), 0))],
  ['last', define([1, 1], ([value]) => itemOf(list(value), -1))],
  ['slice', define([2, 3], ([value, from, to], work) => slice(value, from, to ?? null, work))],
  ['flatten', define([1, 1], ([value], work) => flatten(list(value), work))],
  ['pluck', define([2, 2], ([value, key], work) => pluck(spent(list(value), work), text(key)))],
  ['where', define([3, 3], ([value, key, wanted], work) => where(list(value), text(key), wanted, work))],
  ['sum', define([1, 1], ([value], work) => finite(numbers(value, work).reduce((total, one) => total + one, 0)))],
  ['min', define([1, 1], ([value], work) => least(numbers(value, work)))],
  ['max', define([1, 1], ([value], work) => -least(numbers(value, work).map((one) => -one)))],

  ['join', define([1, 2], ([value, between], work) => join(list(value), text(between ?? ', '), work))],
  ['split', define([2, 2], ([whole, at], work) => spent(searched(whole, at, work).split(needle(at)), work))],
  [
    'replace',
    define([3, 3], ([whole, part, by], work) => replace(searched(whole, part, work), needle(part), text(by), work)),
  ],
  ['starts_with', define([2, 2], ([whole, part], work) => searched(whole, part, work).startsWith(needle(part)))],
  ['ends_with', define([2, 2], ([whole, part], work) => searched(whole, part, work).endsWith(needle(part)))],
  ['lower', define([1, 1], ([value], work) => read(value, work).toLowerCase())],
  ['upper', define([1, 1], ([value], work) => read(value, work).toUpperCase())],
  ['trim', define([1, 1], ([value], work) => read(value, work).trim())],
  ['shell', define([1, 1], ([value], work) => shellQuote(textOf(value, work)))],

  ['text', define([1, 1], ([value], work) => textOf(value, work))],
  ['number', define([1, 1], ([value], work) => toNumber(value, work))],
  ['json', define([1, 1], ([value], work) => jsonText(value, work))],
  ['parse_json', define([1, 1], ([value], work) => parseJson(read(value, work), work))],
  ['round', define([1, 2], ([value, digits]) => round(number(value), number(digits ?? 0)))],
])

/** Length in characters, not in UTF-16 units: an emoji is one. */
export function lengthOf(value: unknown, work: Work): number {
  if (Array.isArray(value)) return value.length
  if (typeof value !== 'string') return spent(keysOf(object(value, 'a list, a text or an object')), work).length
  let length = 0
  for (const _ of read(value, work)) length++
  return length
}

export function contains(whole: unknown, part: unknown, work: Work): boolean {
  if (Array.isArray(whole)) return whole.some((item) => equal(item, part, work))
  if (typeof whole === 'string') return searched(whole, part, work).includes(needle(part))
  return ownField(object(whole, 'a list, a text or an object'), text(part)) !== undefined
}

/** Item of a list. @param at index, from the end when it is negative */
export function itemOf(items: readonly unknown[], at: number): unknown {
  const item = items.at(at)
  if (!Number.isInteger(at))
    fail('invalid_input', `${at} is no place in a list; places are 0, 1, … and -1 for the last`)
  return item === undefined ? missing(`the list has ${items.length} items, and none at ${at}`) : item
}

const missing = (message: string): never => {
  throw new MissingError(message)
}

/** Flattens lists, counted before the result is made: a list may name the same long one many times. */
function flatten(items: readonly unknown[], work: Work): unknown[] {
  for (const item of items) work.spend(Array.isArray(item) ? item.length : 1)
  return items.flat(1)
}

function pluck(items: readonly unknown[], key: string): unknown[] {
  return items.map((item) => (isObject(item) ? (ownField(item, key) ?? null) : null))
}

const where = (items: readonly unknown[], key: string, wanted: unknown, work: Work) =>
  spent(items, work).filter((item) => isObject(item) && equal(ownField(item, key) ?? null, wanted, work))

function slice(value: unknown, from: unknown, to: unknown, work: Work): unknown {
  const [start, end] = [number(from), to === null ? undefined : number(to)]
  if (Array.isArray(value)) return spent(value.slice(start, end), work)
  work.spend(3 * text(value, 'a list or a text').length)
  return Array.from(read(value, work)).slice(start, end).join('')
}

function join(items: readonly unknown[], between: string, work: Work): string {
  const texts = items.map((item) => textOf(item, work))
  boundText(texts.reduce((chars, one) => chars + one.length + between.length, 0))
  return texts.join(between)
}

function replace(whole: string, part: string, by: string, work: Work): string {
  const pieces = spent(whole.split(part), work)
  boundText(whole.length + (pieces.length - 1) * (by.length - part.length))
  return pieces.join(by)
}

function toNumber(value: unknown, work: Work): number {
  if (typeof value === 'number') return value
  const digits = read(value, work, 'a text or a number').trim()
  if (!/^[+-]?(?:\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})(?:[eE][+-]?\d{1,4})?$/.test(digits)) {
    fail('invalid_input', `${JSON.stringify(digits.slice(0, 40))} is no number`)
  }
  return finite(Number(digits))
}

function parseJson(source: string, work: Work): unknown {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    // The engine's message quotes the text.
    fail('invalid_input', 'the text is no JSON')
  }
  work.spend(jsonSize(value).values)
  return value
}

function round(value: number, digits: number): number {
  if (!Number.isInteger(digits) || digits < 0 || digits > 15)
    fail('invalid_input', 'digits are a whole number from 0 to 15')
  const scaled = value * 10 ** digits
  return Number.isFinite(scaled) ? Math.round(scaled) / 10 ** digits : value
}

const least = (values: readonly number[]) =>
  values.length === 0 ? missing('the list is empty') : values.reduce((low, one) => Math.min(low, one))

export const finite = (value: number): number =>
  Number.isFinite(value) ? value : fail('invalid_input', 'the number that comes out is too large')

function numbers(value: unknown, work: Work): number[] {
  return spent(list(value), work).map((one) => number(one))
}

/** Characters per unit of work: the engine's search takes up to length times length. */
const COMPARED_PER_UNIT = 25

/** Text to search; the part to find must be short, see MAX_CHAIN_NEEDLE_CHARS. */
function searched(whole: unknown, part: unknown, work: Work): string {
  const rounds = Math.ceil(needle(part).length / COMPARED_PER_UNIT)
  work.spend(text(whole).length * rounds)
  return text(whole)
}

function needle(part: unknown): string {
  const wanted = text(part)
  if (wanted === '') fail('invalid_input', 'the text to look for is empty')
  if (wanted.length > MAX_CHAIN_NEEDLE_CHARS) {
    fail(
      'limit_exceeded',
      `the text to look for has more than ${MAX_CHAIN_NEEDLE_CHARS} characters (MAX_CHAIN_NEEDLE_CHARS)`,
    )
  }
  return wanted
}

function spent<T extends readonly unknown[]>(items: T, work: Work): T {
  work.spend(items.length)
  return items
}

function read(value: unknown, work: Work, wanted = 'a text'): string {
  const whole = text(value, wanted)
  work.spend(whole.length)
  return whole
}

const text = (value: unknown, wanted = 'a text') => (typeof value === 'string' ? value : wrongKind(wanted, value))
const number = (value: unknown) => (typeof value === 'number' ? value : wrongKind('a number', value))
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : wrongKind('a list', value))
const object = (value: unknown, wanted = 'an object') => (isObject(value) ? value : wrongKind(wanted, value))

const wrongKind = (wanted: string, value: unknown): never =>
  fail('invalid_input', `it needs ${wanted}, and got ${kindOf(value)}`)
