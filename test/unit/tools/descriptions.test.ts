import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { catalog } from '../../../src/tools/catalog.ts'
import { type AnyTool, Registry } from '../../../src/tools/registry.ts'
import {
  type Argument,
  argumentsOf,
  type DescribedTool,
  descriptionFaults,
  MAX_ARGUMENT_CHARS,
  MAX_TOOL_CHARS,
} from './description-faults.ts'
import { wordCount } from './word-count.ts'

const tools = [...catalog.list(), ...catalog.toolkits().flatMap((kit) => kit.tools)] as readonly DescribedTool[]
const known = new Set(tools.flatMap((tool) => [tool.name, ...argumentsOf(tool.inputSchema).map(({ name }) => name)]))

const modules: object[] = await Promise.all(globSync('src/tools/*/*.ts').map((file) => import(resolve(file))))
/** Tools as they are defined, by name. */
const defined = new Map(
  modules
    .flatMap((module) => Object.values(module) as unknown[])
    .filter((value): value is AnyTool => typeof value === 'object' && value !== null && 'effect' in value)
    .map((tool) => [tool.name, tool]),
)

/** A value that an argument takes. */
function sampleOf({
  type,
  properties = {},
  required = [],
  items,
  anyOf,
  ...rest
}: Argument & { enum?: string[]; anyOf?: Argument[] }): unknown {
  if (anyOf?.[0]) return sampleOf(anyOf[0])
  switch (type) {
    case 'string':
      return rest.enum?.[0] ?? '2023'
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'array':
      return [sampleOf(items ?? {})]
    default:
      return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]))
  }
}

function schemaOf(name: string): z.ZodObject {
  const tool = defined.get(name)
  if (!tool) throw new Error(`no file of src/tools defines ${name}`)
  return tool.input
}

/** Input of a tool as it runs for a call with the required arguments, and some others. */
function inputOf({ name, inputSchema }: DescribedTool, more: object = {}): Record<string, unknown> {
  return schemaOf(name).parse({ ...(sampleOf(inputSchema) as object), ...more })
}

const spellings = (value: unknown) => [String(value), String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')]
const says = (description: string | undefined, value: unknown) =>
  spellings(value).some((words) => description?.includes(words))

describe('the description of', () => {
  it.each(tools)(
    '$name says where it runs, what comes back, and of each argument unit, limit, default and place',
    (tool) => {
      expect(descriptionFaults(tool, known)).toEqual([])
    },
  )

  it.each(tools)('$name names each default as it is', (tool) => {
    const input = inputOf(tool)
    const { properties = {}, required = [] } = tool.inputSchema
    const wrong = Object.entries(properties).filter(([name, { description }]) => {
      const value = input[name]
      const isSimple = ['number', 'boolean', 'string'].includes(typeof value) && value !== ''
      return isSimple && !required.includes(name) && !says(description, value)
    })
    expect(wrong).toEqual([])
  })

  it.each(tools)('$name names each limit to which an argument is brought', (tool) => {
    const { properties = {} } = tool.inputSchema
    const wrong = Object.entries(properties).filter(([name, { type, description }]) => {
      // An argument that only a listing of the tool adds, max_chars, is not the tool's own.
      if ((type !== 'integer' && type !== 'number') || !(name in schemaOf(tool.name).shape)) return false
      try {
        const value = inputOf(tool, { [name]: 1e12 })[name]
        return value !== 1e12 && !says(description, value)
      } catch {
        return false // refused, and the refusal names the limit
      }
    })
    expect(wrong).toEqual([])
  })

  it.each(tools)('$name requires the arguments without which a call is refused', (tool) => {
    const { error } = schemaOf(tool.name).safeParse({})
    const missing = error?.issues.flatMap(({ path }) => path.slice(0, 1)) ?? []
    expect(tool.inputSchema.required ?? []).toEqual(expect.arrayContaining(missing))
  })
})

it('the description of the tool that the page about adding tools shows lacks nothing', () => {
  const shown = new Registry([{ name: 'files', description: '', tools: [wordCount] }], []).info('word_count')
  expect(descriptionFaults(shown as DescribedTool, known)).toEqual([])
})

describe('a description is found lacking', () => {
  const whole: DescribedTool = {
    name: 'pages_count',
    description: 'Count pages of a document in the sandbox. Returns page_count. Long ones: job_output.',
    effect: 'run',
    inputSchema: {
      properties: {
        file_path: { type: 'string', description: 'Path relative to the task root' },
        timeout: { type: 'integer', description: 'Seconds until it is stopped, at most 10. Default 5' },
        mode: { type: 'string', description: '"fast" or "exact". Default "fast"' },
      },
      required: ['file_path'],
    },
  }
  const names = new Set([...known, 'page_count'])
  const faultsOf = (change: Partial<DescribedTool>) => descriptionFaults({ ...whole, ...change }, names)
  const withArgument = (name: string, description: string, type = 'string') =>
    faultsOf({ inputSchema: { ...whole.inputSchema, properties: { [name]: { type, description } } } })

  it('in nothing when it says all', () => {
    expect(faultsOf({})).toEqual([])
  })

  it.each([
    ['Count pages in the sandbox.', 'does not say what it returns'],
    ['Count pages. Returns page_count.', 'does not say where it runs'],
    ['Count pages in the sandbox. Returns page_count. See job_prints.', /^names job_prints/],
    ['Count pages 页 in the sandbox. Returns page_count.', /English/],
    [`Count pages in the sandbox. Returns page_count. ${'-'.repeat(MAX_TOOL_CHARS)}`, /characters$/],
  ])('%s', (description, fault) => {
    expect(faultsOf({ description })).toEqual([expect.stringMatching(fault)])
  })

  it.each([
    ['file_path', 'string', 'Path of the document', /^file_path does not say what the path is relative to/],
    ['mode', 'string', '"fast" or "exact"', /^mode does not say what holds without it/],
    ['timeout', 'integer', 'At most 10. Default 5', /^timeout does not say its unit/],
    ['timeout', 'integer', 'Seconds until it is stopped. Default 5', /^timeout does not say its limit/],
    ['mode', 'string', `Default "fast" ${'-'.repeat(MAX_ARGUMENT_CHARS)}`, /characters$/],
  ])('where of %s, a %s, it says only %j', (name, type, description, fault) => {
    expect(withArgument(name, description, type)).toEqual([expect.stringMatching(fault)])
  })

  it.each([
    ['read', 'without a sandbox'],
    ['write', 'without a sandbox'],
    ['fetch', 'the server'],
  ] as const)('where a tool of the effect %s does not say "%s"', (effect, _place) => {
    expect(faultsOf({ effect })).toEqual(['does not say where it runs'])
  })
})
