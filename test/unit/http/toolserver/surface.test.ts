import { beforeEach, describe, expect, it } from 'vitest'
import type { RequestScope } from '../../../../src/http/dialect.ts'
import { toolserver } from '../../../../src/http/dialects/toolserver/routes.ts'
import { FakeServer } from './fake-server.ts'

let server: FakeServer
beforeEach(async () => {
  server = new FakeServer()
  await server.create('t')
})

describe('about the server', () => {
  it('says at / which tools it has', async () => {
    expect(await server.json('/')).toEqual({
      status: 200,
      body: { message: 'Tool Server is running', tools: ['file_read', 'dir_list', 'echo'], version: '2.0.0' },
    })
  })

  it('says at /health that it is healthy, to anyone', async () => {
    const stranger: RequestScope = {
      requestId: 'r',
      caller: { failure: { code: 'unauthenticated', message: 'no key' } },
    }
    expect(await server.json('/health', {}, stranger)).toEqual({
      status: 200,
      body: { status: 'healthy', service: 'tool_server', version: '2.0.0' },
    })
  })

  it('lists the tools by name, and describes them', async () => {
    expect((await server.json('/api/tools')).body).toEqual({ success: true, data: ['file_read', 'dir_list', 'echo'] })
    expect((await server.json('/api/tools/info')).body).toMatchObject({
      success: true,
      data: {
        total_count: 3,
        local_count: 3,
        proxy_count: 0,
        tools: {
          file_read: {
            name: 'file_read',
            description: 'what file_read does',
            version: '1.0.0',
            class: 'FileReadTool',
          },
        },
      },
    })
  })

  it('says what each tool takes and how it is called, and where that stands', async () => {
    expect((await server.json('/api/tools/info')).body).toMatchObject({
      data: {
        call: { task: expect.stringContaining('/api/task/create'), tool: expect.stringContaining('"params"') },
        parameters: { file_read: {}, dir_list: {}, echo: {} },
      },
    })
    expect((await server.request('/api/tools')).headers.get('Link')).toBe('</api/tools/info>; rel="describedby"')
  })

  it.each(['/api', '/api/nothing', '/api/task', '/api/task/', '/api/tool/other', '/api/download/', '/api/download/t'])(
    '%s is not found',
    async (path) => {
      expect(await server.json(path)).toEqual({ status: 404, body: { detail: 'Not Found' } })
    },
  )

  it.each([
    ['POST', '/', 'GET'],
    ['POST', '/health', 'GET'],
    ['DELETE', '/api/tools', 'GET'],
    ['PUT', '/api/tools/info', 'GET'],
    ['GET', '/api/tool/execute', 'POST'],
    ['PUT', '/api/task/create', 'POST'],
    ['POST', '/api/task/list', 'GET'],
    ['GET', '/api/task/t', 'DELETE'],
    ['POST', '/api/task/t/status', 'GET'],
    ['POST', '/api/download/t/a', 'GET'],
  ])('%s %s is not allowed; %s is', async (method, path, allow) => {
    const response = await server.request(path, { method })
    expect(response.status).toBe(405)
    expect(await response.json()).toEqual({ detail: 'Method Not Allowed' })
    expect(response.headers.get('Allow')).toBe(allow)
  })

  it('owns the published paths and no others', () => {
    const NO_HEADERS = new Headers()
    for (const path of ['/', '/health', '/api/tools', '/api/task//abs/status'])
      expect(toolserver.owns(path, NO_HEADERS)).toBe(true)
    for (const path of ['/apis', '/healthy', '/v1/tools', '/internal/tools', '/get_cookie', '/lagent/x']) {
      expect(toolserver.owns(path, NO_HEADERS)).toBe(false)
    }
  })
})

describe('a key', () => {
  const execute = { method: 'POST', body: JSON.stringify({ task_id: 't', tool_name: 'echo' }) }
  const ROUTES: [string, RequestInit][] = [
    ['/', {}],
    ['/api/tools', {}],
    ['/api/tools/info', {}],
    ['/api/task/list', {}],
    ['/api/task/t/status', {}],
    ['/api/download/t/config/meta.json', {}],
    ['/api/tool/execute', execute],
    ['/api/task/create?task_id=x&task_name=n', { method: 'POST' }],
    ['/api/task/t', { method: 'DELETE' }],
  ]

  it.each(ROUTES)('that is not good is refused with 401 at %s', async (path, init) => {
    const response = await server.request(path, init, {
      requestId: 'r',
      caller: { failure: { code: 'unauthenticated', message: 'no' } },
    })
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ detail: 'no' })
    expect(server.tasks.has('t')).toBe(true)
  })

  it.each(ROUTES.slice(0, 6))('that may read may do it at %s', async (path, init) => {
    expect((await server.request(path, init, server.caller(['read'], 'k'))).status).toBe(200)
  })

  it.each(ROUTES.slice(6))('that may only read is refused with 403 at %s', async (path, init) => {
    const { status, body } = await server.json(path, init, server.caller(['read'], 'k'))
    expect(status).toBe(403)
    expect(body).toEqual({ detail: expect.stringContaining('"execute"') })
    expect(server.calls).toEqual([])
  })

  it.each(ROUTES)('that may execute may do all: %s', async (path, init) => {
    expect((await server.request(path, init, server.caller(['execute'], 'k'))).status).toBe(200)
  })

  it('is looked at before the body is', async () => {
    const { status } = await server.execute('{broken', {
      requestId: 'r',
      caller: { failure: { code: 'unauthenticated', message: 'no' } },
    })
    expect(status).toBe(401)
  })
})
