import { beforeEach, describe, expect, it } from 'vitest'
import { FakeServer, NOW } from './fake-server.ts'

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
})

async function openTask(task: string, id: string) {
  await server.create(task)
  const words = 'Approve?'
  server.tasks.get(task)?.humanTasks.push({ id, words, createdAt: NOW, dueAt: null, completedAt: null, result: null })
}

const OPEN = {
  human_task_id: 'h1',
  task_id: 't',
  human_task: 'Approve?',
  completed: false,
  created_at: '2026-11-20T11:08:41.368000',
  completed_at: null,
  result: null,
}
const DONE = { ...OPEN, completed: true, completed_at: '2026-11-20T11:08:41.368000', result: 'yes' }

const put = (path: string, body?: unknown) =>
  server.json(path, { method: 'PUT', ...(body !== undefined && { body: JSON.stringify(body) }) })

describe('human tasks', () => {
  it('are listed and read', async () => {
    await openTask('t', 'h1')
    const data = { task_id: 't', human_tasks: [OPEN], total_count: 1 }
    expect(await server.json('/api/human-tasks/t')).toEqual({ status: 200, body: { success: true, data } })
    expect(await server.json('/api/human-tasks/t/h1')).toEqual({ status: 200, body: { success: true, data: OPEN } })
  })

  it.each([
    ['the query', '?completed=true&result=yes', undefined],
    ['a body', '', { completed: true, result: 'yes' }],
    ['both', '?completed=1', { completed: false, result: 'yes' }],
  ])('are completed by %s', async (_, query, body) => {
    await openTask('t', 'h1')
    expect(await put(`/api/human-tasks/t/h1${query}`, body)).toEqual({
      status: 200,
      body: { success: true, data: { ...DONE, message: '人类任务状态已更新' } },
    })
  })

  it.each(['/home/me/project', 'a/b'])('of the task %s are found by its id as it is, and encoded', async (id) => {
    await openTask(id, 'h1')
    for (const path of [id, encodeURIComponent(id)]) {
      expect((await server.json(`/api/human-tasks/${path}`)).body).toMatchObject({ data: { total_count: 1 } })
      expect((await server.json(`/api/human-tasks/${path}/h1`)).body).toMatchObject({ data: { task_id: id } })
      expect((await put(`/api/human-tasks/${path}/h1?completed=false`)).status).toBe(200)
    }
  })

  it('that are completed are not completed otherwise', async () => {
    await openTask('t', 'h1')
    await put('/api/human-tasks/t/h1?completed=true&result=yes')
    expect(await put('/api/human-tasks/t/h1?completed=true&result=no')).toEqual({
      status: 409,
      body: { detail: 'completed already' },
    })
  })

  it.each([
    ['GET', '/api/human-tasks/nobody', 404, 'Task nobody not found'],
    ['GET', '/api/human-tasks/t/none', 404, 'Human task none not found in task t'],
    ['PUT', '/api/human-tasks/t/none?completed=true', 404, 'Human task none not found in task t'],
    ['PUT', '/api/human-tasks/nobody/h1?completed=true', 404, 'Human task h1 not found in task nobody'],
    ['PUT', '/api/human-tasks/t', 404, 'Not Found'],
    ['GET', '/api/human-tasks/', 404, 'Not Found'],
    ['POST', '/api/human-tasks/t/h1', 405, 'Method Not Allowed'],
  ])('%s %s is answered %d, %s', async (method, path, status, detail) => {
    await openTask('t', 'h1')
    expect(await server.json(path, { method })).toEqual({ status, body: { detail } })
  })

  it.each([
    ['', undefined, { type: 'missing', location: ['query', 'completed'] }],
    ['?completed=perhaps', undefined, { type: 'bool_parsing', location: ['query', 'completed'], input: 'perhaps' }],
    ['', { completed: [] }, { type: 'bool_parsing', location: ['body', 'completed'] }],
    ['', { completed: true, result: { a: 1 } }, { type: 'string_type', location: ['body', 'result'] }],
  ])('an answer %s %j is told what is wrong', async (query, body, detail) => {
    await openTask('t', 'h1')
    const answer = await put(`/api/human-tasks/t/h1${query}`, body)
    expect(answer).toMatchObject({ status: 422, body: { success: false, details: [detail] } })
    expect(server.tasks.get('t')?.humanTasks[0]?.completedAt).toBeNull()
  })

  it('may be read by a key that reads, and completed by one that executes', async () => {
    await openTask('t', 'h1')
    const reader = server.caller(['read'], 'k')
    expect((await server.json('/api/human-tasks/t', {}, reader)).status).toBe(200)
    const path = '/api/human-tasks/t/h1?completed=true'
    expect((await server.json(path, { method: 'PUT' }, reader)).status).toBe(403)
    expect((await server.json(path, { method: 'PUT' }, server.caller(['execute'], 'k'))).status).toBe(200)
  })
})
