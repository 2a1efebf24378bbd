import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../../src/auth/principal.ts'
import { FailureError } from '../../../../src/core/failure.ts'
import { tenantId } from '../../../../src/core/ids.ts'
import type { ToolCall } from '../../../../src/core/outcome.ts'
import type { RequestScope, Services } from '../../../../src/http/dialect.ts'
import { xagent } from '../../../../src/http/dialects/xagent/routes.ts'
import type { SessionApi, SessionNodesApi, Visit } from '../../../../src/session/api.ts'
import { NO_TOOLS } from '../../../support/no-tools.ts'

const NODE = 'a'.repeat(64)
const NOBODY: RequestScope = {
  requestId: 'r',
  caller: { failure: { code: 'unauthenticated', message: 'this request has no API key' } },
}

/** One node, of a session that answers as it is told. */
function aCaller(session: Partial<SessionApi> = {}, scopes: readonly Scope[] = ['execute']): RequestScope {
  const services = {
    session: () => session,
    node: async (id: string) => (id === NODE ? session : null),
    registeredTools: async () => ({ tools: [], find: async () => [] }),
    ...{ tenant: NO_TOOLS, toolkits: [] },
  } as unknown as Services // no more of it is asked for here
  return { requestId: 'r', caller: { principal: { tenant: tenantId('acme'), scopes, keyId: 'k' }, services } }
}

const aNode = (nodes: Partial<SessionNodesApi>, scopes?: readonly Scope[]) =>
  aCaller({ nodes: nodes as SessionNodesApi, tools: { list: async () => [] } }, scopes) // no more of it is asked for here

async function post(path: string, scope: RequestScope, body?: unknown) {
  const init = { method: 'POST', headers: { Cookie: `node_id=${NODE}` } }
  const request = new Request(
    `http://localhost${path}`,
    body === undefined ? init : { ...init, body: JSON.stringify(body) },
  )
  const response = await xagent.app.fetch(request, scope)
  return {
    status: response.status,
    body: (await response.json()) as unknown,
    cookie: response.headers.get('Set-Cookie'),
  }
}

const running = async (): Promise<Visit> => ({ state: 'running' })

describe('nodes', () => {
  it('that cannot be made are 503, without a cookie', async () => {
    const failure = { code: 'limit_exceeded', message: 'there are 100000 tasks already' } as const
    expect(await post('/get_cookie', aCaller({ create: async () => ({ failure }) }))).toEqual({
      status: 503,
      body: { detail: 'there are 100000 tasks already' },
      cookie: null,
    })
  })

  it('whose sandbox cannot be ended do not reconnect: 503, and the reason goes to the log', async () => {
    const thrown: unknown[] = []
    const reconnect = () => Promise.reject(new Error('no answer of the host'))
    const scope = { ...aNode({ reconnect }), report: (what: unknown) => thrown.push(what) }
    expect(await post('/reconnect_session', scope)).toMatchObject({
      status: 503,
      body: { detail: 'Node restart timeout!' },
    })
    expect(thrown).toEqual([expect.objectContaining({ message: 'no answer of the host' })])
  })

  it('that were removed meanwhile are as unknown ones', async () => {
    const failure = { code: 'session_not_found', message: 'there is no such task' } as const
    const isGone = () => Promise.reject(new FailureError(failure))
    const gone = { nodes: { visit: isGone, close: isGone, reconnect: isGone }, info: async () => null }
    const invalid = `invalid node_id: ${NODE}`
    expect(await post('/get_available_tools', aCaller(gone))).toMatchObject({ status: 403, body: { detail: invalid } })
    for (const path of ['/close_session', '/reconnect_session', '/release_session']) {
      expect(await post(path, aCaller(gone))).toMatchObject({ status: 200, body: invalid })
    }
  })

  it('are released only by the id that their session has now', async () => {
    let removed = false
    const session = {
      info: async () => ({ name: 'n', nodeId: 'b'.repeat(64), title: '', requirements: [], createdAt: 0 }),
      remove: async () => {
        removed = true
        return true
      },
    }
    expect((await post('/release_session', aCaller(session))).body).toBe(`invalid node_id: ${NODE}`)
    expect(removed).toBe(false)
  })
})

describe('a failed tool', () => {
  const call = { tool_name: 'FileSystemEnv_read_from_file', arguments: { filepath: 'none' } }
  it.each([
    ['what the tool could not do', 'not_found', true],
    ['a service that is not there', 'upstream', true],
    ['a defect of the server', 'internal', false],
  ] as const)('is 500, and of %s the log has a line only when the server is to blame', async (_what, code, isWell) => {
    let well = false
    const visit = async (): Promise<Visit> => ({
      state: 'running',
      outcome: { kind: 'failed', failure: { code, message: 'it could not be done' } },
    })
    const serverIsWell = () => {
      well = true
    }
    expect(await post('/execute_tool', { ...aNode({ visit }), serverIsWell }, call)).toMatchObject({ status: 500 })
    expect(well).toBe(isWell)
  })
})

describe('a caller', () => {
  it('without a key is refused on every path that does something', async () => {
    for (const path of [
      '/get_cookie',
      '/close_session',
      '/execute_tool',
      '/get_available_tools',
      '/upload_file',
      '/',
    ]) {
      expect(await post(path, NOBODY)).toMatchObject({ status: 401, body: { detail: 'this request has no API key' } })
    }
  })

  it('that may only read lists tools, and neither makes, closes, calls nor uploads', async () => {
    const reader = aNode({ visit: running }, ['read'])
    expect((await post('/get_available_tools', reader)).status).toBe(200)
    for (const path of ['/get_cookie', '/close_session', '/release_session', '/execute_tool', '/upload_file']) {
      expect([path, (await post(path, reader, {})).status]).toEqual([path, 403])
    }
  })
})

it('makes no call for a body that asks for none, and one call for one that does, of a tool of the node itself too', async () => {
  const calls: (ToolCall | undefined)[] = []
  const visit = async (_id: string, call?: ToolCall): Promise<Visit> => {
    calls.push(call)
    if (call?.tool === 'own_tool_call') {
      const failure = { code: 'not_found', message: 'Tool x not found', data: { unregistered: true } } as const
      return { state: 'running', outcome: { kind: 'failed', failure } }
    }
    return { state: 'running', ...(call && { outcome: { kind: 'done', result: { text: '', data: { result: 3 } } } }) }
  }
  const scope = aNode({ visit })
  expect((await post('/execute_tool', scope, {})).status).toBe(422)
  expect((await post('/execute_tool', scope, { tool_name: 'x', arguments: {} })).status).toBe(404)
  expect((await post('/execute_tool', scope, { tool_name: 'calculator', arguments: {} })).status).toBe(500)
  expect(calls).toEqual([undefined, { tool: 'own_tool_call', args: { tool_name: 'x', arguments: {} } }, undefined])
  const call = { tool_name: 'calculator', arguments: { expression: '1 + 2' } }
  expect(await post('/execute_tool', scope, call)).toMatchObject({ status: 200, body: 3 })
  expect(calls.slice(3)).toEqual([{ tool: 'calculate', args: { expression: '1 + 2' } }])
})
