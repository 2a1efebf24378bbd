import { fail } from '../../../core/failure.ts'
import { isObject, type JsonObject } from '../../../core/json-object.ts'
import { MAX_CHAIN_TEXT_CHARS } from '../../../core/limits/chains.ts'
import { jsonSize } from '../json-size.ts'
import type { Work } from './work.ts'

/** An own field and nothing of the prototype; undefined when there is none. */
export const ownField = (value: JsonObject, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined

/** The keys that JSON would have. */
export const keysOf = (value: JsonObject): string[] => Object.keys(value).filter((key) => value[key] !== undefined)

/** "a list", "the text …": for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'a text'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Equal as JSON, whatever the order of keys. No value is deeper than MAX_JSON_DEPTH and an expression's lists. */
export function equal(left: unknown, right: unknown, work: Work): boolean {
  work.spend(1)
  if (typeof left === 'string' && typeof right === 'string') {
    work.spend(Math.min(left.length, right.length))
    return left === right
  }
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, at) => equal(item, right[at], work))
    )
  }
  if (!isObject(left)) return left === right
  if (!isObject(right)) return false
  const keys = keysOf(left)
  work.spend(keys.length)
  return (
    keys.length === keysOf(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key], work))
  )
}

/** A value as text: lists and objects as JSON. @throws FailureError `invalid_input` for null */
export function textOf(value: unknown, work: Work): string {
  if (value === null)
    fail('invalid_input', 'it is null, which has no text; write x ?? "…" to say what stands there then')
  if (typeof value === 'object') return jsonText(value, work)
  const text = String(value)
  work.spend(text.length)
  return text
}

export function jsonText(value: unknown, work: Work): string {
  const { chars, values } = jsonSize(value, MAX_CHAIN_TEXT_CHARS)
  work.spend(values)
  boundText(chars)
  const text = JSON.stringify(value)
  work.spend(text.length)
  return text
}

/** Checks a text's length before the text is made. @throws FailureError `limit_exceeded` */
export function boundText(chars: number): void {
  if (chars > MAX_CHAIN_TEXT_CHARS) {
    fail(
      'limit_exceeded',
      `a text of more than ${MAX_CHAIN_TEXT_CHARS} characters (MAX_CHAIN_TEXT_CHARS) would come out; take less, or write it into a file by a step`,
    )
  }
}
