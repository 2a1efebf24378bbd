import { shellQuote } from '../../../../core/shell-quote.ts'
import { spelled } from '../../../alike-names.ts'
import type { ToolEntry } from '../../../callable-tools/tool-entries.ts'
import type { Services } from '../../../dialect.ts'
import { parametersOf } from '../../../parameters/checked-call.ts'
import { SYNONYMS, SYNONYMS_OF_TOOLS } from '../../../parameters/synonyms.ts'
import { isSchema, type JsonSchema, propertiesOf, requiredOf, schemasIn } from './exports/schema-notes.ts'

/** How a tool is called over /v1: the parts of the request, and one command line. */
export function usageOf({ name, inputSchema }: ToolEntry) {
  const body = { tool: name, arguments: exampleArguments(inputSchema) }
  return {
    method: 'POST',
    path: '/v1/sessions/{session}/calls',
    body,
    curl: `curl "$TOOLYARD_BASE_URL/v1/sessions/$SESSION/calls" -H "Authorization: Bearer $TOOLYARD_API_KEY" -H 'Content-Type: application/json' -d ${shellQuote(JSON.stringify(body))}`,
  }
}

/** Names that calls may give for the arguments of one of the server's tools, beside their own. */
export function synonymsOf(services: Services, tool: string): Record<string, string[]> {
  const meant = parametersOf(services).get(tool)?.synonyms
  const rows = { ...SYNONYMS, ...SYNONYMS_OF_TOOLS[tool] }
  const found: Record<string, string[]> = {}
  for (const argument of new Set(meant?.values())) {
    const words = (rows[argument] ?? '').split(' ').filter((word) => meant?.get(spelled(word)) === argument)
    if (words.length > 0) found[argument] = words
  }
  return found
}

/** Values for the required arguments that fit their schemas, as far as a schema shows it. */
export const exampleArguments = (schema: JsonSchema) => fieldsOf(schema, MAX_DEPTH)

function exampleOf(schema: JsonSchema, name: string, depth: number): unknown {
  const { const: constant, enum: values, examples, default: usual, description, minimum, minItems, items } = schema
  if (constant !== undefined) return constant
  for (const list of [examples, values]) if (Array.isArray(list) && list.length > 0) return list[0]
  const [option] = schemasIn(schema.anyOf ?? schema.oneOf)
  if (option && depth > 0) return exampleOf(option, name, depth - 1)
  const [type] = [schema.type].flat()
  const given = typeof description === 'string' ? EXAMPLE.exec(description)?.[1] : undefined
  switch (type) {
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? Math.max(minimum, 1) : 1
    case 'boolean':
      return usual === true
    case 'array': {
      if (depth === 0) return []
      const one = exampleOf(isSchema(items) ? items : {}, name, depth - 1)
      return typeof minItems === 'number' && minItems > 1
        ? Array.from({ length: Math.min(minItems, 5) }, () => one)
        : [one]
    }
    case 'object':
      return depth === 0 ? {} : fieldsOf(schema, depth - 1)
    default:
      return given ?? (/url$/.test(name) ? 'https://example.com/' : /path$/.test(name) ? 'upload/notes.md' : 'text')
  }
}

function fieldsOf(schema: JsonSchema, depth: number): Record<string, unknown> {
  const required = requiredOf(schema)
  const wanted = propertiesOf(schema).filter(([name]) => required.includes(name))
  return Object.fromEntries(wanted.map(([name, part]) => [name, exampleOf(part, name, depth)]))
}

/** A value that a description gives as an example. */
const EXAMPLE = /e\.g\. "([^"]+)"/
/** Depth to which an example goes into a schema. */
const MAX_DEPTH = 4
