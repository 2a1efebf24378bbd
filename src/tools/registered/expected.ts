import { isObject } from '../../core/json-object.ts'

/**
 * Why a value differs from the expected one; null when it does not. Only expected fields of objects count, but all items of
 * lists.
 * Both are JSON that was read within MAX_JSON_DEPTH.
 */
export function misfit(expected: unknown, value: unknown, where: string): string | null {
  if (Array.isArray(expected)) {
    if (!Array.isArray(value)) return `${where} is ${shown(value)} and no list`
    if (value.length !== expected.length) return `${where} has ${value.length} items and not ${expected.length}`
    return first(expected.map((item, at) => [item, value[at], `${where}[${at}]`]))
  }
  if (isObject(expected)) {
    if (!isObject(value)) return `${where} is ${shown(value)} and no object`
    const absent = Object.keys(expected).find((name) => !Object.hasOwn(value, name))
    if (absent !== undefined) return `${where} has no ${absent.slice(0, 64)}`
    return first(Object.entries(expected).map(([name, item]) => [item, value[name], `${where}.${name.slice(0, 64)}`]))
  }
  return expected === value ? null : `${where} is ${shown(value)} and not ${shown(expected)}`
}

function first(pairs: readonly [expected: unknown, value: unknown, where: string][]): string | null {
  for (const pair of pairs) {
    const wrong = misfit(...pair)
    if (wrong !== null) return wrong
  }
  return null
}

const MAX_SHOWN_CHARS = 200

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS).toWellFormed()}…` : text
}
