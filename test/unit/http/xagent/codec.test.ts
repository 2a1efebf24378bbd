import { describe, expect, it } from 'vitest'
import { encodeOutcome, wrap } from '../../../../src/http/dialects/xagent/codec.ts'
import { xagent } from '../../../../src/http/dialects/xagent/routes.ts'
import { Surface } from '../../../../src/http/dialects/xagent/surface.ts'
import { ENVS, FUNCTIONS, type XAgentTool } from '../../../../src/http/dialects/xagent/tools.ts'
import { mediaType } from '../../../../src/http/media-type.ts'
import { catalog } from '../../../../src/tools/catalog.ts'

const tool = (name: string): XAgentTool => ({
  name,
  tool: `core_${name}`,
  description: `${name} `.repeat(1_000),
  parameters: [
    { name: 'shown', type: 'string', description: 'defaults to 5', optional: true, fallback: '5', as: 'core_shown' },
    { name: 'secret', type: 'boolean', description: 'x', optional: true, hidden: true, as: 'core_secret' },
    { name: 'unused', type: 'string', description: 'x', as: null },
  ],
  value: ({ data }) => data,
})
const many = (count: number) => Array.from({ length: count }, (_, at) => tool(`t${at}`))

describe('the lists', () => {
  it('show fifty tools of an env, a mark where there are more, and how many there are', () => {
    const surface = new Surface(
      [
        { name: 'Full', description: 'd', tools: many(50) },
        { name: 'Long', description: 'd', tools: many(51) },
      ],
      [],
    )
    const [full, long] = surface.available().available_envs
    expect([full?.total_tools, full?.tools.length, full?.tools.at(-1)]).toEqual([50, 50, 't49'])
    expect([long?.total_tools, long?.tools.length, long?.tools.at(-2), long?.tools.at(-1)]).toEqual([
      51,
      51,
      't49',
      '...',
    ])
    expect(surface.available().available_tools).toHaveLength(101)
    expect(surface.envs(['Long']).envs_json[0]?.tools).toHaveLength(51)
  })

  it('leave out tools that are hidden, which are found by name all the same', () => {
    const surface = new Surface([{ name: 'Api', description: 'd', hidden: true, tools: many(2) }], [tool('f')])
    const { available_envs, available_tools, tools_json } = surface.available()
    expect(available_tools).toEqual(['f'])
    expect(tools_json.map(({ name }) => name)).toEqual(['f'])
    expect(available_envs).toEqual([
      { name: 'Api', description: expect.stringMatching(/^d\nNote: /), total_tools: 2, tools: ['t0', 't1'] },
    ])
    expect(surface.schemas(['Api_t1', 't1'])).toMatchObject({ tools_json: [{ name: 'Api_t1' }], missing_tools: ['t1'] })
    expect(surface.find('Api_t0')).toBeDefined()
  })

  it('cut descriptions at 1,024 characters, show defaults as text, and no hidden parameter', () => {
    const [json] = new Surface([], [tool('f')]).schemas(['f']).tools_json
    expect(json?.description).toHaveLength(1_024)
    expect(json?.parameters).toEqual({
      type: 'object',
      properties: {
        shown: { type: 'string', description: 'defaults to 5', default: '5' },
        unused: { type: 'string', description: 'x' },
      },
      required: ['unused'],
    })
  })

  it('lead to tools that the core has, in envs whose names end where tools begin', () => {
    const known = new Map(
      [...catalog.list(), ...catalog.toolkits().flatMap(({ tools }) => tools)].map((t) => [t.name, t]),
    )
    for (const { tool: name, parameters, fixed = {} } of [...ENVS.flatMap(({ tools }) => tools), ...FUNCTIONS]) {
      const taken = Object.keys((known.get(name)?.inputSchema.properties as object | undefined) ?? {})
      const given = [...parameters.flatMap(({ as }) => as ?? []), ...Object.keys(fixed)]
      expect([name, given.filter((key) => !taken.includes(key))]).toEqual([name, []])
      expect(known.has(name)).toBe(true)
    }
    for (const { name, tools } of ENVS) {
      expect(name).not.toContain('_')
      expect(tools.map((one) => one.name)).toEqual(tools.map((one) => one.name).sort())
    }
  })
})

describe('an outcome', () => {
  const surface = new Surface([{ name: 'Env', description: 'd', tools: [tool('t')] }], [])
  const encoded = (outcome: Parameters<typeof encodeOutcome>[0]) => encodeOutcome(outcome, tool('t'), surface)

  it('that is pending is 450, and says what to call next in the words of the client', () => {
    const soFar = { text: 'working', data: {} }
    const next = { tool: 'core_t', args: { core_shown: 'x', other: 1 } }
    expect(encoded({ kind: 'pending', soFar, next, retryAfterMs: 1_000 })).toEqual({
      status: 450,
      body: { detail: { type: 'retry', next_calling: 'Env_t', arguments: { shown: 'x' } } },
    })
  })

  it('that failed is 500 in one line, whatever failed', () => {
    const failure = { code: 'timeout', message: 'took too long; try again' } as const
    for (const kind of ['failed', 'refused'] as const) {
      expect(encoded({ kind, failure })).toEqual({
        status: 500,
        body: { detail: 'TimeoutError: took too long; try again' },
      })
    }
  })
})

describe('a value', () => {
  it('that is plain stays as it is', () => {
    for (const value of ['text', 5, 1.5, true, null, [], [{ a: 1 }]]) expect(wrap(value)).toEqual(value)
    expect(wrap(undefined)).toBeNull()
  })

  it('that is an object says so, unless it says already what it is', () => {
    expect(wrap({ a: 1 })).toEqual({ type: 'simple', data: { a: 1 } })
    expect(wrap({ type: 'file', data: 1 })).toEqual({ type: 'simple', data: { type: 'file', data: 1 } })
    expect(wrap({ type: 'simple' })).toEqual({ type: 'simple', data: { type: 'simple' } })
    expect(wrap({ type: 'simple', data: 1 })).toEqual({ type: 'simple', data: 1 })
  })

  it('that is binary has a media type and never a name that is null', () => {
    expect(wrap({ type: 'binary', name: null, data: 'eA==' })).toEqual({
      type: 'binary',
      media_type: 'application/octet-stream',
      data: 'eA==',
    })
    const image = { type: 'binary', media_type: 'image/png', name: 'a.png', data: 'eA==' }
    expect(wrap({ type: 'composite', data: ['text', image, { ...image, name: null }, { a: 1 }] })).toEqual({
      type: 'composite',
      data: ['text', image, { type: 'binary', media_type: 'image/png', data: 'eA==' }, { a: 1 }],
    })
  })
})

it('names the type of a file by its ending, and never one that is not known', () => {
  expect(['a.PNG', 'b/c.tar.gz', 'x', '.txt', 'a.exe'].map(mediaType)).toEqual([
    'image/png',
    'application/gzip',
    'application/octet-stream',
    'text/plain; charset=utf-8',
    'application/octet-stream',
  ])
})

it('owns its paths, and / for those who show a node', () => {
  const owns = (path: string, cookie = '') => xagent.owns(path, new Headers(cookie ? { Cookie: cookie } : {}))
  for (const path of [
    '/alive',
    '/get_cookie',
    '/get_cookies/',
    '/execute_tool',
    '/retrieving_tools',
    '/download_workspace',
  ]) {
    expect([path, owns(path)]).toEqual([path, true])
  }
  for (const path of ['/', '/api/tools', '/register_new_tools', '/execute_tool/x', '/health', '/v1/tools', '/get']) {
    expect([path, owns(path)]).toEqual([path, false])
  }
  expect([owns('/', 'node_id=x'), owns('/', 'a=1; node_id='), owns('/', 'other_node_id=x')]).toEqual([
    true,
    true,
    false,
  ])
})
