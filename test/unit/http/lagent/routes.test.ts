import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../../src/auth/principal.ts'
import type { Actor } from '../../../../src/core/actor.ts'
import { tenantId } from '../../../../src/core/ids.ts'
import type { Outcome, ToolCall } from '../../../../src/core/outcome.ts'
import type { RequestScope, Services } from '../../../../src/http/dialect.ts'
import { lagent } from '../../../../src/http/dialects/lagent/routes.ts'
import type { SessionApi } from '../../../../src/session/api.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { NO_TOOLS } from '../../../support/no-tools.ts'

const NOBODY: RequestScope = {
  requestId: 'r',
  caller: { failure: { code: 'unauthenticated', message: 'this request has no API key' } },
}

/** One session, that answers as it is told. */
function aCaller(session: Partial<SessionApi> = {}, scopes: readonly Scope[] = ['execute']): RequestScope {
  const services = {
    tools: catalog.list(),
    toolkits: catalog.toolkits(),
    tenant: NO_TOOLS,
    key: 'k',
    session: () => session,
  } as unknown as Services // no more of it is asked for here
  return { requestId: 'r', caller: { principal: { tenant: tenantId('acme'), scopes, keyId: 'k' }, services } }
}

const answering = (outcome: Outcome) => aCaller({ call: async () => outcome })

async function ask(path: string, scope: RequestScope, body?: unknown) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await lagent.app.fetch(new Request(`http://localhost${path}`, init), scope)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const execute = (scope: RequestScope, name = 'dir_list', inputs: unknown = {}) =>
  ask('/lagent/execute', scope, { name, inputs })

it("describes with the keys in Lagent's order, which a prompt shows", async () => {
  const { tools } = (await ask('/lagent/tools', aCaller({}, ['read']))).body as { tools: object[] }
  const keys = ['name', 'description', 'parameters', 'required', 'return_data', 'parameter_description']
  for (const tool of tools) expect(Object.keys(tool)).toEqual(keys.filter((key) => key in tool))
})

describe('who may', () => {
  it('nothing, without a key', async () => {
    for (const path of ['/lagent/tools', '/lagent/tools/file_read']) expect((await ask(path, NOBODY)).status).toBe(401)
    expect(await execute(NOBODY)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })

  it('look but not call, with a key that may read', async () => {
    const reader = aCaller({}, ['read'])
    expect((await ask('/lagent/tools', reader)).status).toBe(200)
    expect(await execute(reader)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  it('call, and is named to the session with the agent', async () => {
    const calls: [ToolCall, Actor | undefined][] = []
    const call = async (toolCall: ToolCall, by?: Actor): Promise<Outcome> => {
      calls.push([toolCall, by])
      return { kind: 'done', result: { text: 'ok', data: {} } }
    }
    const body = { name: 'dir_list', inputs: '()', agent: 'agent:x' }
    expect((await ask('/lagent/execute', aCaller({ call }), body)).body).toMatchObject({ state: 0 })
    expect(calls).toEqual([
      [
        { tool: 'dir_list', args: {} },
        { key: 'k', agent: 'agent:x' },
      ],
    ])
  })
})

describe('an answer', () => {
  it('says nothing of what broke inside, which goes to the log', async () => {
    const thrown: unknown[] = []
    const call = () => Promise.reject(new Error('secret place'))
    const scope = { ...aCaller({ call }), report: (what: unknown) => thrown.push(what) }
    const { status, body } = await execute(scope)
    expect([status, body.state, body.result]).toEqual([200, -1002, null])
    expect(body.errmsg).toMatch(/^internal error/)
    expect(thrown).toEqual([expect.objectContaining({ message: 'secret place' })])
  })

  it.each([
    ['failed', 'upstream', -1000],
    ['failed', 'timeout', -1000],
    ['failed', 'conflict', -1002],
    ['refused', 'invalid_input', -1001],
    ['refused', 'forbidden', -1002],
  ] as const)('tells why: %s by %s is %i', async (kind, code, state) => {
    const { body } = await execute(answering({ kind, failure: { code, message: 'because' } }))
    expect(body).toMatchObject({ state, errmsg: 'because', result: null, type: 'dir_list', args: {}, valid: 0 })
  })

  it('tells why a session cannot be made', async () => {
    const refused: Outcome = { kind: 'refused', failure: { code: 'session_not_found', message: 'no such session' } }
    const failure = { code: 'limit_exceeded', message: 'there are 100000 tasks already' } as const
    const full = aCaller({ call: async () => refused, create: async () => ({ failure }) })
    expect((await execute(full)).body).toMatchObject({ state: -1002, errmsg: 'there are 100000 tasks already' })
  })

  it('makes a session where there is none, and none where only the tool is missing', async () => {
    const requests: string[] = []
    const missing = (code: 'session_not_found' | 'not_found') =>
      aCaller({
        async call() {
          requests.push('call')
          return requests.includes('create')
            ? { kind: 'done', result: { text: 'ok', data: {} } }
            : { kind: 'refused', failure: { code, message: 'missing' } }
        },
        async create() {
          requests.push('create')
          const info = { name: 's', nodeId: 'n', title: 't', requirements: [], createdAt: 0 }
          return { created: true, info }
        },
      })
    expect((await execute(missing('not_found'))).body).toMatchObject({ errmsg: 'missing' })
    expect(requests.splice(0)).toEqual(['call'])
    expect((await execute(missing('session_not_found'))).body).toMatchObject({ state: 0 })
    expect(requests).toEqual(['call', 'create', 'call'])
  })

  it("has a tool's data as Lagent's JSON where an action of its own has that", async () => {
    const done: Outcome = { kind: 'done', result: { text: 'far', data: { distance: '5 km €' } } }
    const { body } = await execute(answering(done), 'BINGMap.get_distance', { start: 'a', end: 'b' })
    expect(body.result).toEqual([{ type: 'text', content: '{"distance": "5 km €"}' }])
  })
})
