import { expect } from 'vitest'
import { elapsedMs } from '../../support/elapsed.ts'
import { expectCost } from '../../support/processor-time.ts'
import { sandboxOf } from '../../support/sandbox-control.ts'
import { aToolServer, newTaskId, verifies } from './support.ts'

const server = aToolServer()
const ROOT = '/home/user/workspace'
const PYTHON_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?$/

verifies('toolserver:root', async () => {
  const { status, body } = await server.json('/')
  expect(status).toBe(200)
  expect(body).toEqual({
    message: 'Tool Server is running',
    tools: expect.arrayContaining(['file_read']),
    version: '2.0.0',
  })
})

verifies('toolserver:health', async () => {
  const body = { status: 'healthy', service: 'tool_server', version: '2.0.0' }
  expect(await server.json('/health')).toEqual({ status: 200, body })
})

verifies('toolserver:tools:list', async () => {
  const published = ['file_upload', 'file_read', 'file_write', 'file_replace_lines', 'file_delete', 'file_move']
  published.push('dir_create', 'dir_list', 'execute_code', 'execute_shell', 'pip_install', 'git_clone')
  expect((await server.json('/api/tools')).body).toEqual({ success: true, data: expect.arrayContaining(published) })
})

verifies('toolserver:tools:info', async () => {
  const { body } = await server.json('/api/tools/info')
  const { data } = body as { data: { total_count: number; local_count: number; tools: Record<string, unknown> } }
  expect(data.total_count).toBe(Object.keys(data.tools).length)
  expect(data.tools.file_read).toEqual({
    name: 'file_read',
    description: expect.stringMatching(/\S/),
    version: '1.0.0',
    class: 'FileReadTool',
  })
})

verifies('toolserver:tools:parameters', async () => {
  const { body } = await server.json('/api/tools/info')
  const { data } = body as { data: { tools: object; call: object; parameters: Record<string, unknown> } }
  expect(Object.keys(data.parameters)).toEqual(Object.keys(data.tools))
  expect(data.parameters.file_read).toMatchObject({
    type: 'object',
    properties: { file_path: { type: 'string', description: expect.stringMatching(/\S/) } },
    required: ['file_path'],
  })
  expect(data.call).toMatchObject({ tool: expect.stringContaining('POST /api/tool/execute') })
  expect((await server.request('/api/tools')).headers.get('Link')).toContain('/api/tools/info')
})

verifies('toolserver:not-found', async () => {
  for (const path of ['/api/nothing', '/api/task', '/api']) {
    expect(await server.json(path)).toEqual({ status: 404, body: { detail: 'Not Found' } })
  }
})

verifies('toolserver:method-not-allowed', async () => {
  const body = { detail: 'Method Not Allowed' }
  expect(await server.json('/health', { method: 'POST' })).toEqual({ status: 405, body })
  expect(await server.json('/api/tool/execute')).toEqual({ status: 405, body })
  expect(await server.json('/api/task/list', { method: 'POST' })).toEqual({ status: 405, body })
})

verifies('toolserver:cors', async () => {
  const headers = { Origin: 'http://localhost:3000' }
  const answer = await server.request('/api/tools', { headers })
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('http://localhost:3000')
  await answer.body?.cancel()
  const response = await server.request('/api/tool/execute', {
    method: 'OPTIONS',
    headers: { ...headers, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' },
  })
  expect(response.ok).toBe(true)
  expect(response.headers.get('Access-Control-Allow-Headers')).toMatch(/content-type/i)
  await response.body?.cancel()
})

verifies(['toolserver:task:create:answer', 'toolserver:task:create:fast'], async () => {
  const bare = () => elapsedMs(() => server.json('/health'))
  const creating = async ({ task_id }: { task_id: string }) => {
    expect(await server.create({ task_id, task_name: 'My Task' })).toEqual({
      status: 200,
      body: { success: true, data: { task_id, task_name: 'My Task', path: ROOT, status: 'created' } },
    })
    return task_id
  }
  const task_id = await expectCost(creating, {
    fresh: async () => ({ task_id: newTaskId(), bareMs: await bare() }),
    below: async ({ bareMs }) => 500 + 20 * Math.max(bareMs, await bare()),
    measure: elapsedMs,
  })
  expect(await sandboxOf(server.toolyard(), task_id)).toBeNull()
})

verifies('toolserver:task:create:path', async () => {
  const task = await server.task()
  expect(await task.done('execute_shell', { command: 'pwd', workdir: '/' })).toMatchObject({ stdout: `${ROOT}\n` })
})

verifies(['toolserver:task:create:directories', 'toolserver:dir_list:root'], async () => {
  const task = await server.task()
  const { tree } = await task.done('dir_list')
  const names = ['checkpoint', 'code_env', 'code_run', 'config', 'logs', 'rag_db', 'upload']
  expect(tree).toEqual({
    name: task.id,
    type: 'directory',
    path: '.',
    children: names.map((name) => ({ name, type: 'directory', path: name })),
  })
})

verifies('toolserver:task:create:meta', async () => {
  const task_id = newTaskId()
  await server.create({ task_id, task_name: 'n', requirements: 'six' })
  const { body } = await server.execute({ task_id, tool_name: 'file_read', params: { file_path: 'config/meta.json' } })
  const { content } = (body as { data: { content: string } }).data
  expect(JSON.parse(content)).toEqual({
    task_id,
    task_name: 'n',
    created_at: expect.stringMatching(PYTHON_TIME),
    status: 'active',
    embedded_files: [],
    requirements: 'six',
  })
})

verifies('toolserver:task:create:exists', async () => {
  const task_id = newTaskId()
  await server.create({ task_id, task_name: 'first' })
  const again = await server.create({ task_id, task_name: 'second' })
  expect(again).toEqual({ status: 400, body: { detail: `Task ${task_id} already exists` } })
  expect((await server.json(`/api/task/${task_id}/status`)).body).toMatchObject({ data: { task_name: 'first' } })
})

verifies('toolserver:task:create:missing-query', async () => {
  const { status, body } = await server.create({ task_id: newTaskId() })
  expect(status).toBe(422)
  expect(body).toMatchObject({
    success: false,
    error_type: 'validation_error',
    details: [{ type: 'missing', message: 'Field required', location: ['query', 'task_name'], input: null }],
  })
})

verifies('toolserver:task:create:json-body', async () => {
  const task_id = newTaskId()
  const body = JSON.stringify({ task_id, task_name: 'from the body' })
  const headers = { 'Content-Type': 'application/json' }
  expect((await server.json('/api/task/create', { method: 'POST', headers, body })).status).toBe(200)
  expect((await server.json(`/api/task/${task_id}/status`)).body).toMatchObject({
    data: { task_name: 'from the body' },
  })
})

verifies('toolserver:task:create:get', async () => {
  expect((await server.json('/api/task/create?task_id=a&task_name=b')).status).toBe(405)
})

verifies('toolserver:task:list', async () => {
  const { id } = await server.task()
  const { body } = await server.json('/api/task/list')
  expect(body).toMatchObject({ success: true })
  expect((body as { data: unknown[] }).data).toContainEqual({
    task_id: id,
    task_name: 'test',
    created_at: expect.stringMatching(PYTHON_TIME),
    status: 'active',
  })
})

verifies('toolserver:task:status:answer', async () => {
  const { id } = await server.task()
  expect(await server.json(`/api/task/${id}/status`)).toEqual({
    status: 200,
    body: {
      success: true,
      data: { task_id: id, task_name: 'test', created_at: expect.stringMatching(PYTHON_TIME), path: ROOT },
    },
  })
})

verifies('toolserver:task:status:unknown', async () => {
  const id = newTaskId()
  expect(await server.json(`/api/task/${id}/status`)).toEqual({ status: 404, body: { detail: `Task ${id} not found` } })
})

verifies('toolserver:task:id:slashes', async () => {
  const id = `/home/me/${newTaskId()}`
  await server.create({ task_id: id, task_name: 'n' })
  for (const path of [id, encodeURIComponent(id)]) {
    expect(await server.json(`/api/task/${path}/status`)).toMatchObject({
      status: 200,
      body: { data: { task_id: id } },
    })
  }
  expect((await server.json(`/api/task/${id}`, { method: 'DELETE' })).status).toBe(200)
})

verifies('toolserver:task:id:unicode', async () => {
  const id = `任务 ${newTaskId()} é%`
  await server.create({ task_id: id, task_name: 'n' })
  const { status, body } = await server.json(`/api/task/${encodeURIComponent(id)}/status`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ data: { task_id: id } })
})

verifies('toolserver:task:id:outside', async () => {
  const task = await server.task()
  await task.write('upload/secret.txt', 'mine')
  const task_id = `../${task.id}`
  expect((await server.create({ task_id, task_name: 'n' })).status).toBe(200)
  const params = { file_path: 'upload/secret.txt' }
  const { body } = await server.execute({ task_id, tool_name: 'file_read', params })
  expect(body).toMatchObject({ success: false, error: expect.stringMatching(/^File not found/) })
})

verifies(['toolserver:task:delete:answer', 'toolserver:task:delete:unknown'], async () => {
  const { id } = await server.task()
  const remove = () => server.json(`/api/task/${id}`, { method: 'DELETE' })
  expect(await remove()).toEqual({ status: 200, body: { success: true, data: { task_id: id, status: 'deleted' } } })
  expect(await remove()).toEqual({ status: 400, body: { detail: `Task ${id} not found` } })
})

verifies('toolserver:task:delete:gone', async () => {
  const task = await server.task()
  await task.write('upload/old.txt', 'old')
  await server.json(`/api/task/${task.id}`, { method: 'DELETE' })
  const { body } = await server.json('/api/task/list')
  expect((body as { data: { task_id: string }[] }).data.map(({ task_id }) => task_id)).not.toContain(task.id)
  expect((await server.create({ task_id: task.id, task_name: 'again' })).status).toBe(200)
  expect(await task.failure('file_read', { file_path: 'upload/old.txt' })).toMatch(/^File not found/)
})
