import { afterAll, expect, it } from 'vitest'
import { Client } from '../dialects/xagent/support.ts'
import { Pace } from '../support/pace.ts'
import { runningToolyard } from '../support/running-toolyard.ts'
import { jsonAnswer, type StandIn, startStandIn } from '../support/stand-in.ts'
import { newOwner } from '../support/tenants.ts'

const SECRET = 'secret-of-the-first-tenant-0123456789'

let inner: StandIn | undefined
let service: StandIn | undefined
const toolyard = runningToolyard(async () => {
  inner = await startStandIn(() => jsonAnswer({ inner: true }))
  service = await startStandIn(({ path, headers }) => {
    if (path.startsWith('/inwards')) return { status: 307, headers: { location: `${inner?.url}/` } }
    if (path.startsWith('/drips')) {
      return (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const drip = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(drip))
      }
    }
    if (path.startsWith('/endless')) return { body: 'x'.repeat(6 * 1024 * 1024) }
    return jsonAnswer(headers)
  })
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: service.host } }
})
afterAll(async () => {
  await service?.stop()
  await inner?.stop()
})

/** A tenant with these tools and a node. */
async function aTenant(tools: Readonly<Record<string, object>>) {
  const { key } = await newOwner(toolyard())
  const ask = async (method: string, path: string, body: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${toolyard().url}${path}`, { method, headers, body: JSON.stringify(body) })
    expect([path, answer.ok, await answer.text()]).toEqual([path, true, expect.anything()])
  }
  for (const [id, fields] of Object.entries(tools)) {
    const definition = { name: id, description: 'A tool.', input_schema: {}, ...fields }
    await ask('PUT', `/v1/tools/registered/${id}`, definition)
  }
  const node = await Client.connect(`${toolyard().url}/k/${key}`)
  return { node, ask }
}

const http = (path: string, request?: object) => ({
  executor: { kind: 'http', target: `${service?.url}${path}`, ...(request && { request }) },
})

it('a tool reads its own tenant’s secrets and no other’s, whatever it calls them', async () => {
  const auth = { auth: [{ type: 'header', name: 'X-Key', secret: 'SHARED_NAME' }] }
  const [one, other] = [await aTenant({ mine: http('/', auth) }), await aTenant({ mine: http('/', auth) })]
  await one.ask('PUT', '/v1/secrets/SHARED_NAME', { value: SECRET })
  const before = service?.requests.length ?? 0
  expect(await other.node.failure('mine')).toContain('SHARED_NAME')
  expect(service?.requests).toHaveLength(before)
  const answer = JSON.stringify(await one.node.value('mine'))
  expect(service?.requests.at(-1)?.headers['x-key']).toBe(SECRET)
  expect(answer).toContain('"x-key":"***"')
  expect(answer).not.toContain(SECRET)
})

it('a service cannot redirect a tool to a private address, nor its secret', async () => {
  const auth = { auth: [{ type: 'bearer', secret: 'TOKEN' }] }
  const { node, ask } = await aTenant({
    plain: http('/inwards'),
    asking: http('/inwards', auth),
    get: http('/inwards', {}),
  })
  await ask('PUT', '/v1/secrets/TOKEN', { value: SECRET })
  expect(await node.failure('plain')).toContain('HTTP 307')
  expect(await node.failure('asking')).toContain('refused')
  expect(await node.failure('get')).toContain('refused')
  expect(inner?.requests).toEqual([])
})

it('a service that drips, or never ends, holds a call no longer than its time and its size', async () => {
  const { node } = await aTenant({
    drips: { ...http('/drips'), timeout: 2 },
    waiting: { ...http('/drips', {}), timeout: 2 },
    endless: http('/endless', {}),
    prompt: { ...http('/'), timeout: 60 },
  })
  const pace = new Pace(() => node.value('prompt'))
  const timedOut = (name: string) => pace.answeredAtDeadline(2, () => node.failure(name))
  expect(await Promise.all([timedOut('drips'), timedOut('waiting')])).toEqual([
    'TimeoutError: Timeout after 2s',
    'TimeoutError: Timeout after 2s',
  ])
  expect(await node.failure('endless')).toContain('larger than')
})

it('arguments neither leave the path nor make a header', async () => {
  const { node } = await aTenant({ tool: http('/pets/{id}', { headers: { 'X-Note': '{note}' } }) })
  const before = service?.requests.length ?? 0
  for (const args of [{ id: '../admin' }, { id: '..' }, { id: '' }, { id: '1', note: 'a\r\nX-Admin: 1' }]) {
    expect(await node.failure('tool', args)).toMatch(/^ValueError/)
  }
  expect(service?.requests).toHaveLength(before)
  await node.value('tool', { id: '?admin=1#/x', note: 'ok' })
  expect(service?.requests.at(-1)?.path).toBe('/pets/%3Fadmin%3D1%23%2Fx')
})

it('are listed by nobody when they are too much for an isolate that others use too', async () => {
  const { key } = await newOwner(toolyard())
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const send = async (method: string, path: string, body?: object, more: object = {}) => {
    const sent = { method, headers: { ...headers, ...more }, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(`${toolyard().url}${path}`, sent)
    return { status: answer.status, cookie: answer.headers.get('set-cookie') ?? '', text: await answer.text() }
  }
  const input_schema = { properties: Object.fromEntries(Array.from({ length: 8_000 }, (_, at) => [`p${at}`, {}])) }
  const tools = Array.from({ length: 60 }, (_, at) => ({
    id: `large${at}`,
    name: 'Large',
    description: '',
    input_schema,
    executor: { kind: 'http', target: 'https://large.example/' },
  }))
  // Few at once: the time of one reading is by the clock, which a busy machine reaches sooner.
  for (let at = 0; at < tools.length; at += 6) {
    expect(await send('POST', '/v1/tools/import', tools.slice(at, at + 6))).toMatchObject({ status: 200 })
  }
  const tooMuch = { status: 413, text: expect.stringContaining('MAX_HELD_TOOL_CHARS') }
  expect(await send('GET', '/internal/tools')).toMatchObject(tooMuch)
  const { cookie } = await send('POST', '/get_cookie', {})
  const shown = await send('POST', '/get_available_tools', {}, { cookie: cookie.split(';')[0] })
  expect(shown.text).toContain('MAX_HELD_TOOL_CHARS')
  expect(await send('GET', '/v1/tools/registered/large7')).toMatchObject({ status: 200 })
})
