import { isExactInteger } from '../../core/exact-json.ts'
import { localTarget, sameJson } from '../schema-node.ts'
import { LIST_RULES } from './list-rules.ts'
import { OBJECT_RULES } from './object-rules.ts'
import type { Misfit, Rule } from './rule.ts'
import { characters, countOf, kindOf, quoteValue } from './words.ts'

const type: Rule = ({ word, value, schema, fail, spend }) => {
  const allowed: readonly unknown[] = Array.isArray(word) ? word : [word]
  spend(allowed.length)
  const kind = kindOf(value)
  if (allowed.includes(kind)) return true
  const isInteger = kind === 'integer' || isExactInteger(value)
  if (isInteger && (allowed.includes('integer') || allowed.includes('number'))) return true
  if (value === null && schema.nullable === true) return true // OpenAPI 3.0
  return fail(`must be ${allowed.join(' or ')}, and is ${kind}: ${quoteValue(value)}`)
}

const oneOfValues: Rule = ({ word, value, fail, spend }) => {
  if (!Array.isArray(word)) return true
  if (word.some((one) => isSame(value, one, spend))) return true
  return fail(
    `must be one of ${word.slice(0, MAX_QUOTED_VALUES).map(quoteValue).join(', ')}; it is ${quoteValue(value)}`,
  )
}

const constant: Rule = ({ word, value, fail, spend }) =>
  isSame(value, word, spend) || fail(`must be ${quoteValue(word)}; it is ${quoteValue(value)}`)

function isSame(value: unknown, word: unknown, spend: (work: number) => void): boolean {
  spend(typeof word === 'object' && word !== null ? JSON.stringify(word).length : 1)
  return sameJson(value, word)
}

/** Number of allowed values that an error names. */
const MAX_QUOTED_VALUES = 20

/** A rule about numbers with a number. */
const number =
  (fits: (value: number, bound: number, schema: Parameters<Rule>[0]['schema']) => boolean, wants: string): Rule =>
  ({ word, value, schema, fail }) => {
    if (typeof word !== 'number') return true
    const amount = isExactInteger(value) && schema.type !== 'string' ? Number(value) : value
    return typeof amount !== 'number' || fits(amount, word, schema) || fail(`must be ${wants} ${word}; it is ${value}`)
  }

function isMultiple(value: number, step: number): boolean {
  const times = value / step
  return Number.isFinite(times) && Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times))
}

const NUMBER_RULES: readonly (readonly [string, Rule])[] = [
  // Draft 4 has `exclusiveMinimum: true` beside it.
  [
    'minimum',
    number((value, least, schema) => (schema.exclusiveMinimum === true ? value > least : value >= least), 'at least'),
  ],
  [
    'maximum',
    number((value, most, schema) => (schema.exclusiveMaximum === true ? value < most : value <= most), 'at most'),
  ],
  ['exclusiveMinimum', number((value, bound) => value > bound, 'more than')],
  ['exclusiveMaximum', number((value, bound) => value < bound, 'less than')],
  ['multipleOf', number(isMultiple, 'a multiple of')],
]

const text =
  (fits: (count: number, bound: number) => boolean, wants: string): Rule =>
  ({ word, value, fail, spend }) => {
    if (typeof value !== 'string' || typeof word !== 'number') return true
    spend(1 + value.length / 64)
    const count = characters(value)
    return fits(count, word) || fail(`must have ${wants} ${countOf(word, 'character')}; it has ${count}`)
  }

const pattern: Rule = ({ word, value, fail, matches }) =>
  typeof value !== 'string' ||
  typeof word !== 'string' ||
  matches(word, value) ||
  fail(`must match the pattern ${word.slice(0, 200)}; it is ${quoteValue(value)}`)

const allOf: Rule = ({ word, value, fits }) => {
  if (!Array.isArray(word)) return true
  return word.map((schema) => fits(schema, value)).every(Boolean)
}

const anyOf: Rule = ({ word, value, failWith, misfits }) => {
  if (!Array.isArray(word)) return true
  const all: (readonly Misfit[])[] = []
  for (const schema of word) {
    const wrong = misfits(schema, value)
    if (wrong === null) return true
    all.push(wrong)
  }
  return failWith(closest(all))
}

const oneOf: Rule = ({ word, value, fail, failWith, misfits }) => {
  if (!Array.isArray(word)) return true
  const all = word.map((schema) => misfits(schema, value))
  const fitting = all.filter((wrong) => wrong === null).length
  if (fitting === 1) return true
  if (fitting > 1) return fail(`must fit exactly one of the forms of oneOf, and fits ${fitting}; say more or less`)
  return failWith(closest(all.filter((wrong) => wrong !== null)))
}

/** Misfits of the form that a value is nearest to: the one with most parts right, told by the depth of its first misfit. */
function closest(all: readonly (readonly Misfit[])[]): readonly Misfit[] {
  const depth = (wrong: readonly Misfit[]) => Math.min(...wrong.map(({ path }) => path.length))
  const [best = [], ...others] = all.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)
  if (others.length === 0) return best
  return best.map((one) => ({
    ...one,
    message: `${one.message} (it fits none of the ${all.length} forms that are allowed; this is of the nearest)`,
  }))
}

const not: Rule = ({ word, value, fail, misfits }) =>
  misfits(word, value) !== null || fail(`must not fit what "not" says: ${quoteValue(word)}`)

const condition: Rule = ({ word, value, schema, fits, misfits }) => {
  const branch = misfits(word, value) === null ? 'then' : 'else'
  return !Object.hasOwn(schema, branch) || fits(schema[branch], value)
}

const reference: Rule = ({ word, value, root, fits, spend }) => {
  if (typeof word !== 'string') return true
  spend(1 + word.length)
  const target = localTarget(root, word)
  return target === undefined || fits(target, value)
}

/** Rules by keyword. Other keywords do not constrain values. */
export const RULES: ReadonlyMap<string, Rule> = new Map([
  ['$ref', reference],
  ['type', type],
  ['enum', oneOfValues],
  ['const', constant],
  ...NUMBER_RULES,
  ['minLength', text((count, least) => count >= least, 'at least')],
  ['maxLength', text((count, most) => count <= most, 'at most')],
  ['pattern', pattern],
  ...OBJECT_RULES,
  ...LIST_RULES,
  ['allOf', allOf],
  ['anyOf', anyOf],
  ['oneOf', oneOf],
  ['not', not],
  ['if', condition],
])
