/**
 * Input types for tools: what models really send, brought to the type that a tool wants. Null stands for an argument left
 * out, texts for numbers and booleans, one value for a list. The JSON Schema that a model sees stays the plain one.
 */
import * as z from 'zod'
import { parseExactly } from '../core/exact-json.ts'
import { exceededAt } from '../core/json-bounds.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../core/limits/requests.ts'
import { shellQuote } from '../core/shell-quote.ts'

const absent = (value: unknown) => (value === null ? undefined : value)

/** Leaving the key out and giving null both mean "not given". */
export const optional = <S extends z.ZodType>(schema: S) => z.preprocess(absent, schema.optional()).optional()

/** An {@link optional} argument with a default value. The argument's description must name the value too. */
export const withDefault = <S extends z.ZodType>(schema: S, value: z.output<S>) =>
  optional(schema).transform((given): z.output<S> => given ?? value)

/** Required text; an empty one is answered with "x is required". */
export const requiredText = z.preprocess(absent, z.string().min(1))

/**
 * Required text of at most `chars` UTF-16 units; lone surrogates are replaced. The bound stands inside: behind a `pipe` the argument
 * would not be among the schema's `required`.
 */
export const requiredTextUpTo = (chars: number, message: string) =>
  z.preprocess(
    absent,
    z
      .string()
      .min(1)
      .max(chars, message)
      .transform((text) => text.toWellFormed()),
  )

/** Required shell command, which may come as the list of its words: each is quoted where the shell would read more in it. */
export const commandLine = z.preprocess(
  (given) => joinedWords(given),
  z
    .string({
      error: ({ input }) =>
        Array.isArray(input)
          ? 'a list is taken as the words of one command; give several commands, or a pipe, as one text: "cd app && ls | wc -l"'
          : undefined,
    })
    .min(1),
)

/** Required path of one thing; a list of one path will do. */
export const onePath = z.preprocess(
  (given) => (Array.isArray(given) && given.length === 1 ? given[0] : absent(given)),
  z
    .string({
      error: ({ input }) =>
        Array.isArray(input) ? 'give one path; make a call for each, or name them in one command' : undefined,
    })
    .min(1),
)

/** Required URL of one thing; a list of one will do. */
export const oneUrl = z.preprocess(
  (given) => (Array.isArray(given) && given.length === 1 ? given[0] : absent(given)),
  z.string({ error: ({ input }) => (Array.isArray(input) ? 'give one URL; make a call for each' : undefined) }).min(1),
)

/** Numbers and ranges as text, `"2,3"`, which may come as a number or as a list: `[2, 3]`, `["2-4", 7]`. */
export const numberRanges = z.preprocess((given) => {
  const value = listFrom(given)
  if (typeof value === 'number') return String(value)
  const isPlain = (item: unknown) => typeof item === 'number' || typeof item === 'string'
  return Array.isArray(value) && value.length > 0 && value.every(isPlain) ? value.join(',') : value
}, z.string())

/** Required text that may be empty: an argument left out by mistake must not empty a file. */
export const givenText = z.preprocess(absent, z.string())

/** Whole number: `5`, `"5"` or `"5.0"`. */
export const integer = z.preprocess(wholeNumber, z.int('must be a whole number'))

/** An {@link integer} in these bounds, which stand in its JSON Schema too: behind a `pipe` they would not. */
export const integerWithin = (least: number, most: number, message?: string) =>
  z.preprocess(wholeNumber, z.int('must be a whole number').min(least).max(most, message))

/** Length of time in seconds. A tool cuts what is beyond the longest that it grants, and says so. */
export const seconds = z.preprocess(
  wholeSeconds,
  z.int('must be a whole number of seconds').min(1, 'must be at least 1 second'),
)

/** Length of time in seconds, which may be 0 or have a fraction. */
export const anyLength = z.preprocess(asNumber, z.number('must be a number of seconds').min(0, 'must not be negative'))

/** Number: `5`, `-5.5` or `"-5.5"`. */
export const number = z.preprocess(asNumber, z.number('must be a number'))

/** Boolean: `true`, or one of the words and numbers that Python's pydantic takes for it: `"True"`, `"yes"`, `"on"`, `1`. */
export const flag = z.preprocess((value) => {
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : value
  return YES.has(word) ? true : NO.has(word) ? false : value
}, z.boolean('must be true or false'))

const YES: ReadonlySet<unknown> = new Set(['true', 'yes', 'on', '1'])
const NO: ReadonlySet<unknown> = new Set(['false', 'no', 'off', '0'])

/** List of texts with at least one in it; a single text may stand without brackets, and the list may be JSON in a text. */
export const oneOrMoreTexts = z.preprocess((given) => {
  const value = listFrom(given)
  return typeof value === 'string' ? [value].filter((text) => text !== '') : value
}, z.array(z.string()).min(1))

/** List of objects; a single object may stand without brackets, and both may be JSON in a text. */
export const objects = <S extends z.ZodType>(schema: S) =>
  z.preprocess((given) => {
    const value = objectFrom(listFrom(given))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : value
  }, z.array(schema))

/** Object with any fields, which may be JSON in a text. */
export const anyObject = z.preprocess(objectFrom, z.record(z.string(), z.unknown()))

/** List that may be JSON in a text; any other value stays as it is, and null means "not given". */
export const listFrom = (value: unknown): unknown => jsonFrom(value, '[')

/** A command from its words, a list of one as it is. What may be several commands stays a list, which is refused. */
function joinedWords(value: unknown): unknown {
  if (!isWords(value)) return absent(value)
  const [first = ''] = value
  if (value.length === 1) return first
  const isSeveral = /\s/.test(first.trim()) || value.some((word) => SHELL_OPERATORS.has(word))
  return isSeveral ? value : value.map((word) => (PLAIN_WORD.test(word) ? word : shellQuote(word))).join(' ')
}

const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string' && !word.includes('\0'))

/** Words that mean something to a shell, and nothing to a program. */
const SHELL_OPERATORS: ReadonlySet<string> = new Set(['|', '||', '&', '&&', ';', '>', '>>', '<', '2>&1', '2>'])
/** A word that the shell leaves as it is. */
const PLAIN_WORD = /^[\w@%+:,./-]+$/

/** Object that may be JSON in a text, as {@link listFrom}. */
function objectFrom(value: unknown): unknown {
  return jsonFrom(value, '{')
}

function jsonFrom(value: unknown, begin: '[' | '{'): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith(begin)) return absent(value)
  if (exceededAt(value, { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES })) return value
  try {
    return parseExactly(value)
  } catch {
    return value // words that begin with a bracket
  }
}

function wholeNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[+-]?\d{1,15}(?:\.0*)?\s*$/.test(value) ? Number(value) : value
}

/** Seconds, which may have their unit, or minutes with theirs: `"30s"`, `"5 min"`. */
function wholeSeconds(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const [, number, unit = ''] = /^\s*(\d{1,9})\s*([a-z]+)\s*$/i.exec(value) ?? []
  if (number === undefined) return wholeNumber(value)
  if (/^s(?:ecs?|econds?)?$/i.test(unit)) return Number(number)
  return /^m(?:ins?|inutes?)$/i.test(unit) ? 60 * Number(number) : value
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[+-]?\d{1,15}(?:\.\d{0,15})?\s*$/.test(value) ? Number(value) : value
}
