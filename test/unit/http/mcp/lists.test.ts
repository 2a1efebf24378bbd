import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../../src/http/dialects/mcp/context.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { type Era, openMcp } from './open.ts'

const ERAS: readonly Era[] = ['modern', 'legacy']
const TOOLSETS: readonly Endpoint['tools'][] = [
  { kind: 'core' },
  { kind: 'all' },
  { kind: 'search' },
  { kind: 'toolkits', names: ['shell', 'lakes', 'none'] },
]
const META = ['search_tools', 'describe_tools', 'call_tool', 'tool_status', 'session_create']

const tokensOf = (tools: readonly unknown[]) => Math.round(JSON.stringify(tools).length / 4)

async function opened() {
  const open = openMcp()
  await open.register('lakes.Wind/v2', { toolkit: 'lakes', input_schema: { type: 'object', properties: {} } })
  await open.register('lake_list', {
    toolkit: 'lakes',
    input_schema: { $schema: 'http://json-schema.org/draft-07/schema#' },
  })
  return open
}

describe.each(ERAS)('tools/list of a %s client', (era) => {
  it.each(TOOLSETS)('has tools that clients and hosts take: $kind', async (toolset) => {
    const open = await opened()
    for (const session of [null, 's']) {
      const { tools } = await (await open.client(era, toolset, session)).listTools()
      expect(() => ListToolsResultSchema.parse({ tools })).not.toThrow()
      expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
      for (const { name, title, description, inputSchema, annotations } of tools) {
        expect(name).toMatch(/^[a-z0-9_]{1,40}$/)
        expect(title).toMatch(/\S/)
        expect(description).toMatch(/\S/)
        expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) })
        expect(inputSchema).not.toHaveProperty('$schema')
        expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean), openWorldHint: expect.any(Boolean) })
      }
    }
  })

  it('has the same tools in the same order each time', async () => {
    const open = await opened()
    for (const toolset of TOOLSETS) {
      const [one, other] = [await open.client(era, toolset), await open.client(era, toolset)]
      expect((await one.listTools()).tools).toEqual((await other.listTools()).tools)
    }
  })
})

describe('toolsets', () => {
  const names = async (tools: Endpoint['tools'], session: string | null = null) => {
    const open = await opened()
    return (await (await open.client('modern', tools, session)).listTools()).tools.map(({ name }) => name)
  }

  it('the usual one has a dozen tools of the catalog, and those by which others are found', async () => {
    const found = await names({ kind: 'core' })
    expect(found.slice(-META.length)).toEqual(META)
    expect(found).toHaveLength(12 + META.length)
    expect(found).toEqual(expect.arrayContaining(['execute_shell', 'file_read', 'file_edit']))
  })

  it('search has only those by which others are found, and makes sessions where the address binds none', async () => {
    expect(await names({ kind: 'search' })).toEqual(META)
    expect(await names({ kind: 'search' }, 's')).toEqual(META.filter((name) => name !== 'session_create'))
  })

  it('all has the catalog, toolkits, and those that the tenant lists, but no registered tools', async () => {
    const shown = catalog.toolkits().filter((kit) => !kit.isUnlisted)
    const usual = [...catalog.list(), ...shown.flatMap((kit) => kit.tools)].map(({ name }) => name)
    expect(await names({ kind: 'all' })).toEqual([...new Set(usual), ...META])
    const open = openMcp()
    await open.tenant.toolkits.change('workspace', true, { key: null, agent: null })
    const { tools } = await (await open.client('modern', { kind: 'all' })).listTools()
    expect(tools.map(({ name }) => name)).toContain('workspace_diff')
  })

  it('toolkits have their tools, registered ones too, under names that hosts take', async () => {
    const found = await names({ kind: 'toolkits', names: ['math', 'answers', 'lakes'] })
    const own = ['calculate', 'result_query', 'lake_list', expect.stringMatching(/^lakes_wind_v2_[0-9a-f]{8}$/)]
    expect(found).toEqual([...own, ...META])
  })

  it('have no two tools of one name, whatever a tenant registers', async () => {
    const open = openMcp()
    for (const id of ['call_tool', 'file_read', 'wind']) await open.register(id, { toolkit: 'own_kit' })
    const client = await open.client('modern', { kind: 'toolkits', names: ['own_kit', 'own_kit'] })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['wind', ...META])
  })

  it('cost a model no more than this', async () => {
    const open = openMcp()
    const cost = async (tools: Endpoint['tools'], session: string | null) => {
      const client = await open.client('modern', tools, session)
      const listed = (await client.listTools()).tools
      return {
        read: tokensOf(listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
        whole: tokensOf(listed),
      }
    }
    const [core, usual, search, all] = [
      await cost({ kind: 'core' }, 's'),
      await cost({ kind: 'core' }, null),
      await cost({ kind: 'search' }, null),
      await cost({ kind: 'all' }, null),
    ]
    expect(core.read).toBeLessThan(2_600)
    expect(usual.whole).toBeLessThan(3_300)
    expect(search.read).toBeLessThan(350)
    expect(all.read).toBeLessThan(20_000)
  })
})

it('hints follow from effects', async () => {
  const open = openMcp()
  const { tools } = await (await open.client('modern', { kind: 'all' })).listTools()
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))
  expect(hints).toMatchObject({
    file_read: { readOnlyHint: true, openWorldHint: false },
    file_write: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    execute_shell: { readOnlyHint: false, openWorldHint: true },
    google_search: { readOnlyHint: true, openWorldHint: true },
    download_file_from_url: { readOnlyHint: false, openWorldHint: true },
    dir_create: { destructiveHint: false, idempotentHint: true },
  })
})

it('a list may be kept for a minute by the client that has it', async () => {
  const open = openMcp()
  const client = await open.client('modern')
  expect(await client.listTools()).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' })
})

it('refuses a cursor of another list', async () => {
  const open = openMcp()
  const client = await open.client('modern')
  await expect(client.request({ method: 'tools/list', params: { cursor: 'nothing' } })).rejects.toMatchObject({
    code: -32602,
  })
})

describe('a registered tool with a schema of any form', () => {
  const SCHEMAS = [
    {},
    { type: 'array', items: {} },
    { type: ['object', 'null'], properties: { a: true, b: false, c: 5, d: null } },
    { type: 'object', properties: [], required: true },
    { type: 'object', required: ['a', 7], additionalProperties: 'no', $schema: 7 },
    { anyOf: [{ required: ['a'] }], $ref: '#/$defs/none', $defs: 3 },
    { type: 'object', properties: { a: { type: 'string', pattern: '(' }, b: { required: true } } },
  ]

  it.each(ERAS)('costs a %s client none of the others', async (era) => {
    const open = openMcp()
    for (const [n, input_schema] of SCHEMAS.entries()) {
      await open.register(`odd_${n}`, { toolkit: 'odd', input_schema, checks: { input: false, output: false } })
    }
    const fine = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { format: 'lake' } } }
    await open.register('result', { toolkit: 'odd', output_schema: fine, checks: { input: false, output: true } })
    const client = await open.client(era, { kind: 'toolkits', names: ['odd'] })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([...SCHEMAS.map((_, n) => `odd_${n}`), 'result', ...META])
    expect(() => ListToolsResultSchema.parse({ tools })).not.toThrow()
    expect(tools.at(2)?.inputSchema.properties).toMatchObject({ a: {}, b: { not: {} }, c: {}, d: {} })
    open.sessions.answer = () => ({ kind: 'done', result: { text: '{}', data: { result: {} } } })
    expect(await client.callTool({ name: 'result', arguments: {} })).toMatchObject({ structuredContent: {} })
  })
})
