import { must } from './conversation.ts'

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Schema of a tool's arguments as OpenAI and Anthropic take it: of an object, without alternatives of the whole. @throws Refusal */
export function checkParameters(name: string, schema: unknown): asserts schema is Schema {
  must(isSchema(schema) && schema.type === 'object', `${name}: the schema is none of an object`)
  for (const keyword of ['oneOf', 'anyOf', 'allOf', 'enum', 'not'])
    must(!(keyword in schema), `${name}: the whole has ${keyword}`)
}

/** Schema in OpenAI's strict form: all fields required and no others, on every level. @throws Refusal */
export function checkStrict(name: string, schema: unknown): void {
  if (!isSchema(schema)) return
  const types = [schema.type].flat()
  if (types.includes('object')) {
    const fields = Object.keys((schema.properties ?? {}) as object)
    must(schema.additionalProperties === false, `${name}: strict, and additionalProperties is not false`)
    const required = Array.isArray(schema.required) ? schema.required : []
    must(
      fields.every((field) => required.includes(field)),
      `${name}: strict, and a field is not required`,
    )
  }
  for (const part of Object.values((schema.properties ?? {}) as object)) checkStrict(name, part)
  checkStrict(name, schema.items)
  for (const part of Array.isArray(schema.anyOf) ? schema.anyOf : []) checkStrict(name, part)
}

/** Fields of Gemini's Schema. Source: reference of `Schema` in the Gemini API, which refuses a request with any other. */
const GEMINI = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'maxItems', 'minItems', 'properties', 'required'],
  ...['minProperties', 'maxProperties', 'minLength', 'maxLength', 'pattern', 'example', 'anyOf', 'propertyOrdering'],
  ...['default', 'items', 'minimum', 'maximum'],
])

/** Gemini's Schema. @throws Refusal */
export function checkGemini(name: string, schema: unknown): void {
  must(isSchema(schema), `${name}: a part is no schema`)
  for (const field of Object.keys(schema))
    must(GEMINI.has(field), `Unknown name "${field}" at ${name}: Cannot find field`)
  const { type, anyOf, items, properties = {} } = schema
  if (anyOf === undefined)
    must(/^(STRING|NUMBER|INTEGER|BOOLEAN|ARRAY|OBJECT)$/.test(String(type)), `${name}: no type ${type}`)
  must((type === 'ARRAY') === (items !== undefined), `${name}: an array has items, and nothing else has`)
  for (const part of Object.values(properties as object)) checkGemini(name, part)
  for (const part of Array.isArray(anyOf) ? anyOf : []) checkGemini(name, part)
  if (items !== undefined) checkGemini(name, items)
}
