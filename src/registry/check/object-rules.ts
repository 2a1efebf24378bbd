import { MAX_MISFITS } from '../../core/limits/schemas.ts'
import { isSchemaObject, type SchemaObject } from '../schema-node.ts'
import type { Rule } from './rule.ts'
import { countOf, quoteValue } from './words.ts'

/** A rule about objects. */
const object =
  (rule: (value: SchemaObject, check: Parameters<Rule>[0]) => boolean): Rule =>
  (check) =>
    !isSchemaObject(check.value) || rule(check.value, check)

const required = object((value, { word, fail, spend }) => {
  if (!Array.isArray(word)) return true
  spend(word.length)
  const missing = word.filter((name) => typeof name === 'string' && !Object.hasOwn(value, name))
  for (const name of missing) fail('is required and missing', name)
  return missing.length === 0
})

const properties = object((value, { word, fits, spend }) => {
  if (!isSchemaObject(word)) return true
  let good = true
  for (const name of Object.keys(word)) {
    spend(1)
    if (Object.hasOwn(value, name) && !fits(word[name], value[name], name)) good = false
  }
  return good
})

const patternProperties = object((value, { word, fits, matches }) => {
  if (!isSchemaObject(word)) return true
  let good = true
  for (const [pattern, schema] of Object.entries(word)) {
    for (const name of Object.keys(value)) if (matches(pattern, name) && !fits(schema, value[name], name)) good = false
  }
  return good
})

const additionalProperties = object((value, { word, schema, fail, fits, matches, spend }) => {
  const known = isSchemaObject(schema.properties) ? schema.properties : {}
  const patterns = isSchemaObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : []
  const others = Object.keys(value).filter((name) => {
    spend(1)
    return !Object.hasOwn(known, name) && !patterns.some((pattern) => matches(pattern, name))
  })
  if (word !== false) return others.map((name) => fits(word, value[name], name)).every(Boolean)
  const allowed = allowedNames(Object.keys(known))
  for (const name of others.slice(0, MAX_MISFITS)) fail(`is not known; there ${allowed}`, name)
  return others.length === 0
})

const allowedNames = (names: readonly string[]) => {
  if (names.length === 0) return 'is nothing to give'
  return `${names.length === 1 ? 'is' : 'are'} ${names.slice(0, MAX_QUOTED_NAMES).join(', ')}`
}

/** Number of known names that an error names. */
const MAX_QUOTED_NAMES = 20

const propertyNames = object((value, { word, fail, misfits }) => {
  let good = true
  for (const name of Object.keys(value)) {
    const wrong = misfits(word, name)?.[0]
    if (wrong) good = fail(`has a name that ${wrong.message}`, name)
  }
  return good
})

const count = (fits: (count: number, bound: number) => boolean, wants: string) =>
  object((value, { word, fail }) => {
    const size = Object.keys(value).length
    return (
      typeof word !== 'number' ||
      fits(size, word) ||
      fail(`must have ${wants} ${countOf(word, 'field')}; it has ${size}`)
    )
  })

const dependentRequired = object((value, { word, fail, spend }) => {
  if (!isSchemaObject(word)) return true
  let good = true
  for (const [name, needed] of Object.entries(word)) {
    if (!Object.hasOwn(value, name) || !Array.isArray(needed)) continue
    spend(needed.length)
    for (const other of needed) {
      if (typeof other === 'string' && !Object.hasOwn(value, other))
        good = fail(`is required beside ${quoteValue(name)}, and missing`, other)
    }
  }
  return good
})

const dependentSchemas = object((value, { word, fits }) => {
  if (!isSchemaObject(word)) return true
  let good = true
  for (const [name, schema] of Object.entries(word)) {
    if (Object.hasOwn(value, name) && !Array.isArray(schema) && !fits(schema, value)) good = false
  }
  return good
})

/** Rule of `dependencies`, one keyword for both kinds until draft 7. */
const dependencies: Rule = (check) => {
  const [names, schemas] = [dependentRequired(check), dependentSchemas(check)]
  return names && schemas
}

export const OBJECT_RULES: readonly (readonly [string, Rule])[] = [
  ['required', required],
  ['properties', properties],
  ['patternProperties', patternProperties],
  ['additionalProperties', additionalProperties],
  ['propertyNames', propertyNames],
  ['minProperties', count((size, least) => size >= least, 'at least')],
  ['maxProperties', count((size, most) => size <= most, 'at most')],
  ['dependentRequired', dependentRequired],
  ['dependentSchemas', dependentSchemas],
  ['dependencies', dependencies],
]
