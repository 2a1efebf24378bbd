import { afterAll, expect } from 'vitest'
import { dnsAnswer, jsonAnswer, type StandIn, startStandIn } from '../../support/stand-in.ts'
import { register } from '../toolcore/support.ts'
import { aServer, fresh, verifies } from './support.ts'

let service: StandIn
const server = aServer(async () => {
  service = await startStandIn((request) =>
    request.url.pathname === '/dns-query'
      ? dnsAnswer({}, request)
      : jsonAnswer({ args: JSON.parse(request.body).args }),
  )
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: service.host, DNS_RESOLVER_URL: `${service.url}/dns-query` } }
})
afterAll(() => service.stop())

const input_schema = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] }

verifies('lagent:registered', async () => {
  const tool = { target: `${service.url}/any`, input_schema }
  await register(server.toolyard(), [
    { ...tool, id: 'weather.today', description: 'The weather' },
    { ...tool, id: 'tides', toolkit: 'Sea' },
    { ...tool, id: 'file_read' },
    { ...tool, id: 'depths', toolkit: 'files' },
    { ...tool, id: 'secret', hidden: true },
    { ...tool, id: 'off', enabled: false },
    { ...tool, id: 'anything', input_schema: { type: 'object' } },
    { ...tool, id: 'nothing', input_schema: { type: 'object', properties: {}, additionalProperties: false } },
    { ...tool, id: 'theirs', allowed_agents: ['agent:x'] },
  ])
  const listed = async (query = '') => {
    const { body } = await server.ask(`/lagent/tools${query}`)
    return (body as { tools: { name: string }[] }).tools
  }
  const names = (await listed()).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['weather.today', 'Sea.tides']))
  expect(names.filter((name) => ['secret', 'off', 'theirs'].includes(name))).toEqual([])
  expect(names).toHaveLength(new Set(names).size)
  expect((await listed('?agent=agent:x')).map(({ name }) => name)).toContain('theirs')
  expect((await listed()).find(({ name }) => name === 'weather.today')).toMatchObject({
    description: 'The weather',
    parameters: [{ name: 'place', type: 'STRING', description: '' }],
    required: ['place'],
  })

  const session = fresh()
  const call = (name: string, more: object = {}) =>
    server.execute({ session, name, inputs: { place: 'Kiel' }, ...more })
  for (const [name, type] of [
    ['weather.today', 'weather.today'],
    ['weather__today', 'weather.today'],
    ['weather.today@1', 'weather.today@1'],
    ['Sea.tides', 'Sea'],
    ['tides', 'tides'],
    ['secret', 'secret'],
    ['files.depths', 'files'],
  ] as const) {
    expect(await call(name)).toMatchObject({ type, state: 0, args: { place: 'Kiel' } })
  }
  expect((await call('tides')).result).toEqual([{ type: 'text', content: '{"args":{"place":"Kiel"}}' }])
  const inputs = '```json\n{"a": 1, "b": [2]}\n```'
  expect(await call('anything', { inputs })).toMatchObject({ state: 0, args: { a: 1, b: [2] } })
  expect(await call('anything', { inputs: '[1]' })).toMatchObject({ state: -1001 })
  expect(await call('nothing', { inputs })).toMatchObject({ state: -1001 })
  expect(await call('weather.today', { inputs: '{}' })).toMatchObject({
    errmsg: "missing required arguments: {'place'}",
  })
  for (const name of ['off', 'theirs', 'Lake.tides', 'weather.tomorrow']) {
    expect(await call(name)).toMatchObject({ type: 'InvalidAction', valid: -2 })
  }
  expect(await call('theirs', { agent: 'agent:x' })).toMatchObject({ type: 'theirs', state: 0 })
  expect(await call('files.nothing')).toMatchObject({
    errmsg: expect.stringMatching(/^invalid API: nothing; call files\./),
  })
  expect(await call('file_read')).toMatchObject({ errmsg: "unknown arguments: {'place'}" })
})
