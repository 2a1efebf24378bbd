import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../src/auth/principal.ts'
import type { Outcome, ToolCall } from '../../../src/core/outcome.ts'
import { restrictedTenant } from '../../../src/http/child-keys/restricted-tenant.ts'
import type { DialectApp } from '../../../src/http/dialect.ts'
import { lagent } from '../../../src/http/dialects/lagent/routes.ts'
import { toolcore } from '../../../src/http/dialects/toolcore/routes.ts'
import { toolserver } from '../../../src/http/dialects/toolserver/routes.ts'
import { xagent } from '../../../src/http/dialects/xagent/routes.ts'
import { ToolFinder } from '../../../src/http/tool-finder.ts'
import type { BroughtTool } from '../../../src/ports/toolbox.ts'
import { ToolDefinition, ToolPolicy } from '../../../src/registry/definition.ts'
import { Neighbours } from '../../../src/retrieval/neighbours.ts'
import type { Visit } from '../../../src/session/api.ts'
import type { TenantApi } from '../../../src/tenant/api.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import { failureOf } from '../../support/failure-of.ts'
import { openV1 } from './v1/open.ts'

const NODE = 'a'.repeat(64)
const TABLE = new Neighbours(Uint8Array.from(readFileSync('src/assets/neighbours.bin')).buffer)

/** All dialects over one tenant, whose sessions note the calls that they get. */
function anOpen(own: readonly BroughtTool[] = []) {
  const made: ToolCall[] = []
  const call = async (given: ToolCall): Promise<Outcome> => {
    made.push(given)
    return { kind: 'done', callId: 'c', result: { text: 'shown', data: { content: 'shown' } } }
  }
  const visit = async (_id: string, given?: ToolCall): Promise<Visit> => ({
    state: 'running',
    ...(given && { outcome: await call(given) }),
  })
  const session = { call, nodes: { visit }, tools: { list: async () => own }, info: async () => ({}), calls: {} }
  const finder = new ToolFinder(async () => TABLE)
  const opened = openV1({
    ...{ tools: catalog.list(), toolkits: catalog.toolkits(), mayAdmin: true },
    registeredTools: async () => ({
      tools: [],
      find: ({ findable, question, limit }) => finder.findByWords(findable, question, limit),
    }),
    session: () => session as never, // no more of it is asked for
    node: async (id) => (id === NODE ? (session as never) : null),
  })
  const ask = async (app: DialectApp, path: string, body?: unknown, scopes: readonly Scope[] = ['admin']) => {
    const request = new Request(`http://localhost${path}`, {
      headers: { Cookie: `node_id=${NODE}`, 'Content-Type': 'application/json', 'X-Internal-Secret': 's' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    const response = await app.fetch(request, opened.inTenant('acme', scopes))
    return { status: response.status, body: (await response.json()) as Lists }
  }
  /** Names that the lists of each API have, by the API's path. */
  const lists = async (): Promise<Record<string, string[]>> => ({
    '/': (await ask(toolserver.app, '/')).body.tools,
    '/api/tools': (await ask(toolserver.app, '/api/tools')).body.data,
    '/api/tools/info': Object.keys((await ask(toolserver.app, '/api/tools/info')).body.data.parameters),
    '/get_available_tools': (await ask(xagent.app, '/get_available_tools', {})).body.available_tools,
    '/retrieving_tools': (
      await ask(xagent.app, '/retrieving_tools', { question: 'another part of an answer that was cut', top_k: 3 })
    ).body.retrieved_tools,
    '/internal/tools': named((await ask(toolcore.app, '/internal/tools')).body.tools),
    '/lagent/tools': named((await ask(lagent.app, '/lagent/tools?format=openai')).body.tools),
    '/v1/tools': named((await opened.call('GET', '/v1/tools?limit=500')).body.data as Named[]),
  })
  return { ...opened, made, ask, lists }
}

/** What lists of the APIs answer, as far as it is looked at. */
interface Lists {
  readonly tools: string[] & Named[]
  readonly data: string[] & { readonly parameters: object }
  readonly available_tools: string[]
  readonly retrieved_tools: string[]
}
type Named = { readonly name?: string; readonly function?: { readonly name: string } }
const named = (tools: readonly Named[]) => tools.map(({ name, function: inside }) => name ?? inside?.name ?? '')

const withTool = (lists: Record<string, string[]>) =>
  Object.entries(lists).flatMap(([path, names]) => (names.some((name) => name.endsWith('result_query')) ? [path] : []))

describe('a toolkit that a tenant lists', () => {
  it('is in the lists of every API from then on, until it is taken out; what they had stays as it was', async () => {
    const { lists, fetch, call } = anOpen()
    const before = await lists()
    expect(withTool(before)).toEqual([])
    const put = await call('PUT', '/v1/toolkits/answers/listed')
    expect(put).toEqual({
      status: 200,
      body: { name: 'answers', description: expect.any(String), tools: ['result_query'], listed: true },
    })
    const after = await lists()
    expect(withTool(after)).toEqual(Object.keys(after))
    for (const [path, names] of Object.entries(before)) {
      const others = after[path]?.filter((name) => !name.endsWith('result_query'))
      if (path !== '/retrieving_tools') expect(others, path).toEqual(names)
    }
    expect((await fetch('DELETE', '/v1/toolkits/answers/listed')).status).toBe(204)
    expect(await lists()).toEqual(before)
  })

  it('is shown by /v1/toolkits beside the others, and an unknown one is refused with the nearest name', async () => {
    const { call } = anOpen()
    await call('PUT', '/v1/toolkits/math/listed')
    const { data } = (await call('GET', '/v1/toolkits')).body as { data: { name: string; listed: boolean }[] }
    expect(data.map(({ name }) => name)).toEqual(
      catalog
        .toolkits()
        .map(({ name }) => name)
        .sort(),
    )
    expect(data.filter(({ listed }) => listed)).toEqual([
      { name: 'math', description: expect.any(String), tools: ['calculate'], listed: true },
    ])
    expect((await call('GET', '/v1/toolkits/math')).body).toMatchObject({ listed: true })
    for (const method of ['PUT', 'DELETE']) {
      const { status, body } = await call(method, '/v1/toolkits/answer/listed')
      expect({ status, body }).toMatchObject({ status: 404, body: { detail: expect.stringContaining('answers') } })
    }
  })

  it('stays listed when the tenant’s object was evicted, is in the audit log once, and lists nothing for other tenants', async () => {
    const { call, tenant, reopen } = anOpen()
    await call('PUT', '/v1/toolkits/answers/listed')
    await call('PUT', '/v1/toolkits/answers/listed')
    expect(await reopen().toolkits.listed()).toEqual(['answers'])
    const { lines } = await tenant.audit.page({ after: 0, limit: 10 })
    expect(lines.map((line) => JSON.parse(line)).map(({ action, subject, key }) => [action, subject, key])).toEqual([
      ['toolkit.list', 'answers', 'k'],
    ])
    expect(withTool(await anOpen().lists())).toEqual([])
  })

  it('is listed by a key with the scope admin alone, and never by a child key for some sessions', async () => {
    const { fetch, tenant } = anOpen()
    for (const scope of ['read', 'execute'] as const) {
      expect((await fetch('GET', '/v1/toolkits', undefined, [scope])).status).toBe(200)
      for (const method of ['PUT', 'DELETE']) {
        expect((await fetch(method, '/v1/toolkits/answers/listed', undefined, [scope])).status).toBe(403)
      }
    }
    const child = restrictedTenant(tenant as unknown as TenantApi, { sessions: ['a'] } as never, 'k.1')
    expect(await child.toolkits.listed()).toEqual([])
    const refused = await failureOf(child.toolkits.change('answers', true, { key: 'k.1', agent: null }), 'a change')
    expect(refused).toMatchObject({ code: 'forbidden' })
  })
})

describe('a tool of a toolkit, listed or not', () => {
  const ARGS = { handle: 'result_c7', view: 'tail' }
  const CALLS: readonly [string, DialectApp, string, object][] = [
    ['toolserver', toolserver.app, '/api/tool/execute', { task_id: 't', tool_name: 'result_query', params: ARGS }],
    ['xagent', xagent.app, '/execute_tool', { tool_name: 'result_query', arguments: ARGS }],
    [
      'toolcore',
      toolcore.app,
      '/internal/tools/call',
      { tool_id: 'result_query', agent_id: 'a', microdao_id: 'm', args: ARGS },
    ],
    ['lagent', lagent.app, '/lagent/execute', { session: 's', name: 'result_query', parameters: ARGS }],
  ]

  it.each(CALLS)('is called by its own name in %s, and its text comes back', async (_, app, path, body) => {
    const { ask, made, call } = anOpen()
    for (const isListed of [false, true]) {
      if (isListed) await call('PUT', '/v1/toolkits/answers/listed')
      const answer = await ask(app, path, body, ['execute'])
      expect(answer.status).toBe(200)
      expect(JSON.stringify(answer.body)).toContain('shown')
    }
    expect(made).toEqual([
      { tool: 'result_query', args: ARGS },
      { tool: 'result_query', args: ARGS },
    ])
  })

  it('comes behind a tool of that name that a node, or a tenant, has already', async () => {
    const own = { kind: 'function', source: 'own', name: 'result_query', description: '', parameters: [] } as never
    const { ask, made, tenant } = anOpen([own])
    await ask(xagent.app, '/execute_tool', { tool_name: 'result_query', arguments: ARGS })
    const definition = ToolDefinition.parse({
      ...{ id: 'result_query', name: 'r', description: '', input_schema: {} },
      executor: { kind: 'http', target: 'https://service.example/do' },
    })
    await tenant.tools.change([{ op: 'put', definition, policy: ToolPolicy.parse({}) }], { key: null, agent: null })
    await ask(toolcore.app, '/internal/tools/call', {
      ...{ tool_id: 'result_query', agent_id: 'a', microdao_id: 'm', args: ARGS },
    })
    expect(made.map(({ tool }) => tool)).toEqual(['own_tool_call', 'registered_call'])
  })

  it('goes by the name that XAgent has for it, where it has one', async () => {
    const { ask, made } = anOpen()
    await ask(xagent.app, '/execute_tool', { tool_name: 'file_tree', arguments: {} })
    await ask(xagent.app, '/execute_tool', { tool_name: 'FileSystemEnv_print_filesys_struture', arguments: {} })
    expect(made.map(({ tool }) => tool)).toEqual(['own_tool_call', 'file_tree'])
  })

  it('is described by Toolcore under its name', async () => {
    const { ask } = anOpen()
    const { status, body } = await ask(toolcore.app, '/internal/tools/result_query')
    expect({ status, body }).toMatchObject({ status: 200, body: { id: 'result_query', executor: 'builtin' } })
  })
})
