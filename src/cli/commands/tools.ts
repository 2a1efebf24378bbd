import type { Schemas } from '../../client/index.ts'
import { type CommandGroup, command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { LIMIT_OPTION, printList } from '../listing.ts'
import type { Column } from '../output/table.ts'
import { shellWord } from '../shell-words.ts'
import { given } from '../values.ts'

type Listed = Schemas['CallableTool']

const COLUMNS: readonly Column<Listed>[] = [
  { head: 'NAME', cell: ({ name }) => name, isWhole: true },
  { head: 'KIND', cell: ({ kind }) => kind, isWhole: true },
  { head: 'EFFECT', cell: ({ effect }) => effect, isWhole: true },
  { head: 'DESCRIPTION', cell: ({ description }) => description },
]

const list = command({
  summary: 'List the tools that calls can name, or find those that do something',
  arguments: [
    {
      name: 'QUERY',
      help: 'what the tool should do, in plain words: the best come first',
      isOptional: true,
      isMany: true,
    },
  ],
  options: {
    toolkit: { type: 'string', value: 'NAME', help: 'tools of this toolkit alone' },
    ...LIMIT_OPTION,
  },
  examples: [
    { args: 'tools "read a web page"', does: 'those that fit' },
    { args: 'tools list --toolkit files --json', does: 'a toolkit with all schemas' },
  ],
  async run({ values, positionals, client, output, signal }) {
    const q = positionals.length > 0 ? positionals.join(' ') : undefined
    const pages = (await client()).tools(given({ q, toolkit: values.toolkit }), { signal })
    await printList(output, pages, { limit: values.limit, columns: COLUMNS, none: 'no tool fits' })
    return EXIT.good
  },
})

interface Parameter {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
}

const show = command({
  summary: 'Show what a tool does and takes',
  arguments: [{ name: 'TOOL', help: 'its name, or id', completes: 'tools' }],
  options: {},
  examples: [{ args: 'tools show execute_shell', does: 'its arguments, and an example' }],
  async run({ positionals: [tool = ''], client, output, signal }) {
    const shown = await (await client()).request('GET /v1/tools/{tool}', { path: { tool } }, { signal })
    if (output.isJson) await output.result(shown, '')
    else {
      await output.result(shown, `${shown.name}${shown.title ? ` (${shown.title})` : ''}\n\n${shown.description}\n`)
      const parameters = parametersOf(shown.input_schema)
      if (parameters.length > 0)
        await output.table(parameters, [
          { head: 'ARGUMENT', cell: ({ name }) => name, isWhole: true },
          { head: 'TYPE', cell: ({ type }) => type, isWhole: true },
          { head: 'NEEDED', cell: ({ isRequired }) => (isRequired ? 'yes' : ''), isWhole: true },
          { head: 'DESCRIPTION', cell: ({ description }) => description },
        ])
      const { arguments: example = {} } = shown.call.body as { arguments?: unknown }
      await output.result(
        null,
        `\ntoolyard call SESSION ${shown.name} --json-args ${shellWord(JSON.stringify(example))}`,
      )
    }
    return EXIT.good
  },
})

export const tools: CommandGroup = {
  summary: 'List and find tools, show what they take',
  commands: { list, show },
  usual: 'list',
  passesWords: true,
}

/** Parameters of a tool by its schema, those that are needed first. */
function parametersOf(schema: Readonly<Record<string, unknown>>): readonly Parameter[] {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  return Object.entries(properties)
    .map(([name, property]) => ({
      name,
      type: typeText(property),
      isRequired: required.has(name),
      description: typeof property.description === 'string' ? property.description : '',
    }))
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired))
}

function typeText({ type, enum: values, anyOf }: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(values)) return 'choice'
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return type.join('|')
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((one) => typeText(one as Record<string, unknown>)))].join('|')
  return 'any'
}
