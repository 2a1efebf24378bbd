/**
 * Input types for tools: what models really send, brought to the type that a tool wants. Null stands for an argument left
 * out, texts for numbers and booleans, one value for a list. The JSON Schema that a model sees stays the plain one.
 */
import { z } from 'zod'

const absent = (value: unknown) => (value === null ? undefined : value)

/** Leaving the key out and giving null both mean "not given". */
export const optional = <S extends z.ZodType>(schema: S) => z.preprocess(absent, schema.optional()).optional()

/** An {@link optional} argument with a default value. The argument's description must name the value too. */
export const withDefault = <S extends z.ZodType>(schema: S, value: z.output<S>) =>
  optional(schema).transform((given): z.output<S> => given ?? value)

/** Required text; an empty one is answered with "x is required". */
export const requiredText = z.preprocess(absent, z.string().min(1))

/** Required text that may be empty: an argument left out by mistake must not empty a file. */
export const givenText = z.preprocess(absent, z.string())

/** Whole number: `5`, `"5"` or `"5.0"`. */
export const integer = z.preprocess(wholeNumber, z.int('must be a whole number'))

/** Length of time in seconds. A tool cuts what is beyond the longest that it grants, and says so. */
export const seconds = z.preprocess(
  wholeNumber,
  z.int('must be a whole number of seconds').min(1, 'must be at least 1 second'),
)

/** Length of time in seconds, which may be 0 or have a fraction. */
export const anyLength = z.preprocess(asNumber, z.number('must be a number of seconds').min(0, 'must not be negative'))

/** Number: `5`, `-5.5` or `"-5.5"`. */
export const number = z.preprocess(asNumber, z.number('must be a number'))

/** Boolean: `true`, `"true"` or `"True"`. */
export const flag = z.preprocess((value) => {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  return word === 'true' ? true : word === 'false' ? false : value
}, z.boolean('must be true or false'))

/** List of texts with at least one in it; a single text may stand without brackets. */
export const oneOrMoreTexts = z.preprocess(
  (value) => (typeof value === 'string' ? [value].filter((text) => text !== '') : absent(value)),
  z.array(z.string()).min(1),
)

function wholeNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[+-]?\d{1,15}(?:\.0*)?\s*$/.test(value) ? Number(value) : value
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[+-]?\d{1,15}(?:\.\d{0,15})?\s*$/.test(value) ? Number(value) : value
}
