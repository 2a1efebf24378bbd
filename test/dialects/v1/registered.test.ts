import { afterAll, describe, expect, it } from 'vitest'
import { dnsAnswer, jsonAnswer, type StandIn, startStandIn } from '../../support/stand-in.ts'
import { newOwner, newTenant } from '../../support/tenants.ts'
import { aToolServer } from '../toolserver/support.ts'

let service: StandIn
const server = aToolServer(async () => {
  service = await startStandIn((request) =>
    request.url.pathname === '/dns-query' ? dnsAnswer({}, request) : jsonAnswer({ got: JSON.parse(request.body) }),
  )
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: service.host, DNS_RESOLVER_URL: `${service.url}/dns-query` } }
})
afterAll(() => service.stop())

type Body = Readonly<Record<string, unknown>>

async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await server.json(path, { method, ...(body !== undefined && { body: text }) })
  return answer as { status: number; body: Body }
}

const at = (id: string, below = '') => `/v1/tools/registered/${encodeURIComponent(id)}${below}`
const newId = () => `tool ${crypto.randomUUID()}/x.y`
const definition = (fields: object = {}) => ({
  name: 'A tool',
  description: 'Does a thing.',
  input_schema: { type: 'object', properties: { q: { type: 'string' } } },
  executor: { kind: 'http', target: `${service.url}/run` },
  ...fields,
})

describe('/v1/tools/registered', () => {
  it('creates, shows, changes, rolls back, disables and deletes a tool whose id has blanks, dots and a slash', async () => {
    const id = newId()
    expect(await send('PUT', at(id), definition({ allowed_agents: ['sofia', 'team-*'] }))).toEqual({
      status: 201,
      body: { id, outcome: 'created', version: 1, breaking: false, enabled: true, allowed_agents: ['sofia', 'team-*'] },
    })
    expect(await send('PUT', at(id), definition())).toMatchObject({ status: 200, body: { outcome: 'unchanged' } })
    const second = definition({ input_schema: { type: 'object', required: ['q'] }, expected_version: 1 })
    expect(await send('PUT', at(id), second)).toMatchObject({ status: 200, body: { version: 2, breaking: true } })
    expect(await send('PUT', at(id), second)).toMatchObject({ status: 409, body: { code: 'conflict' } })

    expect(await send('GET', at(id, '/versions'))).toMatchObject({
      status: 200,
      body: {
        data: [
          { version: 2, stable: true, breaking: true, changes: 2, made_at: expect.stringMatching(/Z$/) },
          { version: 1, stable: false, breaking: false, changes: 0 },
        ],
      },
    })
    expect((await send('GET', at(id, '/versions/2/changes'))).body).toEqual({
      version: 2,
      since: 1,
      breaking: true,
      changes: [
        { schema: 'input', path: '/properties/q', what: 'was removed', breaking: true },
        { schema: 'input', path: '', what: '"q" is required now', breaking: true },
      ],
    })
    expect(await send('GET', at(id, '/versions/3/changes'))).toMatchObject({ status: 404 })

    expect(await send('POST', at(id, '/rollback'), { version: 1 })).toMatchObject({ body: { outcome: 'updated' } })
    expect(await send('GET', at(id))).toMatchObject({
      status: 200,
      body: {
        ...definition(),
        id,
        version: 1,
        stable_version: 1,
        latest_version: 2,
        enabled: true,
        allowed_agents: ['sofia', 'team-*'],
        timeout: 30,
      },
    })
    expect(await send('GET', `${at(id)}?version=latest`)).toMatchObject({ body: { version: 2 } })
    expect(await send('GET', `${at(id)}?version=7`)).toMatchObject({ status: 404, body: { code: 'not_found' } })

    expect(await send('PATCH', at(id), { enabled: false })).toMatchObject({
      status: 200,
      body: { outcome: 'updated', enabled: false, allowed_agents: ['sofia', 'team-*'] },
    })
    expect(await send('DELETE', at(id))).toMatchObject({ status: 204 })
    expect(await send('GET', at(id))).toMatchObject({ status: 404 })
    expect(await send('DELETE', at(id))).toMatchObject({ status: 404 })
  })

  it('shows what can be put again as it is', async () => {
    const id = newId()
    await send('PUT', at(id), definition())
    const { body } = await send('GET', at(id))
    expect(await send('PUT', at(id), body)).toMatchObject({ status: 200, body: { outcome: 'unchanged', version: 1 } })
    expect(await send('PUT', at(id), { ...body, timeout: 7, stable: false })).toMatchObject({ body: { version: 2 } })
    expect(await send('GET', at(id))).toMatchObject({ body: { version: 1, latest_version: 2 } })
  })

  it('lists page by page, without saying how tools are run', async () => {
    const { key } = await newTenant(server.toolyard())
    const own = server.as(key)
    const tools = ['a', 'b', 'c'].map((id) => ({ id, ...definition() }))
    const imported = await own.json('/v1/tools/import', { method: 'POST', body: JSON.stringify(tools) })
    expect(imported).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const admin = await adminOf(server.toolyard())
    await admin.json('/v1/tools/import', { method: 'POST', body: JSON.stringify(tools) })
    const first = (await admin.json('/v1/tools/registered?limit=2')).body as Body
    expect(first).toMatchObject({ total: 3, data: [{ id: 'a', executor: 'http' }, { id: 'b' }] })
    expect(JSON.stringify(first)).not.toContain(service.host)
    const rest = await admin.json(`/v1/tools/registered?limit=2&cursor=${first.next_cursor}`)
    expect(rest.body).toEqual({ data: [expect.objectContaining({ id: 'c' })], total: 3, next_cursor: null })
    // Those of one tenant are nobody else's.
    expect((await own.json('/v1/tools/registered')).body).toEqual({ data: [], total: 0, next_cursor: null })
  })

  it('refuses what is not good, saying what and why', async () => {
    const id = newId()
    expect(await send('PUT', at(id), definition({ timout: 3 }))).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', detail: expect.stringContaining('timout') },
    })
    expect(await send('PUT', at(id), definition({ id: 'other' }))).toMatchObject({ status: 400 })
    expect(await send('PUT', at('a@1'), definition())).toMatchObject({ status: 400 })
    const executors = [
      [{ kind: 'http', target: 'nowhere' }, 'must be an address'],
      [{ kind: 'http', target: 'https://a.example/{city}' }, '{city} is filled only in a request'],
      [{ kind: 'python', target: '../../etc/passwd', source: '' }, 'must be module.path:function_name'],
      [{ kind: 'python', target: 'tool:f' }, 'there is no code'],
      [{ kind: 'chain', chain: { steps: [] } }, 'executor.chain.steps: must have at least one step'],
    ] as const
    for (const [executor, why] of executors) {
      const refused = { status: 400, body: { code: 'invalid_input', detail: expect.stringContaining(why) } }
      expect(await send('PUT', at(id), definition({ executor }))).toMatchObject(refused)
      const file = [{ ...definition({ executor }), id }]
      expect(await send('POST', '/v1/tools/import', file)).toMatchObject({ status: 400 })
    }
    for (const name of ['file_read', 'File_Read', 'registered_call']) {
      expect(await send('PUT', at(name), definition())).toMatchObject({ status: 409, body: { code: 'conflict' } })
    }
    const here = `there is a tool ${id} already, at version 1`
    expect(await send('PUT', at(id), definition({ checks: { input: true } }))).toMatchObject({ status: 201 })
    expect(await send('PUT', at(id), definition({ expected_version: 0 }))).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(here) },
    })
    expect(await send('DELETE', at(id))).toMatchObject({ status: 204 })
    expect(await send('PATCH', at(id), {})).toMatchObject({ status: 400 })
    expect(await send('PATCH', at(id), { enabled: true })).toMatchObject({ status: 404 })
    expect(await send('POST', at(id, '/rollback'), { version: 1 })).toMatchObject({ status: 404 })
    expect(await send('GET', at(id, '/versions'))).toMatchObject({ status: 404 })
  })

  it('wants the scope admin for every change, and read to look', async () => {
    const { key } = await newTenant(server.toolyard())
    const own = server.as(key)
    const body = JSON.stringify(definition())
    for (const [method, path] of [
      ['PUT', '/a'],
      ['PATCH', '/a'],
      ['DELETE', '/a'],
      ['POST', '/a/rollback'],
    ] as const) {
      expect(await own.json(`/v1/tools/registered${path}`, { method, body })).toMatchObject({ status: 403 })
    }
    expect(await own.json('/v1/tools/registered')).toMatchObject({ status: 200 })
    expect(await server.as('ty_bad').json('/v1/tools/registered')).toMatchObject({ status: 401 })
  })
})

describe('POST /v1/tools/import', () => {
  const config = (tools: string) => `tools:\n${tools}`
  const tool = (id: string, more = '') =>
    `  - {id: ${id}, name: A, description: d, input_schema: {}, output_schema: {}, target: ${service.url}/run${more}}\n`

  it('puts what a file has as one change, makes nothing new of the same again, and deletes what went when asked', async () => {
    const admin = await adminOf(server.toolyard())
    const post = async (body: string, query = '') =>
      (await admin.json(`/v1/tools/import${query}`, { method: 'POST', body })) as { status: number; body: Body }
    await admin.json('/v1/tools/registered/own', { method: 'PUT', body: JSON.stringify(definition()) })

    expect(await post(config(tool('a') + tool('b', ', allowed_agents: [pm]')))).toMatchObject({
      status: 200,
      body: {
        ...{ created: 2, updated: 0, unchanged: 0, deleted: 0 },
        tools: [
          { id: 'a', outcome: 'created', version: 1 },
          { id: 'b', allowed_agents: ['pm'] },
        ],
      },
    })
    expect(await post(config(tool('a') + tool('b', ', allowed_agents: [pm]')))).toMatchObject({
      body: { unchanged: 2, created: 0, updated: 0 },
    })
    expect(await post(config(tool('c') + tool('a', ', timeout: 5')))).toMatchObject({
      body: { created: 1, updated: 1 },
    })
    expect(await post(config(tool('c')), '?replace=true&source=other')).toMatchObject({ body: { deleted: 0 } })
    expect(await post(config(tool('a')), '?replace=true')).toMatchObject({ body: { updated: 1, deleted: 1 } })
    const { data } = (await admin.json('/v1/tools/registered')).body as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual(['own', 'a', 'c'])
  })

  it('changes nothing when one tool is wrong, and says where it is', async () => {
    const admin = await adminOf(server.toolyard())
    const post = (body: string) => admin.json('/v1/tools/import', { method: 'POST', body })
    expect(await post(`${config(tool('a') + tool('b', ', timeout: 0') + tool('file_read'))}`)).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_input',
        detail: expect.stringMatching(/^line 3, column \d+: tools\[1\]\.timeout: .*Nothing was changed$/),
        errors: [
          { line: 3, path: 'tools[1].timeout' },
          { line: 4, path: 'tools[2].id', detail: expect.stringContaining('name of a tool of this server') },
        ],
      },
    })
    expect(await post('[\n  {"id": "a"}\n]')).toMatchObject({
      body: { errors: [{ line: 2, column: 3 }, {}, {}, {}, {}] },
    })
    expect(await post('tools: [')).toMatchObject({ status: 400, body: { errors: [{ line: 1 }] } })
    expect((await admin.json('/v1/tools/registered')).body).toMatchObject({ total: 0 })
  })

  it('takes thousands of tools at once', async () => {
    const admin = await adminOf(server.toolyard())
    const tools = Array.from({ length: 3_000 }, (_, n) => ({ id: `tool.${n}`, ...definition() }))
    const answer = await admin.json('/v1/tools/import', { method: 'POST', body: JSON.stringify({ tools }) })
    expect(answer).toMatchObject({ status: 200, body: { created: 3_000 } })
    expect((await admin.json('/v1/tools/registered?limit=1')).body).toMatchObject({ total: 3_000 })
  })
})

describe('POST /v1/sessions/{name}/calls', () => {
  it('calls tools of the server and registered ones, by agents that may', async () => {
    const task = await server.task()
    const id = newId()
    await send('PUT', at(id), definition({ allowed_agents: ['sofia'] }))
    const call = (body: object) => send('POST', `/v1/sessions/${task.id}/calls`, body)
    expect(await call({ tool: 'file_write', args: { file_path: 'a.txt', content: 'x' } })).toMatchObject({
      status: 200,
      body: { state: 'done', text: expect.any(String), receipt: { executed_on: 'edge' } },
    })
    expect(await task.read('a.txt')).toBe('x')
    expect(await call({ tool: id, args: { q: 1 }, context: { user: 'u' }, agent: 'sofia' })).toMatchObject({
      status: 200,
      body: { state: 'done', data: { result: { got: { args: { q: 1 }, context: { user: 'u' } } } } },
    })
    expect(await call({ tool: `${id}@1`, agent: 'sofia' })).toMatchObject({ body: { state: 'done' } })
    for (const agent of [{}, { agent: 'pm' }]) {
      expect(await call({ tool: id, ...agent })).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
    expect(await call({ tool: 'file_read', args: {} })).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect(await send('POST', '/v1/sessions/no%2Fbody/calls', { tool: id, agent: 'sofia' })).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('make it by POST /v1/sessions') },
    })
  })

  it('sends no other number than it was given', async () => {
    const id = newId()
    await send('PUT', at(id), definition())
    const task = await server.task()
    const callWith = (text: string) => send('POST', `/v1/sessions/${task.id}/calls`, text)
    expect(await callWith(`{"tool":${JSON.stringify(id)},"args":{"id":9007199254740993,"n":[5]}}`)).toMatchObject({
      body: { data: { result: { got: { args: { id: '9007199254740993', n: [5] } } } } },
    })
  })

  it('checks arguments and results against the schemas of tools that want it, and of no others', async () => {
    const task = await server.task()
    const call = (tool: string, args: object) => send('POST', `/v1/sessions/${task.id}/calls`, { tool, args })
    const schemas = {
      input_schema: {
        type: 'object',
        properties: { city: { type: 'string', pattern: '^[A-Z][a-z]+$' }, days: { type: 'integer', maximum: 7 } },
        required: ['city'],
      },
      output_schema: { type: 'object', required: ['got', 'sun'] },
    }
    const [free, input, output] = [newId(), newId(), newId()]
    await send('PUT', at(free), definition(schemas))
    await send('PUT', at(input), definition({ ...schemas, checks: { input: true, output: false } }))
    await send('PUT', at(output), definition({ ...schemas, checks: { input: false, output: true } }))
    expect(await call(free, { days: 9 })).toMatchObject({ body: { state: 'done' } })
    const before = service.requests.length
    expect(await call(input, { days: 9, city: 'ulm' })).toMatchObject({
      status: 200,
      body: {
        state: 'failed',
        error: {
          code: 'invalid_input',
          message:
            `the arguments do not fit ${input}: city: must match the pattern ^[A-Z][a-z]+$; it is "ulm"; ` +
            'days: must be at most 7; it is 9',
        },
      },
    })
    expect(service.requests.length).toBe(before)
    expect(await call(input, { city: 'Ulm' })).toMatchObject({ body: { state: 'done' } })
    expect(await call(output, {})).toMatchObject({
      body: { state: 'failed', error: { code: 'upstream', message: expect.stringContaining('sun: is required') } },
    })

    const unclear = definition({ input_schema: { pattern: '(?=a)' }, checks: { input: true, output: false } })
    expect(await send('PUT', at(newId()), unclear)).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/the pattern \(\?=a\) cannot be used: it looks ahead/) },
    })
  })

  it('says of work that goes on how to hear of its end', async () => {
    const task = await server.task()
    const humanCall = { tool: 'human_in_loop', args: { human_task: 'Say yes', wait_seconds: 0 } }
    expect(await send('POST', `/v1/sessions/${task.id}/calls`, humanCall)).toMatchObject({
      status: 202,
      body: { state: 'pending', next: { tool: 'human_in_loop' }, retry_after_ms: expect.any(Number) },
    })
  })
})

/** A client with a key that may do everything in a tenant of its own. */
const adminOf = async (toolyard: ReturnType<typeof server.toolyard>) => server.as((await newOwner(toolyard)).key)
