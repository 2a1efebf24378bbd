import { afterAll, beforeAll, expect } from 'vitest'
import { MAX_AGENT_CHARS } from '../../../src/core/limits/registry.ts'
import { Pace } from '../../support/pace.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import {
  dnsAnswer,
  jsonAnswer,
  type StandIn,
  type StandInAnswer,
  type StandInRequest,
  startStandIn,
} from '../../support/stand-in.ts'
import { newTenant } from '../../support/tenants.ts'
import { ask, call, register, SECRET, verifies } from './support.ts'

let service: StandIn
const toolyard = runningToolyard(async () => {
  service = await startStandIn(answer)
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: service.host, DNS_RESOLVER_URL: `${service.url}/dns-query` } }
})
afterAll(() => service.stop())
const url = () => toolyard().url

/** The service behind the tools: each path answers in its own way. */
function answer(request: StandInRequest): StandInAnswer {
  const { url, body } = request
  switch (url.pathname) {
    case '/dns-query':
      return dnsAnswer({}, request)
    case '/projects':
      return jsonAnswer({ projects: [{ id: 'proj-1', name: 'Phase 3' }], got: JSON.parse(body) })
    case '/null':
      return jsonAnswer(null)
    case '/array':
      return jsonAnswer([1, 2])
    case '/text':
      return { body: 'hello' }
    case '/broken':
      return { status: 500, body: 'out of order' }
    case '/elsewhere':
      return { status: 302, headers: { location: '/projects' } }
    case '/drip':
      return (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const drip = setInterval(() => response.write(' '), 100)
        response.on('close', () => clearInterval(drip))
      }
    default:
      return { status: 404 }
  }
}

const INPUT = { type: 'object', properties: { microdao_id: { type: 'string' } }, required: ['microdao_id'] }
const OUTPUT = { type: 'array', items: { type: 'object' } }

beforeAll(async () => {
  const at = (path: string) => `${service.url}/${path}`
  await register(toolyard(), [
    {
      id: 'projects.list',
      name: 'List Projects',
      description: 'Returns a list of projects for a microDAO',
      input_schema: INPUT,
      output_schema: OUTPUT,
      target: at('projects'),
      allowed_agents: ['agent:sofia', 'agent:pm'],
      timeout: 10,
    },
    { id: 'for.all', name: 'For all agents', target: at('projects') },
    { id: 'for.nobody', target: at('projects'), allowed_agents: [] },
    { id: 'off', target: at('projects'), enabled: false, allowed_agents: [] },
    { id: 'for.some', target: at('projects'), allowed_agents: ['team-*'] },
    { id: 'with blank', target: at('null') },
    { id: 'unlisted', target: at('null'), hidden: true },
    { id: 'array', target: at('array') },
    { id: 'text', target: at('text') },
    { id: 'broken', target: at('broken') },
    { id: 'elsewhere', target: at('elsewhere') },
    { id: 'drip', target: at('drip'), timeout: 1 },
    { id: 'absent', target: 'http://nobody.example/tool' },
  ])
})

verifies('toolcore:secret', async () => {
  const denied = { status: 401, body: { detail: 'Invalid or missing X-Internal-Secret header' } }
  const request = { tool_id: 'for.all', agent_id: 'a', microdao_id: 'm' }
  for (const secret of [null, 'wrong', '']) {
    expect(await ask(url(), '/internal/tools', { secret })).toMatchObject(denied)
    expect(await ask(url(), '/internal/tools/none', { secret })).toMatchObject(denied)
    expect(await ask(url(), '/internal/tools/call', { secret, body: request })).toMatchObject(denied)
  }
})

verifies('toolcore:secret:local', async () => {
  expect(SECRET).toBe('dev-secret-token')
  expect(await ask(url(), '/internal/tools')).toMatchObject({ status: 200 })
})

verifies('toolcore:secret:key', async () => {
  const acme = await newTenant(toolyard())
  expect(await ask(url(), '/internal/tools', { secret: acme.key })).toMatchObject({
    status: 200,
    body: { tools: [], total: 0 },
  })
  await register(toolyard(), [{ id: 'theirs', target: `${service.url}/null` }], acme.id)
  expect((await ask(url(), '/internal/tools/theirs')).status).toBe(404)
  expect((await ask(url(), '/internal/tools/theirs', { secret: acme.key })).status).toBe(200)
})

verifies('toolcore:secret:first', async () => {
  expect((await ask(url(), '/internal/tools/call', { secret: null, body: {} })).status).toBe(422)
})

verifies('toolcore:health', async () => {
  expect(await ask(url(), '/health')).toMatchObject({
    status: 200,
    body: { status: 'ok', service: 'toolcore', tools: 13 },
  })
  expect((await ask(url(), '/health', { secret: null })).body).not.toHaveProperty('service', 'toolcore')
})

verifies('toolcore:list', async () => {
  const { status, body } = await ask(url(), '/internal/tools')
  expect(status).toBe(200)
  expect(body.tools[0]).toEqual({
    id: 'projects.list',
    name: 'List Projects',
    description: 'Returns a list of projects for a microDAO',
    input_schema: INPUT,
    executor: 'http',
  })
  const ids = body.tools.map(({ id }: { id: string }) => id)
  expect(ids.slice(0, 4)).toEqual(['projects.list', 'for.all', 'for.nobody', 'for.some'])
  expect(body.total).toBe(ids.length)
  expect(ids).not.toContain('off')
})

const listed = async (agent: string) =>
  (await ask(url(), `/internal/tools?agent_id=${agent}`)).body.tools.map(({ id }: { id: string }) => id)

verifies('toolcore:list:agent', async () => {
  expect(await listed('agent:pm')).toContain('projects.list')
  expect(await listed('agent:cto')).toContain('for.all')
  expect(await listed('agent:cto')).not.toContain('projects.list')
  for (const agent of ['agent:pm', 'agent:cto']) expect(await listed(agent)).not.toContain('for.nobody')
  expect(await listed('')).toContain('for.nobody')
  expect(await listed('agent:cto&agent_id=agent:pm')).toContain('projects.list')
})

verifies('toolcore:list:wildcard', async () => {
  expect(await listed('team-red')).toContain('for.some')
  expect(await listed('ateam-red')).not.toContain('for.some')
})

verifies('toolcore:list:hidden', async () => {
  expect(JSON.stringify((await ask(url(), '/internal/tools')).body)).not.toContain('unlisted')
  expect((await ask(url(), '/internal/tools/unlisted')).status).toBe(200)
  expect((await call(url(), 'unlisted')).body).toMatchObject({ ok: true })
})

verifies('toolcore:definition', async () => {
  expect((await ask(url(), '/internal/tools/projects.list')).body).toEqual({
    id: 'projects.list',
    name: 'List Projects',
    description: 'Returns a list of projects for a microDAO',
    input_schema: INPUT,
    output_schema: OUTPUT,
    executor: 'http',
    target: `${service.url}/projects`,
    allowed_agents: ['agent:sofia', 'agent:pm'],
    timeout: 10,
    enabled: true,
  })
  expect((await ask(url(), '/internal/tools/off')).body).toMatchObject({ enabled: false })
  expect((await ask(url(), '/internal/tools/with%20blank')).body).toMatchObject({ id: 'with blank' })
})

verifies('toolcore:definition:unknown', async () => {
  expect(await ask(url(), '/internal/tools/none')).toMatchObject({
    status: 404,
    body: { detail: 'Tool not found: none' },
  })
  expect(await ask(url(), '/internal/tools/call')).toMatchObject({
    status: 404,
    body: { detail: 'Tool not found: call' },
  })
  expect(await ask(url(), '/internal/tools/a/b')).toMatchObject({ status: 404, body: { detail: 'Not Found' } })
})

verifies('toolcore:call', async () => {
  const { status, body } = await ask(url(), '/internal/tools/call', {
    body: {
      tool_id: 'projects.list',
      agent_id: 'agent:sofia',
      microdao_id: 'microdao:7',
      args: { microdao_id: 'microdao:7' },
      context: { channel_id: 'channel-uuid', user_id: 'user:123' },
    },
  })
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['ok', 'result', 'error', 'tool_id', 'latency_ms'])
  expect(body).toMatchObject({ ok: true, error: null, tool_id: 'projects.list', latency_ms: expect.any(Number) })
  expect(body.result.projects).toEqual([{ id: 'proj-1', name: 'Phase 3' }])
})

verifies('toolcore:call:payload', async () => {
  const { body } = await call(url(), 'for.all', { args: { text: 'ü' }, context: null })
  expect(body.result.got).toEqual({ args: { text: 'ü' }, context: {} })
  const sent = service.requests.findLast(({ body }) => body.includes('ü'))
  expect(sent?.body).toBe('{"args":{"text":"ü"},"context":{}}')
  const { headers } = sent ?? { headers: {} }
  expect(headers).toMatchObject({ 'content-type': 'application/json' })
  for (const secret of ['x-internal-secret', 'authorization', 'cookie', 'x-api-key'])
    expect(headers).not.toHaveProperty(secret)
})

verifies('toolcore:call:chain', async () => {
  const put = async (id: string, output: unknown) => {
    const steps = [{ id: 'note', tool: 'file_write', input: { file_path: 'a.md', content: '${{ input.text }}' } }]
    const executor = { kind: 'chain', chain: { steps, output } }
    const body = { name: id, description: '', input_schema: {}, executor }
    expect(await ask(url(), `/v1/tools/registered/${id}`, { method: 'PUT', body })).toMatchObject({ status: 201 })
  }
  await put('chain.object', { file: '${{ steps.note.result.file_path }}' })
  await put('chain.text', '${{ steps.note.result.file_path }}')
  const args = { text: 'Hello' }
  expect((await call(url(), 'chain.object', { args })).body).toMatchObject({ ok: true, result: { file: 'a.md' } })
  expect((await call(url(), 'chain.text', { args })).body).toMatchObject({ ok: true, result: { result: 'a.md' } })
})

verifies('toolcore:call:unknown', async () => {
  expect(await call(url(), 'none')).toMatchObject({ status: 403, body: { detail: 'Tool not found: none' } })
  for (const id of ['', 'for.all@', 'for.all@1.2', 'a\nb', 'x'.repeat(300)]) {
    const detail = expect.stringMatching(/^Tool not found: /)
    expect(await call(url(), id)).toMatchObject({ status: 403, body: { detail } })
  }
})

verifies('toolcore:call:disabled', async () => {
  expect(await call(url(), 'off')).toMatchObject({ status: 403, body: { detail: 'Tool is disabled: off' } })
})

verifies('toolcore:call:agent', async () => {
  expect(await call(url(), 'projects.list', { agent_id: 'agent:cto' })).toMatchObject({
    status: 403,
    body: { detail: 'Agent agent:cto not in allowlist for projects.list' },
  })
  for (const tool of ['projects.list', 'off']) {
    expect((await call(url(), tool, { agent_id: 'agent:new', microdao_id: 'new' })).status).toBe(403)
  }
  const session = encodeURIComponent('toolcore/new/agent%3Anew')
  expect((await ask(url(), `/v1/sessions/${session}/calls`)).status).toBe(404)
  const log = await (await fetch(`${url()}/v1/audit/export`)).text()
  expect(log.split('\n').filter((line) => line.includes('agent:new') && line.includes('tool.refused'))).toHaveLength(2)
})

verifies('toolcore:call:invalid', async () => {
  const invalid = async (body: unknown, headers = {}) => {
    const answer = await ask(url(), '/internal/tools/call', { body, headers })
    expect(answer.status).toBe(422)
    return answer.body.detail
  }
  const whole = { tool_id: 't', agent_id: 'a', microdao_id: 'm' }
  const { agent_id: _, ...lacking } = whole
  expect(await invalid(lacking)).toEqual([
    { type: 'missing', loc: ['body', 'agent_id'], msg: 'Field required', input: lacking },
  ])
  const long = 'x'.repeat(3_000_000)
  expect(await invalid({ ...whole, tool_id: 'for.all', agent_id: long })).toMatchObject([
    {
      type: 'string_too_long',
      loc: ['body', 'agent_id'],
      msg: `String should have at most ${MAX_AGENT_CHARS} characters`,
    },
  ])
  expect(await invalid({ ...whole, args: null })).toEqual([
    { type: 'dict_type', loc: ['body', 'args'], msg: 'Input should be a valid dictionary', input: null },
  ])
  expect(await invalid({ ...whole, args: [1] })).toMatchObject([{ type: 'dict_type', input: [1] }])
  expect(await invalid({ ...whole, tool_id: 5 })).toEqual([
    { type: 'string_type', loc: ['body', 'tool_id'], msg: 'Input should be a valid string', input: 5 },
  ])
  expect(await invalid('{x')).toMatchObject([{ type: 'json_invalid', loc: ['body', 1], msg: 'JSON decode error' }])
  expect(await invalid('')).toEqual([{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }])
  expect(await invalid('null')).toEqual([{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }])
  expect(await invalid([whole])).toMatchObject([{ type: 'model_attributes_type', loc: ['body'] }])
  for (const type of ['text/plain', 'application/json-patch', 'text/json'])
    expect(await invalid(whole, { 'Content-Type': type })).toMatchObject([{ type: 'model_attributes_type' }])
})

verifies('toolcore:call:unchecked', async () => {
  const { body } = await call(url(), 'projects.list', { args: { microdao_id: 7 } })
  expect(body).toMatchObject({ ok: true, result: { got: { args: { microdao_id: 7 } } } })
})

const errorOf = async (tool: string) => {
  const { status, body } = await call(url(), tool)
  expect({ status, body }).toMatchObject({ status: 200, body: { ok: false, result: null, tool_id: tool } })
  return body.error
}

verifies('toolcore:http:null', async () => {
  expect((await call(url(), 'with blank')).body).toMatchObject({ ok: true, result: null, error: null })
})

verifies('toolcore:http:status', async () => {
  expect(await errorOf('broken')).toBe('HTTP 500: out of order')
  expect(await errorOf('elsewhere')).toBe('HTTP 302: ')
})

verifies('toolcore:http:refused', async () => {
  expect(await errorOf('absent')).toMatch(/^Connection failed: http:\/\/nobody\.example\/tool \(.+\)$/)
})

verifies('toolcore:http:timeout', async () => {
  const pace = new Pace(() => errorOf('broken'))
  expect(await pace.answeredAtDeadline(1, () => errorOf('drip'))).toBe('Timeout after 1s')
})

verifies('toolcore:http:rubbish', async () => {
  expect(await errorOf('text')).toMatch(/^Unexpected error: Expecting value: line 1 column 1 \(char 0\)/)
  expect(await errorOf('array')).toMatch(/^Unexpected error: 1 validation error for ToolCallResult\nresult\n/)
})

/** What is told of a session's calls comes a moment after their answers. */
async function usedTools(microdao: string, calls: number) {
  const path = `/internal/usage/tools?microdao_id=${encodeURIComponent(microdao)}&period_hours=1`
  const read = async () => (await ask(url(), path)).body.tools
  await expect.poll(read).toEqual([expect.objectContaining({ calls })])
  return read()
}

verifies('toolcore:usage', async () => {
  for (const agent_id of ['a', 'b']) await call(url(), 'for.all', { agent_id, microdao_id: 'used/1' })
  await call(url(), 'text', { microdao_id: 'used/2' })
  expect(await usedTools('used/1', 2)).toEqual([
    { tool_id: 'for.all', tool_name: 'For all agents', calls: 2, success_rate: 1, avg_latency_ms: expect.any(Number) },
  ])
  expect(await usedTools('used/2', 1)).toMatchObject([{ tool_id: 'text', success_rate: 0 }])
  const all = await ask(url(), '/internal/usage/tools')
  expect(all.body.tools.length).toBeGreaterThan(1)
})

verifies('toolcore:usage:summary', async () => {
  for (const agent_id of ['a', 'a', 'b']) await call(url(), 'for.all', { agent_id, microdao_id: 'summed' })
  await usedTools('summed', 3)
  const { body } = await ask(url(), '/internal/usage/summary?microdao_id=summed&period_hours=1')
  expect(body.summary).toMatchObject({
    microdao_id: 'summed',
    tool_calls_total: 3,
    tool_calls_success: 3,
    tool_calls_failed: 0,
  })
  expect(body.agents).toMatchObject([
    { agent_id: 'a', tool_calls: 2 },
    { agent_id: 'b', tool_calls: 1 },
  ])
})

verifies('toolcore:usage:period', async () => {
  for (const hours of ['0', '721', 'day', '1.5']) {
    const answer = await ask(url(), `/internal/usage/tools?period_hours=${hours}`)
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'period_hours'] }] } })
  }
  expect((await ask(url(), '/internal/usage/tools?period_hours=720')).status).toBe(200)
  expect((await ask(url(), '/internal/usage/tools', { secret: null })).status).toBe(401)
})

verifies('toolcore:paths', async () => {
  expect(await ask(url(), '/internal/tools', { method: 'POST', body: {} })).toMatchObject({
    status: 405,
    body: { detail: 'Method Not Allowed' },
  })
  const put = await ask(url(), '/internal/tools/call', { method: 'PUT', body: {} })
  expect({ ...put, allow: put.headers.get('Allow') }).toMatchObject({ status: 405, allow: 'POST' })
  const redirected = await ask(url(), '/internal/tools/?agent_id=x')
  expect(redirected.status).toBe(307)
  const target = new URL(redirected.headers.get('Location') ?? '', `${url()}/internal/tools/?agent_id=x`)
  expect(`${target.pathname}${target.search}`).toBe('/internal/tools?agent_id=x')
})

verifies('toolcore:session', async () => {
  const named = { agent_id: '長'.repeat(200), microdao_id: 'm'.repeat(600) }
  expect((await call(url(), 'for.all', named)).body).toMatchObject({ ok: true })
  await call(url(), 'for.all', { agent_id: 'agent:history', args: { n: 1 } })
  const name = encodeURIComponent('toolcore/microdao%3A7/agent%3Ahistory')
  const { body } = await ask(url(), `/v1/sessions/${name}/calls`)
  expect(body.data).toMatchObject([{ tool: 'registered_call', state: 'done' }])
})
