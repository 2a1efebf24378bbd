/** A JSON schema as it came: from the server's own tools, or from strangers. */
export type Schema = Readonly<Record<string, unknown>>

/** Properties of every field of a form, whatever its value is. */
interface Common {
  /** Words of the schema about the value; '' for none. Written by strangers. */
  readonly about: string
  /** The value that is taken where none is given; undefined where the schema names none. */
  readonly preset: unknown
}

/** A field of an object, by its name there. */
export interface NamedField {
  readonly name: string
  readonly required: boolean
  readonly field: Field
}

/** One of the shapes that a value may have. */
interface Option {
  readonly label: string
  readonly field: Field
}

/** A field of a form, by the kind of its value; `json` is for what a form cannot show better than its text. */
export type Field = Common &
  (
    | { readonly kind: 'text' | 'flag' | 'json' }
    | { readonly kind: 'number'; readonly whole: boolean }
    | { readonly kind: 'choice'; readonly values: readonly unknown[] }
    | { readonly kind: 'list'; readonly item: Field }
    | { readonly kind: 'group'; readonly fields: readonly NamedField[]; readonly open: boolean }
    | { readonly kind: 'either'; readonly options: readonly Option[] }
  )

/** Objects and lists within each other that become fields; below, JSON as text. */
const DEPTH_MAX = 6
/** Fields of one form; the rest is JSON as text. */
const FIELDS_MAX = 400
/** References followed for one field. */
const REFERENCES_MAX = 20

/** Fields for a schema of arguments. Linear in the schema's size, bounded for hostile ones. */
export function fieldsOf(schema: Schema): Field {
  const budget = { left: FIELDS_MAX }
  const field = fieldOf(schema, { root: schema, depth: 0, budget })
  return field.kind === 'group' || field.kind === 'either' ? field : { ...commonOf(schema), kind: 'json' }
}

interface Reading {
  readonly root: Schema
  readonly depth: number
  readonly budget: { left: number }
}

function fieldOf(given: unknown, reading: Reading): Field {
  const schema = flattened(given, reading.root)
  if (!schema) return { about: '', preset: undefined, kind: 'json' }
  const common = commonOf(schema)
  const json: Field = { ...common, kind: 'json' }
  if (reading.depth > DEPTH_MAX || --reading.budget.left < 0) return json
  const below = { ...reading, depth: reading.depth + 1 }

  const values = 'const' in schema ? [schema.const] : schema.enum
  if (Array.isArray(values) && values.length > 0)
    return { ...common, kind: 'choice', values: values.slice(0, FIELDS_MAX) }
  const shapes = shapesOf(schema, reading.root)
  const [only] = shapes
  if (shapes.length === 1 && only) return { ...fieldOf(only, below), ...common }
  if (shapes.length > 1) return eitherOf(shapes, common, below)

  switch (typeOf(schema)) {
    case 'string':
      return { ...common, kind: 'text' }
    case 'integer':
    case 'number':
      return { ...common, kind: 'number', whole: typeOf(schema) === 'integer' }
    case 'boolean':
      return { ...common, kind: 'flag' }
    case 'array':
      return isSchema(schema.items) && !schema.prefixItems
        ? { ...common, kind: 'list', item: fieldOf(schema.items, below) }
        : json
    case 'object':
      return groupOf(schema, common, below)
    default:
      return json
  }
}

function eitherOf(shapes: readonly Schema[], common: Common, below: Reading): Field {
  const options = shapes.map((shape, at) => {
    const field = fieldOf(shape, below)
    return { label: textOf(shape.title) || labelOf(field) || `Form ${at + 1}`, field }
  })
  return { ...common, kind: 'either', options }
}

const LABELS = {
  text: 'Text',
  flag: 'Yes or no',
  number: 'Number',
  list: 'List',
  choice: '',
  group: '',
  either: '',
  json: 'JSON',
}

function labelOf(field: Field): string {
  if (field.kind === 'choice') return field.values.length === 1 ? String(field.values[0]) : 'One of some'
  if (field.kind !== 'group') return LABELS[field.kind]
  // What tells objects apart is mostly a field with one possible value: its type.
  for (const { field: inner } of field.fields) {
    if (inner.kind === 'choice' && inner.values.length === 1) return String(inner.values[0])
  }
  return field.fields
    .map(({ name }) => name)
    .slice(0, 3)
    .join(', ')
}

function groupOf(schema: Schema, common: Common, below: Reading): Field {
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : []
  const isOpen = schema.additionalProperties !== false
  if (properties.length === 0 && below.depth > 1) return { ...common, kind: 'json' }
  if (properties.length > below.budget.left) return { ...common, kind: 'json' }
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const fields = properties.map(([name, property]) => ({
    name,
    required: required.has(name),
    field: fieldOf(property, below),
  }))
  return { ...common, kind: 'group', fields, open: isOpen }
}

/** A schema with its reference followed and its `allOf` put together; null for one that is none, or leads nowhere. */
function flattened(given: unknown, root: Schema): Schema | null {
  let schema = given
  for (let step = 0; step < REFERENCES_MAX; step++) {
    if (!isSchema(schema)) return null
    if (typeof schema.$ref !== 'string')
      return Array.isArray(schema.allOf) ? together(schema, schema.allOf, root) : schema
    const { $ref, ...beside } = schema
    const target = targetOf($ref, root)
    if (!target) return null
    schema = { ...target, ...beside }
  }
  return null
}

function together(schema: Schema, parts: readonly unknown[], root: Schema): Schema {
  const { allOf: _, ...own } = schema
  return parts.slice(0, REFERENCES_MAX).reduce<Schema>((whole, part) => {
    const target = isSchema(part) && typeof part.$ref === 'string' ? targetOf(part.$ref, root) : part
    return isSchema(target) ? merged(target, whole) : whole
  }, own)
}

/** Two schemas that both hold; where they say the same thing differently, the second counts. */
function merged(one: Schema, other: Schema): Schema {
  const properties = {
    ...(isSchema(one.properties) && one.properties),
    ...(isSchema(other.properties) && other.properties),
  }
  const required = [one.required, other.required].flatMap((names) => (Array.isArray(names) ? names : []))
  const whole: Schema = { ...one, ...other, required }
  return Object.keys(properties).length > 0 ? { ...whole, properties } : whole
}

/** Schemas of which one holds, each with what is said beside them; none where only names of required fields differ. */
function shapesOf(schema: Schema, root: Schema): readonly Schema[] {
  const { anyOf, oneOf, ...beside } = schema
  const listed = Array.isArray(oneOf) ? oneOf : anyOf
  if (!Array.isArray(listed)) return typesOf(schema)
  const shapes = listed.slice(0, FIELDS_MAX).flatMap((one) => {
    const shape = flattened(one, root)
    return shape && shape.type !== 'null' && shape.const !== null ? [shape] : []
  })
  if (shapes.every((shape) => Object.keys(shape).every((key) => ['required', 'not', 'description'].includes(key))))
    return []
  const { description: _, title: __, default: ___, ...rules } = beside
  return shapes.map((shape) => merged(rules, shape))
}

/** A type in the place of a list of types, whose null says no more than that nothing may be given. */
function typesOf(schema: Schema): readonly Schema[] {
  if (!Array.isArray(schema.type)) return []
  return schema.type.filter((type) => type !== 'null').map((type) => ({ ...schema, type }))
}

function typeOf(schema: Schema): unknown {
  return schema.type ?? (isSchema(schema.properties) ? 'object' : isSchema(schema.items) ? 'array' : undefined)
}

/** Part of the document that a reference names; null for any other. */
function targetOf(reference: string, root: Schema): Schema | null {
  if (!reference.startsWith('#')) return null
  let target: unknown = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isSchema(target) || !Object.hasOwn(target, key)) return null
    target = target[key]
  }
  return isSchema(target) ? target : null
}

function commonOf(schema: Schema): Common {
  return { about: textOf(schema.description), preset: schema.default }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Whether a value is an object and no list. */
export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
