import { fail } from '../../core/failure.ts'
import { type Part, PLACEHOLDER } from '../../registry/http-request.ts'
import { sameAsOneOf } from './same-field.ts'

export type Args = Readonly<Record<string, unknown>>

/** Value as text; null when it was not given. */
export function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value.toWellFormed()
  return typeof value === 'object' ? JSON.stringify(value).toWellFormed() : String(value)
}

/** Argument that a part consists of; null for constants and for text with more in it. */
function argumentOf(part: Part): Exclude<Part, string | number | boolean> | null {
  if (typeof part === 'object') return part
  const whole = typeof part === 'string' ? /^\{([^{}]+)\}$/.exec(part)?.[1] : undefined
  return whole === undefined ? null : { arg: whole }
}

/** Text of a constant or a template; null when one of its arguments was not given. */
function filled(part: string | number | boolean, args: Args): string | null {
  if (typeof part !== 'string') return String(part)
  let isWhole = true
  const text = part.replace(PLACEHOLDER, (_, name: string) => {
    const value = textOf(ownValue(args, name))
    if (value === null) isWhole = false
    return value ?? ''
  })
  return isWhole ? text : null
}

export const ownValue = (args: Args, name: string): unknown => (Object.hasOwn(args, name) ? args[name] : undefined)

/** Names of all arguments of a part. */
export function argumentNames(part: Part): string[] {
  if (typeof part === 'object') return [part.arg]
  return typeof part === 'string' ? [...part.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '') : []
}

/**
 * Text of a part for a header, a cookie or a path, by OpenAPI's style `simple`.
 * @param encode applied to each value: the commas between them stay
 */
export function simple(part: Part, args: Args, encode: (text: string) => string = (text) => text): string | null {
  const whole = argumentOf(part)
  if (whole === null) {
    const text = filled(part as string, args) // a part that is an object has an argument
    return text === null ? null : encode(text)
  }
  const value = ownValue(args, whole.arg)
  if (Array.isArray(value)) return value.map((item) => encode(textOf(item) ?? '')).join(',')
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([name, item]) => [encode(name), encode(textOf(item) ?? '')])
    return pairs.map((pair) => pair.join(whole.explode ? '=' : ',')).join(',')
  }
  const text = textOf(value)
  return text === null ? null : encode(text)
}

const JOINTS = { form: ',', spaceDelimited: '%20', pipeDelimited: '%7C' } as const

/**
 * Pairs of a part for a query, percent-encoded: none, one or several `name=value`, by OpenAPI's styles.
 * @param taken names that the definition sets: the fields of an object, which stand beside them, may have none of these
 * @throws FailureError `invalid_input`
 */
export function queryPairs(name: string, part: Part, args: Args, taken: ReadonlySet<string>): string[] {
  const whole = argumentOf(part)
  const pair = (key: string, value: unknown) => `${encoded(key)}=${encoded(textOf(value) ?? '')}`
  if (whole === null) {
    const text = filled(part as string, args) // a part that is an object has an argument
    return text === null ? [] : [pair(name, text)]
  }
  const { arg, style = 'form', explode = style === 'form' } = whole
  const sameAs = sameAsOneOf([...taken].filter((other) => other !== name))
  const field = (key: string, item: unknown) => {
    const same = sameAs(key)
    if (same !== undefined) {
      fail(
        'invalid_input',
        `${arg} may not have the field ${key.slice(0, 100)}: the tool sends something else as ${same}`,
      )
    }
    return pair(key, item)
  }
  const value = ownValue(args, arg)
  if (value === undefined || value === null) return []
  if (typeof value !== 'object' || style === 'json') return [pair(name, value)]
  if (style === 'deepObject') return Object.entries(value).map(([key, item]) => field(`${name}[${key}]`, item))
  if (explode) {
    return Array.isArray(value)
      ? value.map((item) => pair(name, item))
      : Object.entries(value).map(([key, item]) => field(key, item))
  }
  const items = Array.isArray(value) ? value : Object.entries(value).flat()
  return [`${encoded(name)}=${items.map((item) => encoded(textOf(item) ?? '')).join(JOINTS[style])}`]
}

/** Percent-encoded text, as a piece of a URL. */
export const encoded = (text: string) => encodeURIComponent(text.toWellFormed())
