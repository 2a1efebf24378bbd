import { fail } from '../../core/failure.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../core/limits/requests.ts'

export interface JsonSize {
  /** Approximate length of its JSON; counting stops beyond `enough`. */
  readonly chars: number
  readonly values: number
}

/**
 * Size of a value as JSON, without recursion and without making the JSON.
 * @throws FailureError `limit_exceeded` for deeper JSON than MAX_JSON_DEPTH or more values than MAX_JSON_VALUES,
 * `invalid_input` for a number of JSON that became infinite, as 1e400, `internal` for a value that is no JSON
 */
export function jsonSize(value: unknown, enough = Number.POSITIVE_INFINITY): JsonSize {
  let chars = 0
  let values = 0
  // Containers wait with their depth; scalars are counted where they are met.
  const open: { readonly value: object; readonly depth: number }[] = []
  const count = (one: unknown, depth: number) => {
    if (++values > MAX_JSON_VALUES)
      fail('limit_exceeded', `it holds more than ${MAX_JSON_VALUES} values (MAX_JSON_VALUES)`)
    if (typeof one === 'string') chars += one.length + 3
    else if (typeof one === 'number' && !Number.isFinite(one))
      fail('invalid_input', 'it holds a number that is too large')
    else if (typeof one === 'number' || typeof one === 'boolean' || one === null) chars += String(one).length + 1
    else if (typeof one !== 'object') notJson()
    else if (depth > MAX_JSON_DEPTH)
      fail('limit_exceeded', `it is nested deeper than ${MAX_JSON_DEPTH} levels (MAX_JSON_DEPTH)`)
    else open.push({ value: one, depth })
  }
  count(value, 1)
  for (let next = open.pop(); next && chars <= enough; next = open.pop()) {
    chars += 3
    if (Array.isArray(next.value)) {
      for (const item of next.value) count(item, next.depth + 1)
    } else {
      if (!isPlain(next.value)) notJson()
      for (const [key, item] of Object.entries(next.value)) {
        if (item === undefined) continue
        chars += key.length + 3
        count(item, next.depth + 1)
      }
    }
  }
  return { chars, values }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const notJson = (): never => fail('internal', 'it is not JSON; results and inputs of steps are JSON')
