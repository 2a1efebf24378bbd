import { describe, expect, it } from 'vitest'
import { exportedName, idsExportedAs } from '../../../../src/http/callable-tools/exported-name.ts'
import { serverEntries, type ToolEntry } from '../../../../src/http/callable-tools/tool-entries.ts'
import { exportTool, FORMATS } from '../../../../src/http/dialects/v1/tools/exports/formats.ts'
import { exampleArguments } from '../../../../src/http/dialects/v1/tools/tool-usage.ts'
import { catalog } from '../../../../src/tools/catalog.ts'

const SERVERS = [...serverEntries({ tools: catalog.list(), toolkits: catalog.toolkits() }).values()]

type Fields = Record<string, unknown>
const registered = (inputSchema: Fields, more: Partial<ToolEntry> = {}): ToolEntry => ({
  ...{ name: 'some', kind: 'registered', title: 'Some', toolkit: null, description: 'd', effect: null, inputSchema },
  ...more,
})
const gemini = (inputSchema: Fields) => {
  const { definition, notes } = exportTool(registered(inputSchema), 'gemini', false)
  return { parameters: definition.parameters, notes }
}

describe('exported names', () => {
  it('are the tool’s own where all providers take it, else unlike any other tool’s, and lead back', () => {
    const ids = [
      'weather.now',
      'weather/now',
      'weather now',
      'x'.repeat(65),
      `${'x'.repeat(65)}y`,
      '1st',
      '天气',
      '天氣',
      '-a',
    ]
    const names = ids.map(exportedName)
    expect(new Set(names).size).toBe(ids.length)
    for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
    expect(names.map((name) => idsExportedAs(name, ids))).toEqual(ids.map((id) => [id]))
    for (const { name } of SERVERS) expect(exportedName(name)).toBe(name)
  })
})

/** Every schema in a definition of Gemini's. */
function* schemasOf(schema: Fields): Generator<Fields> {
  yield schema
  for (const part of Object.values((schema.properties ?? {}) as Fields)) yield* schemasOf(part as Fields)
  if (schema.items) yield* schemasOf(schema.items as Fields)
  for (const part of (schema.anyOf ?? []) as Fields[]) yield* schemasOf(part)
}

/** Fields of Gemini's Schema; any other makes it refuse a request. Source: reference of the Gemini API. */
const GEMINI_FIELDS = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'maxItems', 'minItems', 'properties', 'required'],
  ...[
    'minProperties',
    'maxProperties',
    'minLength',
    'maxLength',
    'pattern',
    'anyOf',
    'default',
    'items',
    'minimum',
    'maximum',
  ],
])

describe('definitions for Gemini', () => {
  it.each(SERVERS)('$name has nothing that Gemini refuses', (entry) => {
    const { definition } = exportTool(entry, 'gemini', false)
    expect(definition).toMatchObject({ name: entry.name, parameters: { type: 'OBJECT' } })
    for (const schema of schemasOf(definition.parameters as Fields)) {
      expect(Object.keys(schema).filter((field) => !GEMINI_FIELDS.has(field))).toEqual([])
      if (schema.anyOf) continue
      expect(schema.type).toMatch(/^(STRING|NUMBER|INTEGER|BOOLEAN|ARRAY|OBJECT)$/)
      expect('items' in schema).toBe(schema.type === 'ARRAY')
      if ('enum' in schema) expect(schema).toMatchObject({ type: 'STRING', format: 'enum' })
    }
  })

  it('say in Gemini’s words what it has, and note what it has not', () => {
    const { parameters, notes } = gemini({
      $defs: { City: { type: 'string', format: 'uri' } },
      properties: {
        city: { $ref: '#/$defs/City', description: 'c' },
        size: { enum: [1, 2] },
        unit: { enum: ['C', 'F'] },
        note: { type: ['string', 'null'], maxLength: 3 },
        either: { oneOf: [{ type: 'integer', exclusiveMinimum: 0 }, { type: 'string' }] },
        all: { allOf: [{ type: 'object', properties: { a: { const: 'x' } } }, { required: ['a'] }] },
        list: { type: 'array' },
      },
      required: ['city', 'gone'],
      additionalProperties: false,
    })
    expect(parameters).toEqual({
      type: 'OBJECT',
      properties: {
        city: { type: 'STRING', description: 'c' },
        size: { type: 'STRING' },
        unit: { type: 'STRING', format: 'enum', enum: ['C', 'F'] },
        note: { type: 'STRING', maxLength: 3, nullable: true },
        either: { anyOf: [{ type: 'INTEGER' }, { type: 'STRING' }] },
        all: { type: 'OBJECT', properties: { a: { type: 'STRING', format: 'enum', enum: ['x'] } }, required: ['a'] },
        list: { type: 'ARRAY', items: { type: 'STRING' } },
      },
      required: ['city'],
    })
    expect(notes).toEqual([
      'the format uri is dropped (city)',
      'values of an enumeration that are no texts are dropped (size)',
      'exclusiveMinimum is dropped (either.?)',
      'items of any type become texts (list)',
    ])
  })

  it('of schemas within themselves, very deep ones, and ones that double at each step are small', () => {
    const tree = { $ref: '#/$defs/T', $defs: { T: { type: 'object', properties: { next: { $ref: '#/$defs/T' } } } } }
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` }
        return [`d${at}`, { type: 'object', properties: { a: next, b: next } }]
      }),
    )
    let deep: Fields = { type: 'string' }
    for (let at = 0; at < 5_000; at++) deep = { type: 'array', items: deep }
    const around = { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }
    const hostile = [
      { properties: { tree: tree }, $defs: tree.$defs },
      { properties: { d: { $ref: '#/$defs/d0' } }, $defs: doubling },
      { properties: { deep } },
      { properties: { a: { $ref: '#/$defs/a' } }, $defs: around },
      { properties: { a: { $ref: '#' } } },
    ]
    for (const schema of hostile) {
      const { parameters, notes } = gemini(schema)
      expect(JSON.stringify(parameters).length).toBeLessThan(200_000)
      expect(notes).not.toEqual([])
    }
  })
})

/** A value with null for each field that its strict schema has beside those given. */
function withNulls(value: unknown, { properties, items }: Fields): unknown {
  if (Array.isArray(value)) return value.map((item) => withNulls(item, items as Fields))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(properties as Fields)
  return Object.fromEntries(
    fields.map(([name, schema]) => [name, name in value ? withNulls((value as Fields)[name], schema as Fields) : null]),
  )
}

describe('definitions for OpenAI', () => {
  it('are strict when that is asked for and the schema allows it, and say why not otherwise', () => {
    const strict = SERVERS.map((entry) => ({ entry, ...exportTool(entry, 'openai_responses', true) }))
    expect(strict.find(({ name }) => name === 'file_read')?.definition).toMatchObject({ strict: true })
    for (const { definition, notes } of strict) {
      if (definition.strict === false) expect(notes.join()).toContain('not strict: ')
      else expect(definition.parameters).toMatchObject({ additionalProperties: false })
    }
    expect(strict.filter(({ definition }) => definition.strict).length).toBeGreaterThan(SERVERS.length * 0.8)
    for (const entry of SERVERS)
      expect(exportTool(entry, 'openai', false).definition).toMatchObject({ function: { strict: false } })
  })

  it.each(SERVERS)('$name takes what a strict model sends: null for each argument that it does not give', (entry) => {
    const { definition } = exportTool(entry, 'openai_responses', true)
    if (definition.strict === false) return
    const { properties, required } = definition.parameters as { properties: Fields; required: string[] }
    expect(required).toEqual(Object.keys(properties))
    const args = withNulls(exampleArguments(entry.inputSchema), definition.parameters as Fields)
    expect(() => catalog.prepare({ tool: entry.name, args })).not.toThrow()
  })

  it('of a registered tool with optional arguments is not strict, since it may not take null', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] }
    expect(exportTool(registered(schema), 'openai', true)).toMatchObject({
      definition: { function: { strict: false } },
      notes: [expect.stringContaining('optional b')],
    })
    expect(exportTool(registered({ ...schema, required: ['a', 'b'] }), 'openai', true).definition).toMatchObject({
      function: { strict: true },
    })
  })

  it('have no longer description than OpenAI takes', () => {
    const { definition, notes } = exportTool(registered({}, { description: 'é'.repeat(2_000) }), 'openai', false)
    expect((definition.function as { description: string }).description).toHaveLength(1_024)
    expect(notes).toEqual(['the description is cut (description)'])
  })
})

describe('definitions for every format', () => {
  it.each(FORMATS)('%s has an object as its schema, whatever was registered', (format) => {
    for (const schema of [
      {},
      { type: 'array' },
      { anyOf: [{ type: 'object' }, { type: 'string' }] },
      { properties: [] },
    ]) {
      const { definition } = exportTool(registered(schema), format, false)
      const { parameters = definition.parameters } = (definition.function ?? {}) as Fields
      const whole = (parameters ?? definition.input_schema ?? definition.inputSchema) as Fields
      expect(whole).toMatchObject({ type: expect.stringMatching(/^object$/i), properties: {} })
      expect(JSON.stringify(definition)).not.toContain('$schema')
    }
  })

  it('MCP has hints from the effect of the tool', () => {
    const hints = (name: string) =>
      SERVERS.filter((entry) => entry.name === name).map(
        (entry) => exportTool(entry, 'mcp', false).definition.annotations,
      )
    expect(hints('file_read')).toEqual([{ readOnlyHint: true, openWorldHint: false }])
    expect(hints('file_write')).toEqual([{ readOnlyHint: false, destructiveHint: true, openWorldHint: false }])
    expect(hints('execute_shell')).toEqual([{ readOnlyHint: false, openWorldHint: true }])
  })

  it('Anthropic gets no parameter whose name it refuses', () => {
    const schema = { type: 'object', properties: { 'a b': {}, ok: {} }, required: ['a b', 'ok'] }
    expect(exportTool(registered(schema), 'anthropic', false).definition.input_schema).toEqual({
      type: 'object',
      properties: { ok: {} },
      required: ['ok'],
    })
  })
})
