import { afterAll, expect } from 'vitest'
import { ToolDefinition, ToolPolicy } from '../../../src/registry/definition.ts'
import { tenantObject } from '../../support/sandbox-control.ts'
import { jsonAnswer, type StandIn, startStandIn } from '../../support/stand-in.ts'
import { askWith, newOwner } from '../../support/tenants.ts'
import { aServer, type Client, verifies } from './support.ts'

const KEY = 'key-of-the-tenant-0123456789'

let service: StandIn | undefined
const server = aServer(async () => {
  service = await startStandIn(({ method, path, headers, body }) => {
    if (path.startsWith('/broken')) return jsonAnswer({ error: `no, ${headers['x-key']}` }, 418)
    if (path.startsWith('/picture')) return { headers: { 'content-type': 'image/png' }, body: Uint8Array.of(1, 2, 3) }
    return jsonAnswer({
      method,
      path,
      key: headers['x-key'] ?? headers.toolbench_key ?? null,
      body: body && JSON.parse(body),
    })
  })
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: service.host } }
})
afterAll(() => service?.stop())

const operation = (operationId: string, summary: string, more: object = {}) => ({
  [operationId.startsWith('create') ? 'post' : 'get']: { operationId, summary, ...more },
})

const zoo = () => ({
  openapi: '3.1.0',
  servers: [{ url: `${service?.url}/v1` }],
  security: [{ key: [] }],
  paths: {
    '/pandas/{name}': operation('getPanda', 'What the panda of that name eats: bamboo, mostly', {
      parameters: [
        { name: 'name', in: 'path', required: true, description: 'Its name.', schema: { type: 'string' } },
        { name: 'days', in: 'query', schema: { type: 'number', default: 1 } },
      ],
    }),
    '/tickets': operation('createTicket', '预订动物园门票', {
      requestBody: { content: { 'application/json': { schema: { properties: { count: { type: 'integer' } } } } } },
    }),
  },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
})

const v1 = (key: string, method: string, path: string, body?: object) =>
  askWith(key, server.toolyard(), method, path, body)

/** A tenant of its own, with what its owner does, and a node. */
async function aTenant() {
  const { id, key } = await newOwner(server.toolyard())
  const ask = (method: string, path: string, body?: object) => v1(key, method, path, body)
  const importApi = async (api: object) => {
    const answer = await ask('POST', '/v1/apis', api)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  return { id, key, ask, importApi, node: () => server.node(`/k/${key}`) }
}

const found = async (node: Client, question: string, top_k = 5) => {
  const { body } = await node.post('/retrieving_tools', { question, top_k })
  return (body as { retrieved_tools: string[] }).retrieved_tools
}

verifies(['xagent:apis:env'], async () => {
  const { importApi, node: open } = await aTenant()
  const node = await open()
  await importApi({ env: 'Zoo', openapi: zoo() })
  const { body } = await node.post('/get_available_tools')
  const available = body as { available_envs: { name: string }[]; available_tools: string[]; tools_json: object[] }
  expect(available.available_envs).toContainEqual({
    name: 'Zoo',
    description: expect.stringContaining('in no list'),
    total_tools: 2,
    tools: ['createticket', 'getpanda'],
  })
  expect(JSON.stringify([available.available_tools, available.tools_json])).not.toContain('panda')
  const schema = {
    name: 'Zoo_getpanda',
    description: 'What the panda of that name eats: bamboo, mostly',
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Its name.' },
        days: { type: 'number', description: '', default: '1' },
      },
      required: ['name'],
    },
  }
  expect(await node.post('/get_json_schema_for_tools', ['Zoo_getpanda', 'Zoo_no'])).toMatchObject({
    body: { tools_json: [schema], missing_tools: ['Zoo_no'] },
  })
  expect(await node.post('/get_json_schema_for_envs', ['Zoo'])).toMatchObject({
    body: { envs_json: [{ total_tools: 2 }] },
  })
})

verifies('xagent:retrieve:registered', async () => {
  const [one, other] = [await aTenant(), await aTenant()]
  const [node, stranger] = [await one.node(), await other.node()]
  expect(await found(node, 'what does a panda eat?')).not.toContain('Zoo_getpanda')
  await one.importApi({ env: 'Zoo', openapi: zoo() })
  expect((await found(node, 'what does a panda eat?'))[0]).toBe('Zoo_getpanda')
  expect((await found(node, '我想买动物园的门票'))[0]).toBe('Zoo_createticket')
  expect(await found(stranger, 'what does a panda eat?', 50)).not.toContain('Zoo_getpanda')
  expect(await stranger.execute('Zoo_getpanda', { name: 'x' })).toMatchObject({ status: 404 })
  expect(await one.ask('DELETE', '/v1/apis/Zoo')).toEqual({ status: 204, body: {} })
  expect(await found(node, 'what does a panda eat?', 50)).not.toContain('Zoo_getpanda')
  expect(await node.execute('Zoo_getpanda', { name: 'x' })).toMatchObject({ status: 404 })
})

verifies('xagent:apis:execute', async () => {
  const { importApi, ask, node: open } = await aTenant()
  const node = await open()
  const elsewhere = (path: string) => ({ servers: [{ url: `${service?.url}${path}` }] })
  const paths = {
    ...zoo().paths,
    '/x': operation('failing', 'Fails', elsewhere('/broken')),
    '/pic': operation('picture', 'A picture', elsewhere('/picture')),
  }
  const document = { ...zoo(), paths }
  const imported = await importApi({ env: 'Zoo', openapi: document })
  expect(imported).toMatchObject({ tools: 4, secrets: [{ name: 'ZOO_KEY', of: 'key', kept: false }] })
  expect(await node.failure('Zoo_getpanda', { name: 'Bao' })).toMatch(
    /^OSError: this tool needs the secret ZOO_KEY, which its owner has not put yet/,
  )

  expect(await ask('PUT', '/v1/secrets/ZOO_KEY', { value: KEY })).toMatchObject({ status: 200 })
  // The service tells the key; it does not come back.
  expect(await node.value('Zoo_getpanda', { name: 'Bao Bao', days: 2 })).toEqual({
    type: 'simple',
    data: { method: 'GET', path: '/v1/pandas/Bao%20Bao?days=2', key: '***', body: '' },
  })
  expect(service?.requests.at(-1)?.headers['x-key']).toBe(KEY)
  const short = { tool_name: 'createticket', env_name: 'Zoo', arguments: { count: 3 } }
  expect(await node.post('/execute_tool', short)).toMatchObject({
    status: 200,
    body: { data: { method: 'POST', path: '/v1/tickets', body: { count: 3 } } },
  })
  expect(await node.value('Zoo_picture')).toEqual({ type: 'binary', media_type: 'image/png', data: 'AQID' })
  expect(await node.failure('Zoo_failing')).toBe('ValueError: HTTP 418: {"error":"no, ***"}')
  expect(await node.failure('Zoo_getpanda')).toMatch(/^ValueError: missing required parameter: name/)
  const calls = await ask('GET', '/v1/sessions')
  expect(JSON.stringify([calls.body, server.toolyard().worker.logs()])).not.toContain(KEY)
})

verifies('xagent:apis:names', async () => {
  const { importApi, node: open } = await aTenant()
  await importApi({
    env: 'RapidAPIEnv',
    rapidapi: {
      tool_name: 'Gs1Parser (v2)',
      tool_description: 'Barcodes.',
      host: 'gs1.p.rapidapi.com',
      api_list: [
        {
          name: 'class',
          url: `${service?.url}/parse/{id}`,
          method: 'GET',
          required_parameters: [{ name: 'id', type: 'NUMBER', description: 'Which.' }],
          optional_parameters: [{ name: 'strict', type: 'BOOLEAN', description: 'How.', default: true }],
        },
      ],
    },
    auth: [],
  })
  const node = await open()
  const name = 'RapidAPIEnv_rapi_gs1parser_v2_is_class'
  expect(await node.post('/get_json_schema_for_tools', [name])).toMatchObject({
    body: {
      tools_json: [
        {
          parameters: {
            properties: {
              id: { type: 'integer', description: 'Which.' },
              strict: { type: 'boolean', description: 'How.', default: 'true' },
            },
            required: ['id'],
          },
        },
      ],
    },
  })
  expect(await node.value(name, { id: 7, strict: false })).toMatchObject({ data: { path: '/parse/7?strict=false' } })
  expect(service?.requests.at(-1)?.headers['x-rapidapi-host']).toBe('gs1.p.rapidapi.com')
})

verifies('xagent:apis:toolbench', async () => {
  const { importApi, ask, node: open } = await aTenant()
  await ask('PUT', '/v1/secrets/TOOLBENCH_KEY', { value: KEY })
  const code = "async def rapi_a_b(self):\n    '''Looks.\n\n    :param string q: What.\n    '''\n"
  const rapidapi = { rapi_a_b: { api_name: 'b', category: 'Data', tool_name: 'a', code } }
  await importApi({ env: 'RapidAPIEnv', rapidapi, base_url: `${service?.url}/rapidapi` })
  const node = await open()
  await node.value('RapidAPIEnv_rapi_a_b', { q: 'x' })
  const request = service?.requests.at(-1)
  expect([request?.method, request?.path, request?.headers.toolbench_key]).toEqual(['POST', '/rapidapi', KEY])
  expect(JSON.parse(request?.body ?? '')).toEqual({
    category: 'Data',
    tool_name: 'a',
    api_name: 'b',
    tool_input: { q: 'x' },
    strip: 'truncate',
    toolbench_key: KEY,
  })
})

verifies('xagent:apis:listed', async () => {
  const { id, node: open } = await aTenant()
  const tenant = tenantObject(server.toolyard(), id)
  const asking = { kind: 'http', target: `${service?.url}/` }
  const put = (tool: string, allowed_agents: string[] | null, toolkit: string | null, executor: object = asking) => ({
    op: 'put' as const,
    definition: ToolDefinition.parse({
      id: tool,
      name: tool,
      description: 'Lists projects.',
      input_schema: {},
      toolkit,
      executor,
    }),
    policy: ToolPolicy.parse({ allowed_agents }),
  })
  const changes = [
    put('projects.list', null, null),
    put('ours', ['sofia'], null),
    put('Kit_a', null, 'Kit'),
    put('more', null, 'WebEnv'),
  ]
  const steps = [{ id: 'note', tool: 'file_write', input: { file_path: 'a.md', content: 'x' } }]
  const chain = { steps, output: { file: '${{ steps.note.result.file_path }}' } }
  await tenant.tools.change([...changes, put('chained', null, null, { kind: 'chain', chain })], {
    key: null,
    agent: null,
  })
  const node = await open()
  const { body } = await node.post('/get_available_tools')
  const { available_tools } = body as { available_tools: string[] }
  expect(available_tools.filter((name) => ['projects.list', 'ours', 'Kit_a', 'more'].includes(name))).toEqual([
    'Kit_a',
    'more',
    'projects.list',
  ])
  expect(await node.value('projects.list', { any: 1 })).toMatchObject({
    data: { body: { args: { any: 1 }, context: {} } },
  })
  expect(await node.value('chained')).toMatchObject({ data: { file: 'a.md' } })
  expect(await node.execute('ours')).toMatchObject({ status: 404 })
})
