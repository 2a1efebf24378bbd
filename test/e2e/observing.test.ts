import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSpans } from '../support/otlp-spans.ts'
import { readPrometheus } from '../support/prometheus-text.ts'
import { scratchDirectory } from '../support/sandboxd.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { startWorkerd, type Workerd } from '../support/worker/workerd.ts'

const TOKEN = 'metrics-token-of-the-tests'
const ADMIN = 'admin-token-of-the-tests'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

let state: string
let server: Workerd
let collector: StandIn
let service: StandIn

beforeAll(async () => {
  collector = await startStandIn(() => ({ body: '{"partialSuccess":{}}' }))
  service = await startStandIn(() => ({ body: '{"fine":true}' }))
  state = await scratchDirectory()
  server = await startWorkerd(state, {
    ADMIN_TOKEN: ADMIN,
    METRICS_TOKEN: TOKEN,
    LOG_CALLS: 'true',
    OTLP_URL: `${collector.url}/v1/traces`,
    OTLP_HEADERS: 'x-team=sea%20otters,authorization=Bearer%20c',
    OTLP_RATIO: '0',
    DANGEROUSLY_ALLOW_HOSTS: service.host,
  })
  await send('POST', '/api/task/create?task_id=seen&task_name=Seen')
  await send('PUT', '/v1/tools/registered/maria_lookup', {
    ...{ name: 'maria_lookup', description: 'Looks Maria up.', input_schema: {} },
    executor: { kind: 'http', target: `${service.url}/run` },
  })
})
afterAll(async () => {
  await server?.kill()
  await collector?.stop()
  await service?.stop()
  if (state) await rm(state, { recursive: true, force: true })
})

async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await fetch(server.url + path, {
    method,
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, id: answer.headers.get('X-Request-Id'), text: await answer.text() }
}
const call = (tool: string, args: object, traceparent?: string) =>
  send('POST', '/v1/sessions/seen/calls', { tool, arguments: args }, traceparent ? { traceparent } : {})
const metricsBy = (token: string) => send('GET', '/metrics', undefined, { Authorization: `Bearer ${token}` })
const lines = () =>
  server
    .logs()
    .split('\n')
    .filter((line) => line.includes('"message":"call"'))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Record<string, unknown>)
const spans = () => collector.requests.flatMap(({ body }) => readSpans(body))

it('each call has one line in the log and one count in the metrics, with its tool and end, and no name, path or content', async () => {
  const wrote = await call('file_write', { file_path: 'plan-of-maria.txt', content: 'content-of-maria' })
  const missing = await call('file_read', { file_path: 'plan-of-nobody.txt' })
  const looked = await call('maria_lookup', {})
  const unknown = await call('maria_unknown', {})
  await expect
    .poll(() => lines().map(({ requestId }) => requestId))
    .toEqual([wrote, missing, looked, unknown].map(({ id }) => id))

  const common = { level: 'info', message: 'call', tenant: 'dev', dialect: 'v1' }
  const numbers = { ms: expect.any(Number), sandboxMs: 0, queueMs: expect.any(Number) }
  const kept = { time: expect.stringMatching(/^\d{4}-.*Z$/), bytesIn: expect.any(Number), bytesOut: expect.any(Number) }
  const line = { ...common, ...numbers, ...kept, requestId: expect.any(String), traceId: expect.any(String) }
  expect(lines()).toEqual([
    { ...line, tool: 'file_write', outcome: 'done', reason: null },
    { ...line, tool: 'file_read', outcome: 'failed', reason: 'not_found' },
    { ...line, tool: 'registered', outcome: 'done', reason: null },
    { ...line, tool: 'registered', outcome: 'refused', reason: 'not_found' },
  ])
  expect(lines()[0]?.bytesIn).toBeGreaterThan('content-of-maria'.length)

  const answer = await metricsBy(TOKEN)
  expect(answer.status).toBe(200)
  const { samples } = readPrometheus(answer.text)
  expect([...samples].filter(([name]) => /^toolyard_call(?:s|_failures)_total/.test(name))).toEqual([
    ['toolyard_calls_total{tool="file_read",outcome="failed"}', 1],
    ['toolyard_calls_total{tool="file_write",outcome="done"}', 1],
    ['toolyard_calls_total{tool="registered",outcome="done"}', 1],
    ['toolyard_calls_total{tool="registered",outcome="refused"}', 1],
    ['toolyard_call_failures_total{reason="not_found"}', 2],
  ])
  expect(samples.get('toolyard_call_duration_seconds_count{tool="registered"}')).toBe(2)
  expect(samples.get('toolyard_sandboxes_running')).toBe(0)
  expect(server.logs() + answer.text).not.toMatch(/maria|nobody/)
})

it('metrics are for the owner: a token of the server opens them, and nothing else', async () => {
  expect((await metricsBy(ADMIN)).status).toBe(200)
  expect((await send('GET', '/metrics')).status).toBe(401)
  expect((await metricsBy(`${TOKEN}x`)).status).toBe(401)
  expect((await send('POST', '/metrics')).status).toBe(405)
})

it('a sampled trace goes on: its calls are spans of the collector, and the service of a tool is below the call', async () => {
  expect(spans()).toEqual([]) // OTLP_RATIO is 0, and no request had a trace
  const begunAt = Date.now()
  const looked = await call('maria_lookup', {}, `00-${TRACE}-${CALLER}-01`)
  await call('file_read', { file_path: 'plan-of-nobody.txt' }, `00-${TRACE}-${CALLER}-01`)
  await expect.poll(() => spans().length).toBe(2)

  const [registered, read] = spans()
  expect(registered).toMatchObject({
    ...{ traceId: TRACE, parentSpanId: CALLER, name: 'execute_tool registered', status: {} },
    attributes: { 'gen_ai.tool.name': 'registered', 'toolyard.tenant': 'dev', 'toolyard.request_id': looked.id },
  })
  expect(read).toMatchObject({
    ...{ traceId: TRACE, parentSpanId: CALLER, name: 'execute_tool file_read', status: { code: 2 } },
    attributes: { 'error.type': 'not_found', 'toolyard.outcome': 'failed', 'toolyard.dialect': 'v1' },
  })
  const [start, end] = [BigInt(read?.startTimeUnixNano ?? 0), BigInt(read?.endTimeUnixNano ?? 0)]
  expect(start).toBeGreaterThanOrEqual(BigInt(begunAt) * 1_000_000n)
  expect(end).toBeGreaterThanOrEqual(start)
  expect(service.requests.at(-1)?.headers.traceparent).toBe(`00-${TRACE}-${registered?.spanId}-01`)
  expect(collector.requests[0]).toMatchObject({
    ...{ method: 'POST', path: '/v1/traces' },
    headers: { 'content-type': 'application/json', 'x-team': 'sea otters', authorization: 'Bearer c' },
  })
  expect(lines().at(-1)).toMatchObject({ traceId: TRACE })
  expect(JSON.stringify(spans())).not.toMatch(/maria|nobody/)
})

it('a trace that is not sampled goes on to the service, and leaves no span', async () => {
  const before = spans().length
  await call('maria_lookup', {}, `00-${TRACE}-${CALLER}-00`)
  expect(service.requests.at(-1)?.headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`))
  await call('file_read', { file_path: 'plan-of-nobody.txt' }, `00-${TRACE}-${CALLER}-01`)
  await expect.poll(() => spans().length).toBe(before + 1)
})
