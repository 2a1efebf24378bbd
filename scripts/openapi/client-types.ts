import type { OpenApi } from '../../src/http/operations/document.ts'
import { catalog } from '../../src/tools/catalog.ts'
import { documentFor, V1 } from './documents.ts'
import { docText, keyText, type TypedSchema, typeText } from './type-text.ts'

const HEAD = '// Made by `npm run openapi`. Changes are made in what it is made of.\n'

/** Types of the TypeScript client: the schemas and operations of /v1, and the arguments of each tool of the server. */
export const writtenClientTypes = (): readonly { readonly path: string; readonly text: string }[] => [
  { path: 'src/client/generated/api.ts', text: apiText(documentFor(V1)) },
  { path: 'src/client/generated/tools.ts', text: toolsText() },
]

const apiText = ({ paths, components }: OpenApi): string => `${HEAD}import type { RawBody } from '../body.ts'

/** Schemas of the API's document, by their names there. */
export interface Schemas {
${Object.entries(components.schemas)
  .map(([name, schema]) => fieldText(name, schema))
  .join('')}}

/** Operations of the API by method and path: their query, their body, and what they answer as JSON; \`never\` where that is no JSON. */
export interface Operations {
${Object.entries(paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      operationText(`${method.toUpperCase()} ${path}`, operation as unknown as Described),
    ),
  )
  .join('')}}
`

interface Described {
  readonly summary: string
  readonly parameters?: readonly {
    readonly in: string
    readonly name: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: TypedSchema
  }[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Contents }
  readonly responses: Readonly<Record<string, { readonly content?: Contents }>>
}
type Contents = Readonly<Record<string, { readonly schema?: TypedSchema }>>

function operationText(route: string, { summary, parameters = [], requestBody, responses }: Described): string {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const query: TypedSchema = {
    type: 'object',
    properties: Object.fromEntries(
      inQuery.map(({ name, schema, description }) => [
        name,
        { ...schema, ...(description !== undefined && { description }) },
      ]),
    ),
    required: inQuery.flatMap(({ name, required }) => (required ? [name] : [])),
    additionalProperties: false,
  }
  const fields = [
    ...(inQuery.length > 0 ? [`    query${query.required?.length ? '' : '?'}: ${typeText(query, '    ')}\n`] : []),
    ...(requestBody
      ? [`    body${requestBody.required === false ? '?' : ''}: ${bodyText(requestBody.content)}\n`]
      : []),
    `    answer: ${answerText(responses)}\n`,
  ]
  return `${docText({ description: `${summary}.` }, '  ')}  '${route}': {\n${fields.join('')}  }\n`
}

function bodyText(content: Contents): string {
  const json = content['application/json']?.schema
  const others = Object.entries(content).filter(([type, { schema }]) => type !== 'application/json' || !schema)
  return [...(json ? [typeText(json, '    ')] : []), ...(others.length > 0 ? ['RawBody'] : [])].join(' | ')
}

/** Type of a good answer: of its JSON, and undefined where there is none. */
function answerText(responses: Described['responses']): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const types = good.flatMap(([, { content }]) => {
    if (!content) return ['undefined']
    const schema = content['application/json']?.schema
    return schema ? [typeText(schema, '    ')] : []
  })
  const isRaw = types.every((type) => type === 'undefined') && good.some(([, { content }]) => content)
  return isRaw ? 'never' : [...new Set(types)].join(' | ')
}

function toolsText(): string {
  const tools = new Map(
    [...catalog.list(), ...catalog.toolkits().flatMap(({ tools }) => tools)].map((tool) => [tool.name, tool]),
  )
  const lines = [...tools.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, description, inputSchema }) => fieldText(name, { ...argumentsOf(inputSchema), description }))
  return `${HEAD}
/** Arguments of each tool of the server, by its name. */
export interface ToolArguments {
${lines.join('')}}
`
}

/** Schema of a tool's arguments; of a tool that takes none, one that has no fields. */
const argumentsOf = (schema: TypedSchema): TypedSchema =>
  Object.keys(schema.properties ?? {}).length > 0 ? schema : { ...schema, additionalProperties: false }

const fieldText = (name: string, schema: TypedSchema): string =>
  `${docText(schema, '  ')}  ${keyText(name)}: ${typeText(schema, '  ')}\n`
