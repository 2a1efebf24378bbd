import { MAX_SCHEMA_DEPTH } from '../../core/limits/schemas.ts'
import { isSchemaObject, localTarget, pointerToken, type SchemaObject } from '../schema-node.ts'
import { Pattern } from './pattern.ts'
import { PatternError } from './pattern-error.ts'

/**
 * Why values cannot be checked against a schema: it is not well formed, or has keywords that are not supported and would be
 * ignored. Null when they can be.
 */
export function schemaProblem(schema: SchemaObject): string | null {
  return problemIn(schema, schema, '', 0)
}

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const NOT_UNDERSTOOD = ['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef']
const WITH_SCHEMA = [
  'additionalProperties',
  'additionalItems',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]
const WITH_LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const WITH_MAP = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']
const WITH_COUNT = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
]
const WITH_NUMBER = ['minimum', 'maximum', 'multipleOf']

function problemIn(root: SchemaObject, schema: unknown, path: string, depth: number): string | null {
  const at = path === '' ? '' : `${path}: `
  if (typeof schema === 'boolean') return null
  if (!isSchemaObject(schema)) return `${at}must be a schema, an object or true or false`
  if (depth > MAX_SCHEMA_DEPTH) return `${at}is nested deeper than ${MAX_SCHEMA_DEPTH} levels (MAX_SCHEMA_DEPTH)`
  const wrong = wordProblem(root, schema)
  if (wrong !== null) return `${at}${wrong}`
  for (const [below, part] of parts(schema)) {
    const problem = problemIn(root, part, path + below, depth + 1)
    if (problem !== null) return problem
  }
  return null
}

/** The schemas within a schema, and where they are. */
function parts(schema: SchemaObject): (readonly [string, unknown])[] {
  const has = (keyword: string) => Object.hasOwn(schema, keyword)
  const inList = (keyword: string): (readonly [string, unknown])[] =>
    (schema[keyword] as unknown[]).map((part, at) => [`/${keyword}/${at}`, part])
  const single = WITH_SCHEMA.filter(has).map((keyword) => [`/${keyword}`, schema[keyword]] as const)
  const lists = WITH_LIST.filter(has).flatMap(inList)
  const maps = WITH_MAP.filter(has).flatMap((keyword) =>
    Object.entries(schema[keyword] as object)
      .filter(([, part]) => keyword !== 'dependencies' || !Array.isArray(part))
      .map(([name, part]) => [`/${keyword}${pointerToken(name)}`, part] as const),
  )
  if (!has('items')) return [...single, ...lists, ...maps]
  const items = Array.isArray(schema.items) ? inList('items') : [['/items', schema.items] as const]
  return [...single, ...lists, ...maps, ...items]
}

/** Mistake in the keywords of one schema; null without one. */
function wordProblem(root: SchemaObject, schema: SchemaObject): string | null {
  const has = (keyword: string) => Object.hasOwn(schema, keyword)
  const unknown = NOT_UNDERSTOOD.find(has)
  if (unknown) return `${unknown} cannot be checked here; say it in another way, or leave the check out`
  const notList = WITH_LIST.find((keyword) => has(keyword) && !isFilledList(schema[keyword]))
  if (notList) return `${notList} must be a list of schemas, and not empty`
  const notMap = WITH_MAP.find((keyword) => has(keyword) && !isSchemaObject(schema[keyword]))
  if (notMap) return `${notMap} must be a map of schemas`
  const notCount = WITH_COUNT.find((keyword) => has(keyword) && !isCount(schema[keyword]))
  if (notCount) return `${notCount} must be a whole number, 0 or more`
  const notNumber = WITH_NUMBER.find((keyword) => has(keyword) && typeof schema[keyword] !== 'number')
  if (notNumber) return `${notNumber} must be a number`
  if (has('multipleOf') && Number(schema.multipleOf) <= 0) return 'multipleOf must be more than 0'
  if (has('enum') && !Array.isArray(schema.enum)) return 'enum must be a list'
  if (has('required') && !isNames(schema.required)) return 'required must be a list of names'
  return typeProblem(schema) ?? patternProblem(schema) ?? referenceProblem(root, schema)
}

const isFilledList = (value: unknown) => Array.isArray(value) && value.length > 0
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0
const isNames = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string')

function typeProblem(schema: SchemaObject): string | null {
  if (!Object.hasOwn(schema, 'type')) return null
  const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  const wrong = types.find((type) => !TYPES.has(type))
  return wrong === undefined ? null : `type ${JSON.stringify(wrong)} is none of ${[...TYPES].join(', ')}`
}

function patternProblem(schema: SchemaObject): string | null {
  const inNames = isSchemaObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : []
  for (const pattern of Object.hasOwn(schema, 'pattern') ? [schema.pattern, ...inNames] : inNames) {
    if (typeof pattern !== 'string') return 'pattern must be text'
    try {
      new Pattern(pattern)
    } catch (thrown) {
      if (!(thrown instanceof PatternError)) throw thrown
      return `the pattern ${pattern.slice(0, 200)} cannot be used: ${thrown.message}`
    }
  }
  return null
}

function referenceProblem(root: SchemaObject, schema: SchemaObject): string | null {
  if (!Object.hasOwn(schema, '$ref')) return null
  const { $ref } = schema
  if (typeof $ref !== 'string') return '$ref must be text'
  const target = localTarget(root, $ref)
  if (typeof target === 'boolean' || isSchemaObject(target)) return null
  return `$ref ${$ref.slice(0, 200)} leads to no schema in here; only "#/…" is followed`
}
