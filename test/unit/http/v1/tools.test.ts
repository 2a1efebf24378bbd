import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { tenantId } from '../../../../src/core/ids.ts'
import type { Outcome, ToolCall } from '../../../../src/core/outcome.ts'
import { exampleArguments } from '../../../../src/http/dialects/v1/tools/tool-usage.ts'
import { TenantToolCache } from '../../../../src/http/tenant-tools.ts'
import { ToolFinder } from '../../../../src/http/tool-finder.ts'
import { Neighbours } from '../../../../src/retrieval/neighbours.ts'
import type { ToolsApi } from '../../../../src/tenant/tools-api.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { openV1 } from './open.ts'

const table = new Neighbours(Uint8Array.from(readFileSync('src/assets/neighbours.bin')).buffer)
const newFinder = () => new ToolFinder(async () => table)
const tools = catalog.list()
const toolkits = catalog.toolkits()
/** Tools that lists show to every tenant. */
const SERVERS = [
  ...new Map(
    [...tools, ...toolkits.filter((kit) => !kit.isUnlisted).flatMap((kit) => kit.tools)].map((tool) => [
      tool.name,
      tool,
    ]),
  ).values(),
]

/** The dialect with the server's own tools, over a tenant that registers some. `made`: calls that reached a session. */
function anOpen() {
  const cache = new TenantToolCache({ shared: newFinder(), newFinder, semantics: null })
  const made: ToolCall[] = []
  const call = async (given: ToolCall): Promise<Outcome> => {
    made.push(given)
    return { kind: 'done', callId: 'c', result: { text: 'done', data: {} } }
  }
  const held: { tools?: ToolsApi } = {}
  const opened = openV1({
    ...{ tools, toolkits, mayAdmin: true },
    registeredTools: () => cache.of(tenantId('acme'), held.tools as ToolsApi),
    session: () => ({ call, calls: {} }) as never, // no more of it is asked for
  })
  held.tools = opened.tenant.tools
  const register = async (id: string, more: object = {}) => {
    const definition = {
      ...{ name: `The ${id}`, description: 'Predicts the wind over a lake.', input_schema: { type: 'object' } },
      ...{ executor: { kind: 'http', target: 'https://service.example/do' }, ...more },
    }
    const { status, body } = await opened.call('PUT', `/v1/tools/registered/${encodeURIComponent(id)}`, definition)
    expect(status, JSON.stringify(body)).toBe(201)
  }
  const get = (path: string) => opened.call('GET', path)
  return { ...opened, made, register, get }
}

let open: ReturnType<typeof anOpen>
beforeEach(() => {
  open = anOpen()
})

type Page = { data: Record<string, unknown>[]; next_cursor: string | null }
const page = async (path: string) => {
  const { status, body } = await open.get(path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as unknown as Page & { names: Record<string, string>; notes: { tool: string; note: string }[] }
}
const namesOf = ({ data }: Page) => data.map(({ name }) => name)

describe('GET /v1/tools', () => {
  it('pages through all tools that can be called, each once: the list, toolkits, and registered ones', async () => {
    await open.register('lake/wind')
    await open.register('hidden', { hidden: true })
    await open.register('off', { enabled: false })
    const names: unknown[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const one = await page(`/v1/tools?limit=40${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      names.push(...namesOf(one))
      cursor = one.next_cursor
    }
    expect(names).toEqual([...SERVERS.map(({ name }) => name), 'lake/wind'])
    expect(await open.get('/v1/tools?cursor=nothing')).toMatchObject({ status: 400 })
  })

  it('finds tools by a question, hidden ones too, and within a toolkit', async () => {
    await open.register('lake/wind', { hidden: true })
    expect(namesOf(await page('/v1/tools?q=find%20text%20in%20files&limit=3'))).toContain('file_search')
    expect(namesOf(await page('/v1/tools?q=wind%20over%20the%20lake&limit=1'))).toEqual(['lake/wind'])
    expect(namesOf(await page('/v1/tools?toolkit=shell'))).toEqual(['shell_read', 'shell_write', 'shell_command'])
    expect(namesOf(await page('/v1/tools?toolkit=none'))).toEqual([])
  })

  it('gives the named ones in that order, and says of an unknown name what is like it', async () => {
    expect(namesOf(await page('/v1/tools?names=file_read,dir_list,file_read'))).toEqual(['file_read', 'dir_list'])
    expect(await open.get('/v1/tools?names=file_reed')).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('did you mean file_read?') },
    })
    expect(await open.get(`/v1/tools?names=${'a,'.repeat(101)}`)).toMatchObject({ status: 400 })
  })

  it('leaves out what the agent may not call', async () => {
    await open.register('private', { allowed_agents: ['team-*'] })
    expect(namesOf(await page('/v1/tools?limit=500'))).not.toContain('private')
    expect(namesOf(await page('/v1/tools?limit=500&agent=team-a'))).toContain('private')
  })

  it('refuses what it does not know, by name', async () => {
    expect(await open.get('/v1/tools?query=x')).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('query') },
    })
    expect(await open.get('/v1/tools?format=gemini&strict=true')).toMatchObject({ status: 400 })
  })
})

describe('GET /v1/tools/{name}', () => {
  it('says how the tool is called, and by what other names its arguments go', async () => {
    const { body } = await open.get('/v1/tools/file_read')
    expect(body).toMatchObject({
      name: 'file_read',
      effect: 'read',
      synonyms: { file_path: expect.arrayContaining(['path', 'filename']) },
      call: {
        path: '/v1/sessions/{session}/calls',
        body: { tool: 'file_read', arguments: { file_path: 'upload/config.json' } },
      },
    })
    expect(body.call).toMatchObject({ curl: expect.stringContaining(`'{"tool":"file_read"`) })
  })

  it('has the shape of a registered tool’s result, by its name or the exported one', async () => {
    const output_schema = { type: 'object', properties: { knots: { type: 'number' } } }
    await open.register('lake/wind', { output_schema })
    const { body } = await open.get('/v1/tools/lake%2Fwind')
    expect(body).toMatchObject({ name: 'lake/wind', kind: 'registered', output_schema })
    expect((await open.get(`/v1/tools/${body.exported_name}`)).body).toEqual(body)
    expect((await open.get('/v1/tools/none')).status).toBe(404)
  })

  it.each(SERVERS)('the example of $name is a call that the tool takes', ({ name, inputSchema }) => {
    expect(() => catalog.prepare({ tool: name, args: exampleArguments(inputSchema) })).not.toThrow()
  })
})

describe('a call by an exported name', () => {
  it('is one of the tool, alone and in a batch, and the tool of exactly that name comes first', async () => {
    await open.register('lake/wind')
    const { names } = await page('/v1/tools?names=lake/wind&format=openai')
    const [exported = ''] = Object.keys(names)
    expect(exported).toMatch(/^lake_wind_[0-9a-f]{8}$/)
    const call = { tool: exported, arguments: { at: 1 } }
    expect((await open.call('POST', '/v1/sessions/s/calls', call)).body).toMatchObject({
      tool: exported,
      state: 'done',
    })
    await open.call('POST', '/v1/sessions/s/calls:batch', { calls: [call] })
    const args = { tool_id: 'lake/wind', args: { at: 1 } }
    expect(open.made.map(({ tool, args }) => ({ tool, args }))).toEqual([
      { tool: 'registered_call', args },
      { tool: 'registered_call', args },
    ])
    await open.register(exported)
    await open.call('POST', '/v1/sessions/s/calls', call)
    expect(open.made.at(-1)?.args).toMatchObject({ tool_id: exported })
  })
})
