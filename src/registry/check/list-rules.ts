import { canonicalJson } from '../schema-node.ts'
import type { Rule } from './rule.ts'
import { countOf } from './words.ts'

/** A rule about lists. */
const list =
  (rule: (value: readonly unknown[], check: Parameters<Rule>[0]) => boolean): Rule =>
  (check) =>
    !Array.isArray(check.value) || rule(check.value, check)

/** Rule of one schema for the items from `from` on. */
function rest(value: readonly unknown[], from: number, schema: unknown, { fits }: Parameters<Rule>[0]): boolean {
  let good = true
  for (let at = from; at < value.length; at++) if (!fits(schema, value[at], at)) good = false
  return good
}

/** A schema for each of the first items. */
const first = (value: readonly unknown[], schemas: readonly unknown[], { fits }: Parameters<Rule>[0]): boolean =>
  value
    .slice(0, schemas.length)
    .map((item, at) => fits(schemas[at], item, at))
    .every(Boolean)

const prefixItems = list((value, check) => !Array.isArray(check.word) || first(value, check.word, check))

/** Until draft 2019 a list of schemas stood here, with the schema for further items in `additionalItems`. */
const items = list((value, check) => {
  const { word, schema } = check
  if (Array.isArray(word)) return first(value, word, check)
  return rest(value, Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0, word, check)
})

const additionalItems = list((value, check) => {
  const { word, schema } = check
  return !Array.isArray(schema.items) || rest(value, schema.items.length, word, check)
})

const contains = list((value, { word, schema, fail, misfits }) => {
  const found = value.filter((item) => misfits(word, item) === null).length
  const least = typeof schema.minContains === 'number' ? schema.minContains : 1
  const most = typeof schema.maxContains === 'number' ? schema.maxContains : Number.POSITIVE_INFINITY
  if (found < least)
    return fail(`must have at least ${countOf(least, 'item')} that "contains" describes; it has ${found}`)
  return found <= most || fail(`must have at most ${countOf(most, 'item')} that "contains" describes; it has ${found}`)
})

const count = (fits: (count: number, bound: number) => boolean, wants: string) =>
  list(
    ({ length }, { word, fail }) =>
      typeof word !== 'number' ||
      fits(length, word) ||
      fail(`must have ${wants} ${countOf(word, 'item')}; it has ${length}`),
  )

const uniqueItems = list((value, { word, fail, spend }) => {
  if (word !== true) return true
  const seen = new Map<string, number>()
  for (const [at, item] of value.entries()) {
    const text = canonicalJson(item)
    spend(1 + text.length / 16)
    const before = seen.get(text)
    if (before !== undefined) return fail(`is the same as item ${before}; all must differ`, at)
    seen.set(text, at)
  }
  return true
})

export const LIST_RULES: readonly (readonly [string, Rule])[] = [
  ['prefixItems', prefixItems],
  ['items', items],
  ['additionalItems', additionalItems],
  ['contains', contains],
  ['minItems', count((length, least) => length >= least, 'at least')],
  ['maxItems', count((length, most) => length <= most, 'at most')],
  ['uniqueItems', uniqueItems],
]
