import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_LISTED_TASKS } from '../../../../src/core/limits/sessions.ts'
import { sessionEnvironment, underPolicy } from '../../../../src/http/session-environment.ts'
import { FakeServer, NOW } from './fake-server.ts'

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
})

const post = { method: 'POST' }
const CREATED = '2026-11-20T11:08:41.368000'

describe('making a task', () => {
  it('answers with its id, its name, its path and "created"', async () => {
    expect(await server.json('/api/task/create?task_id=my_task&task_name=My_Task', post)).toEqual({
      status: 200,
      body: {
        success: true,
        data: { task_id: 'my_task', task_name: 'My_Task', path: '/home/user/workspace', status: 'created' },
      },
    })
  })

  it('answers with what its commands have, where the server knows that of its sandboxes, and briefly', async () => {
    const many = new FakeServer()
    many.environment = sessionEnvironment(
      { python: '3.11.2', packages: ['numpy', 'pandas'], programs: ['git', 'node'], internet: true, memory_mb: 1024 },
      true,
    )
    const { body } = await many.json('/api/task/create?task_id=t&task_name=n', post)
    expect(body).toMatchObject({
      data: {
        environment: {
          python: '3.11.2',
          packages: 'numpy pandas',
          programs: 'git node',
          memory_mb: 1024,
          network: "public addresses only, as far as the server reaches them; pip asks the server's own index",
          directories: expect.stringMatching(/^commands start in code_run\/; upload\/ /),
        },
      },
    })
  })

  it('answers with what commands of its tenant reach', async () => {
    const closed = new FakeServer()
    closed.environment = sessionEnvironment({ internet: true }, false)
    closed.internet = { default: ['a.example', 'b.example'], ceiling: ['b.example'] }
    const { body } = await closed.json('/api/task/create?task_id=t&task_name=n', post)
    expect(body).toMatchObject({ data: { environment: { network: expect.stringContaining('alone: b.example;') } } })
  })

  it('leaves out what is not known of its sandboxes', () => {
    expect(Object.keys(sessionEnvironment({}, false))).toEqual(['directories'])
    expect(sessionEnvironment({ internet: false }, false).network).toMatch(/^none/)
    expect(sessionEnvironment({ internet: true }, false).network).toMatch(/pip asks PyPI$/)
    const environment = sessionEnvironment({ internet: true }, false)
    expect(underPolicy(environment, true)).toEqual(environment)
    expect(underPolicy(environment, false).network).toMatch(/^none/)
    expect(underPolicy(environment, ['a.example', 'b.example']).network).toContain('alone: a.example, b.example;')
  })

  it('gives it the published directories and its description', async () => {
    await server.json('/api/task/create?task_id=t&task_name=n&requirements=numpy,pandas', post)
    const spec = server.tasks.get('t')?.spec
    expect(spec?.directories).toEqual(['config', 'upload', 'rag_db', 'code_env', 'code_run', 'logs', 'checkpoint'])
    expect(spec?.requirements).toEqual(['numpy', 'pandas'])
    expect(spec?.files.map(({ path }) => path)).toEqual(['config/meta.json'])
    expect(JSON.parse(spec?.files[0]?.text ?? '')).toEqual({
      task_id: 't',
      task_name: 'n',
      created_at: CREATED,
      status: 'active',
      embedded_files: [],
      requirements: 'numpy,pandas',
    })
  })

  it('refuses a task that exists with 400 and changes nothing', async () => {
    await server.json('/api/task/create?task_id=t&task_name=first', post)
    expect(await server.json('/api/task/create?task_id=t&task_name=second', post)).toEqual({
      status: 400,
      body: { detail: 'Task t already exists' },
    })
    expect(server.tasks.get('t')?.info.title).toBe('first')
  })

  it('takes a body of JSON where the query is silent, and the query where both speak', async () => {
    const body = JSON.stringify({ task_id: 'body', task_name: 'from body', requirements: ['a>=1,<2', 'b'] })
    const { status } = await server.json('/api/task/create?task_id=query', { ...post, body })
    expect(status).toBe(200)
    expect(server.tasks.get('query')?.info).toMatchObject({ title: 'from body', requirements: ['a>=1,<2', 'b'] })
    expect(server.tasks.has('body')).toBe(false)
  })

  it('does not mind a body that is not JSON when the query says all', async () => {
    const { status } = await server.json('/api/task/create?task_id=t&task_name=n', { ...post, body: 'x=1' })
    expect(status).toBe(200)
  })

  it('misses each query parameter that is required', async () => {
    const { status, body } = await server.json('/api/task/create', post)
    expect(status).toBe(422)
    expect(body).toMatchObject({
      success: false,
      error_type: 'validation_error',
      details: ['task_id', 'task_name'].map((name) => ({
        type: 'missing',
        message: 'Field required',
        location: ['query', name],
        input: null,
      })),
    })
  })

  it('does not take GET', async () => {
    const response = await server.request('/api/task/create?task_id=t&task_name=n')
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('POST')
    expect(await response.json()).toEqual({ detail: 'Method Not Allowed' })
  })

  it.each([
    ['task_id=&task_name=n', 'empty'],
    ['task_id=a%00b&task_name=n', 'control characters'],
    [`task_id=t&task_name=${'n'.repeat(1_001)}`, 'at most 1000'],
    ['task_id=t&task_name=n&requirements=--index-url+http://evil', 'option of pip'],
  ])('says what is wrong with %s', async (query, why) => {
    const { status, body } = await server.json(`/api/task/create?${query}`, post)
    expect(status).toBe(400)
    expect(body).toEqual({ detail: expect.stringContaining(why) })
    expect(server.tasks.size).toBe(0)
  })

  it('is answered 429 when the tenant has too many tasks', async () => {
    server.createFailure = { code: 'limit_exceeded', message: '100000 tasks exist; delete some' }
    expect(await server.json('/api/task/create?task_id=t&task_name=n', post)).toEqual({
      status: 429,
      body: { detail: '100000 tasks exist; delete some' },
    })
  })
})

describe('the state of a task', () => {
  it('has no word for its status', async () => {
    await server.create('t')
    expect(await server.json('/api/task/t/status')).toEqual({
      status: 200,
      body: {
        success: true,
        data: { task_id: 't', task_name: 'n', created_at: CREATED, path: '/home/user/workspace' },
      },
    })
  })

  it('is 404 for a task that nobody made', async () => {
    expect(await server.json('/api/task/nobody/status')).toEqual({
      status: 404,
      body: { detail: 'Task nobody not found' },
    })
  })

  it.each([
    ['/abs/path', '/api/task//abs/path/status'],
    ['/abs/path', '/api/task/%2Fabs%2Fpath/status'],
    ['a/b', '/api/task/a/b/status'],
    ['a/b', '/api/task/a%2Fb/status'],
    ['a b', '/api/task/a%20b/status'],
    ['任务', '/api/task/任务/status'],
    ['100%', '/api/task/100%/status'],
    ['100%', '/api/task/100%25/status'],
    ['list', '/api/task/list/status'],
    ['create', '/api/task/create/status'],
    ['x/status', '/api/task/x/status/status'],
    ['dir/', '/api/task/dir//status'],
  ])('finds the task %s at %s', async (id, path) => {
    await server.create(id)
    expect(await server.json(path)).toMatchObject({ status: 200, body: { data: { task_id: id } } })
  })
})

describe('removing a task', () => {
  it('answers with its id and "deleted", once', async () => {
    await server.create('t')
    const gone = { method: 'DELETE' }
    expect(await server.json('/api/task/t', gone)).toEqual({
      status: 200,
      body: { success: true, data: { task_id: 't', status: 'deleted' } },
    })
    expect(await server.json('/api/task/t', gone)).toEqual({ status: 400, body: { detail: 'Task t not found' } })
  })

  it.each([
    ['/abs/path', '/api/task//abs/path'],
    ['a/b', '/api/task/a%2Fb'],
    ['list', '/api/task/list'],
  ])('finds the task %s at %s', async (id, path) => {
    await server.create(id)
    expect(await server.json(path, { method: 'DELETE' })).toMatchObject({
      status: 200,
      body: { data: { task_id: id } },
    })
  })
})

describe('the list of tasks', () => {
  it('is an array of active tasks', async () => {
    await server.create('a')
    await server.create('/b')
    expect(await server.json('/api/task/list')).toEqual({
      status: 200,
      body: {
        success: true,
        data: ['a', '/b'].map((task_id) => ({ task_id, task_name: 'n', created_at: CREATED, status: 'active' })),
      },
    })
  })

  it('runs over all pages, up to its limit, and says when it stopped there', async () => {
    const task = (name: string) => ({ name, nodeId: '', title: 'n', requirements: [], createdAt: NOW })
    const spec = { title: '', requirements: [], directories: [], files: [] }
    for (let n = 0; n < MAX_LISTED_TASKS; n += 1) {
      server.tasks.set(`t${n}`, { info: task(`t${n}`), spec, files: new Map(), humanTasks: [] })
    }
    const all = (await server.json('/api/task/list')).body as { data: unknown[] }
    expect(all.data).toHaveLength(MAX_LISTED_TASKS)
    expect(all).not.toHaveProperty('truncated')
    await server.create('one more')
    const cut = (await server.json('/api/task/list')).body as { data: unknown[] }
    expect(cut.data).toHaveLength(MAX_LISTED_TASKS)
    expect(cut).toHaveProperty('truncated', true)
  })
})
