import { MAX_OPENAI_DESCRIPTION_CHARS } from '../../../../../core/limits/tool-search.ts'
import { exportedName } from '../../../../callable-tools/exported-name.ts'
import { hintsOf } from '../../../../callable-tools/hints.ts'
import type { ToolEntry } from '../../../../callable-tools/tool-entries.ts'
import { GeminiSchema } from './gemini-schema.ts'
import { isSchema, type JsonSchema, propertiesOf, requiredOf, SchemaNotes } from './schema-notes.ts'
import { strictSchema } from './strict-schema.ts'

/** Forms in which definitions of tools are exported. */
export const FORMATS = ['openai', 'openai_responses', 'anthropic', 'gemini', 'mcp'] as const
export type Format = (typeof FORMATS)[number]

interface ExportedTool {
  /** Name of the tool in the export. */
  readonly name: string
  readonly definition: JsonSchema
  /** Parts of its schema or description that the export lacks. */
  readonly notes: readonly string[]
}

/**
 * Definition of a tool as a provider of models, or MCP, takes it.
 * @param isStrict whether OpenAI's strict form is asked for; a schema that has none is exported without it, with a note
 */
export function exportTool(entry: ToolEntry, format: Format, isStrict: boolean): ExportedTool {
  const notes = new SchemaNotes()
  const name = exportedName(entry.name)
  const definition = DEFINITIONS[format](entry, name, notes, isStrict)
  return { name, definition, notes: notes.sentences }
}

type Define = (entry: ToolEntry, name: string, notes: SchemaNotes, isStrict: boolean) => JsonSchema

const DEFINITIONS: Readonly<Record<Format, Define>> = {
  openai: (...given) => ({ type: 'function', function: openai(...given) }),
  openai_responses: (...given) => ({ type: 'function', ...openai(...given) }),
  anthropic: ({ description, inputSchema }, name, notes) => ({
    ...{ name, description },
    input_schema: withNames(withOneForm(objectOf(inputSchema, notes), notes), notes),
  }),
  gemini: ({ description, inputSchema }, name, notes) => ({
    ...{ name, description, parameters: new GeminiSchema(inputSchema, notes).whole() },
  }),
  mcp: ({ title, description, effect, inputSchema }, name, notes) => ({
    ...{ name, ...(title !== null && { title }), description, inputSchema: objectOf(inputSchema, notes) },
    ...{ annotations: hintsOf(effect) },
  }),
}

function openai(entry: ToolEntry, name: string, notes: SchemaNotes, isStrict: boolean): JsonSchema {
  const description = entry.description.slice(0, MAX_OPENAI_DESCRIPTION_CHARS).toWellFormed()
  if (description.length < entry.description.length) notes.add('the description is cut', ['description'])
  const parameters = withOneForm(objectOf(entry.inputSchema, notes), notes)
  if (!isStrict) return { name, description, parameters, strict: false }
  const dropped = new SchemaNotes()
  const found = strictSchema(parameters, entry.kind === 'server', dropped)
  if ('reason' in found) {
    notes.add(`not strict: ${found.reason}`, ['parameters'])
    return { name, description, parameters, strict: false }
  }
  notes.addAll(dropped)
  return { name, description, parameters: found.schema, strict: true }
}

/** The schema of an object: hosts drop all tools when one of them has another type, or none. */
function objectOf({ $schema: _, ...schema }: JsonSchema, notes: SchemaNotes): JsonSchema {
  if (schema.type === 'object') return isSchema(schema.properties) ? schema : { ...schema, properties: {} }
  if (schema.type !== undefined) notes.add('the type becomes object', [])
  return { ...schema, type: 'object', properties: isSchema(schema.properties) ? schema.properties : {} }
}

/** The schema without alternatives of the whole, which OpenAI and Anthropic refuse. */
function withOneForm(schema: JsonSchema, notes: SchemaNotes): JsonSchema {
  const refused = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const'].filter((name) => name in schema)
  for (const name of refused) notes.add(`${name} is dropped`, [])
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !refused.includes(name)))
}

/** Names of parameters that Anthropic takes. */
const A_PARAMETER = /^[A-Za-z0-9_.-]{1,64}$/

function withNames(schema: JsonSchema, notes: SchemaNotes): JsonSchema {
  const all = propertiesOf(schema)
  const taken = all.filter(([name]) => A_PARAMETER.test(name))
  if (taken.length === all.length) return schema
  notes.add('a parameter whose name Anthropic does not take is dropped', [])
  const required = requiredOf(schema).filter((name) => A_PARAMETER.test(name))
  return { ...schema, properties: Object.fromEntries(taken), required }
}
