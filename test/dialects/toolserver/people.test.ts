import { expect } from 'vitest'
import { forgetSession } from '../../support/sandbox-control.ts'
import { newTenant } from '../../support/tenants.ts'
import { aToolServer, type Task, verifies } from './support.ts'

const server = aToolServer()

interface HumanTask {
  readonly human_task_id: string
}

const tasksOf = async ({ id }: Task) => {
  const { body } = await server.json(`/api/human-tasks/${id}`)
  return (body as { data: { human_tasks: HumanTask[] } }).data.human_tasks
}

/** What is asked of the person, as soon as it is there. */
async function nextHumanTask(task: Task): Promise<string> {
  for (;;) {
    const [first] = await tasksOf(task)
    if (first) return first.human_task_id
  }
}

const complete = (task: Task, id: string, result: string, client: Pick<typeof server, 'json'> = server) =>
  client.json(`/api/human-tasks/${task.id}/${id}?${new URLSearchParams({ completed: 'true', result })}`, {
    method: 'PUT',
  })

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)

verifies('toolserver:human_in_loop:answer', async () => {
  const task = await server.task()
  const waiting = task.done('human_in_loop', { human_task: 'Which colour? 什么颜色？', check_interval: 0.1 })
  const human_task_id = await nextHumanTask(task)
  // Meanwhile the task is not held up.
  await task.write('upload/a.txt', 'a')
  expect((await complete(task, human_task_id, 'blue & 蓝色')).status).toBe(200)
  expect(await waiting).toEqual({
    human_task_id,
    task_id: task.id,
    human_task: 'Which colour? 什么颜色？',
    completed: true,
    result: 'blue & 蓝色',
    created_at: time,
    completed_at: time,
    message: '人类任务已完成',
  })
})

verifies('toolserver:human_in_loop:pending', async () => {
  const task = await server.task()
  const first = await task.done('human_in_loop', { human_task: 'Sign the contract', wait_seconds: 0 })
  const { human_task_id } = first
  const next = { tool_name: 'human_in_loop', params: { human_task_id } }
  expect(first).toMatchObject({ task_id: task.id, completed: false, result: null, status: 'pending', next })
  const waiting = task.done(next.tool_name, next.params)
  await complete(task, String(human_task_id), 'signed')
  expect(await waiting).toMatchObject({ result: 'signed' })
  expect(await task.done(next.tool_name, next.params)).toMatchObject({ result: 'signed' })
  expect(await tasksOf(task)).toHaveLength(1)
})

verifies('toolserver:human_in_loop:restart', async () => {
  const task = await server.task()
  const { human_task_id } = await task.done('human_in_loop', { human_task: 'Sign it', wait_seconds: 0 })
  await forgetSession(server.toolyard(), task.id)
  await complete(task, String(human_task_id), 'signed')
  await forgetSession(server.toolyard(), task.id)
  expect(await task.done('human_in_loop', { human_task_id })).toMatchObject({ human_task: 'Sign it', result: 'signed' })
})

verifies('toolserver:human_in_loop:timeout', async () => {
  const task = await server.task()
  const { success, data, error } = await task.call('human_in_loop', { human_task: 'Quick!', timeout: 0.2 })
  const [human] = await tasksOf(task)
  expect({ success, data }).toEqual({
    success: false,
    data: {
      human_task_id: human?.human_task_id,
      task_id: task.id,
      human_task: 'Quick!',
      status: 'timeout_or_not_found',
    },
  })
  expect(error).toMatch(`人类任务 ${human?.human_task_id} 超时或不存在`)
  expect(await task.failure('human_in_loop', { human_task: ' ' })).toMatch(/^human_task 参数不能为空/)
})

verifies('toolserver:human_in_loop:deleted', async () => {
  const task = await server.task()
  const waiting = task.failure('human_in_loop', { human_task: 'Sign it' })
  await nextHumanTask(task)
  await server.json(`/api/task/${task.id}`, { method: 'DELETE' })
  expect(await waiting).toMatch(/was deleted/)
})

verifies('toolserver:human-tasks:endpoints', async () => {
  const task = await server.task()
  const { human_task_id } = await task.done('human_in_loop', { human_task: 'Approve?', wait_seconds: 0 })
  const open = {
    human_task_id,
    task_id: task.id,
    human_task: 'Approve?',
    completed: false,
    created_at: time,
    completed_at: null,
    result: null,
  }
  expect(await server.json(`/api/human-tasks/${task.id}`)).toEqual({
    status: 200,
    body: { success: true, data: { task_id: task.id, human_tasks: [open], total_count: 1 } },
  })
  const path = `/api/human-tasks/${task.id}/${human_task_id}`
  expect(await server.json(path)).toEqual({ status: 200, body: { success: true, data: open } })
  const answer = await server.json(path, {
    method: 'PUT',
    body: JSON.stringify({ completed: true, result: 'yes' }),
  })
  const completed = { ...open, completed: true, completed_at: time, result: 'yes' }
  expect(answer.body).toEqual({ success: true, data: { ...completed, message: '人类任务状态已更新' } })
  expect((await complete(task, String(human_task_id), 'yes')).status).toBe(200)
})

verifies('toolserver:human-tasks:twice', async () => {
  const task = await server.task()
  const { human_task_id } = await task.done('human_in_loop', { human_task: 'Approve?', wait_seconds: 0 })
  await complete(task, String(human_task_id), 'yes')
  const answer = await complete(task, String(human_task_id), 'no')
  expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/completed already/) } })
  expect(await task.done('human_in_loop', { human_task_id })).toMatchObject({ result: 'yes' })
})

verifies('toolserver:human-tasks:errors', async () => {
  const task = await server.task()
  expect(await server.json(`/api/human-tasks/${task.id}/none`)).toEqual({
    status: 404,
    body: { detail: `Human task none not found in task ${task.id}` },
  })
  expect(await complete(task, 'none', 'x')).toEqual({
    status: 404,
    body: { detail: `Human task none not found in task ${task.id}` },
  })
  const { human_task_id } = await task.done('human_in_loop', { human_task: 'Approve?', wait_seconds: 0 })
  const empty = await server.json(`/api/human-tasks/${task.id}/${human_task_id}`, { method: 'PUT' })
  expect(empty).toMatchObject({ status: 422, body: { details: [{ location: ['query', 'completed'] }] } })
})

verifies('toolserver:human-tasks:tenants', async () => {
  const [ann, bob] = [
    server.as((await newTenant(server.toolyard())).key),
    server.as((await newTenant(server.toolyard())).key),
  ]
  const task = await ann.task()
  const { human_task_id } = await task.done('human_in_loop', { human_task: 'Only for Ann', wait_seconds: 0 })
  expect(await bob.json(`/api/human-tasks/${task.id}`)).toEqual({
    status: 404,
    body: { detail: `Task ${task.id} not found` },
  })
  expect((await bob.json(`/api/human-tasks/${task.id}/${human_task_id}`)).status).toBe(404)
  expect((await complete(task, String(human_task_id), 'by Bob', bob)).status).toBe(404)
  expect((await complete(task, String(human_task_id), 'by Ann', ann)).status).toBe(200)
  expect(await task.done('human_in_loop', { human_task_id })).toMatchObject({ result: 'by Ann' })
})

const post = (path: string, body: object, client: Pick<typeof server, 'json'> = server) =>
  client.json(path, { method: 'POST', body: JSON.stringify(body) })

verifies('toolserver:infiagent:question', async () => {
  const { key } = await newTenant(server.toolyard())
  const ann = server.as(key)
  const task = await ann.task()
  const hil_id = 'pick_colour'
  const question = { hil_id, instruction: 'Which colour?' }
  const waiting = task.done('human_in_loop', question)
  // As the terminal does: it looks again and again.
  let shown: unknown
  do shown = (await ann.json(`/api/hil/workspace/${task.id}`)).body
  while (!(shown as { found: boolean }).found)
  expect(shown).toEqual({ found: true, hil_id, instruction: 'Which colour?', task_id: task.id })
  expect((await server.json(`/api/hil/${hil_id}`)).body).toMatchObject({ found: false })
  expect((await post(`/api/hil/respond/${hil_id}`, { response: 'none' })).body).toMatchObject({ success: false })
  expect((await post(`/api/hil/respond/${hil_id}`, { response: 'blue' }, ann)).body).toMatchObject({ success: true })
  expect(await waiting).toMatchObject({ hil_id, result: 'blue', completed: true })
  expect(await task.done('human_in_loop', question)).toMatchObject({ result: 'blue' })
  expect((await ann.json(`/api/hil/${hil_id}`)).body).toMatchObject({ found: true, status: 'completed' })
  expect((await ann.json(`/api/hil/workspace/${task.id}`)).body).toEqual({ found: false })
  expect(await task.failure('human_in_loop', { hil_id: 'x' })).toBe('missing required parameter: instruction')

  // The same id again, in other words and in another task: each its own question.
  const more = { hil_id, instruction: 'And which size?', wait_seconds: 0 }
  const pending = await task.done('human_in_loop', more)
  const next = { tool_name: 'human_in_loop', params: { hil_id, instruction: 'And which size?' } }
  expect(pending).toMatchObject({ status: 'pending', hil_id, next })
  const other = await ann.task()
  await other.done('human_in_loop', more)
  expect((await post(`/api/hil/respond/${hil_id}`, { response: 'L' }, ann)).body).toMatchObject({
    success: false,
    error: expect.stringMatching(/^pick_colour is asked in 2 tasks/),
  })
  await ann.json(`/api/task/${other.id}`, { method: 'DELETE' })
  expect((await post(`/api/hil/respond/${hil_id}`, { response: 'L' }, ann)).body).toMatchObject({ success: true })
  expect(await task.done('human_in_loop', next.params)).toMatchObject({ result: 'L' })

  // What was asked without an id of the client's own is answered as well.
  await task.done('human_in_loop', { human_task: 'Anything else?', wait_seconds: 0 })
  const { hil_id: own } = (await ann.json(`/api/hil/workspace/${task.id}`)).body as { hil_id: string }
  expect((await post(`/api/hil/respond/${own}`, { response: 'no' }, ann)).body).toMatchObject({ success: true })
})

verifies('toolserver:infiagent:confirmation', async () => {
  const task_id = `/Users/me/项目/${crypto.randomUUID()}`
  const confirm = async (arguments_: object, tool_name = 'file_write') => {
    const confirm_id = `confirm_${tool_name}_${crypto.randomUUID()}`
    const confirmation = { confirm_id, task_id, tool_name, arguments: arguments_ }
    expect(await post('/api/tool-confirmation/create', confirmation)).toMatchObject({
      status: 200,
      body: { success: true },
    })
    return confirm_id
  }
  const confirmationOf = async (id: string) => (await server.json(`/api/tool-confirmation/${id}`)).body
  const path = { path: 'a.txt', content: 'A' }
  const first = await confirm(path)
  const call = { tool_name: 'file_write', arguments: path, task_id }
  expect(await confirmationOf(first)).toEqual({
    found: true,
    confirm_id: first,
    status: 'waiting',
    ...call,
    result: null,
  })
  const shown = await server.json(`/api/tool-confirmation/workspace/${task_id}`)
  expect(shown.body).toEqual({ found: true, confirm_id: first, ...call })
  expect((await server.json(`/api/hil/workspace/${task_id}`)).body).toEqual({ found: false })
  const respond = (id: string, approved: unknown) => post(`/api/tool-confirmation/respond/${id}`, { approved })
  expect((await respond(first, 'sure')).status).toBe(422)
  expect((await respond(first, true)).body).toMatchObject({ success: true })
  expect(await confirmationOf(first)).toMatchObject({ status: 'completed', result: 'approved' })
  expect((await respond(first, false)).body).toMatchObject({ success: false })
  expect(await confirmationOf(first)).toMatchObject({ result: 'approved' })

  // The same call is asked about anew, and only the very word allows it.
  const second = await confirm(path)
  const { body } = await server.json(`/api/human-tasks/${task_id}`)
  const { human_tasks } = (body as { data: { human_tasks: { human_task_id: string; completed: boolean }[] } }).data
  const open = human_tasks.find(({ completed }) => !completed)
  await complete({ id: task_id } as Task, open?.human_task_id ?? '', 'not approved')
  expect(await confirmationOf(second)).toMatchObject({ status: 'completed', result: 'rejected' })

  // A secret is not shown, and what is long is cut.
  const third = await confirm({ token: 'hunter2', command: 'x'.repeat(100_000) }, 'execute_code')
  const { arguments: cut } = (await confirmationOf(third)) as { arguments: Record<string, string> }
  expect(cut).toMatchObject({ token: '***', command: expect.stringMatching(/^x+… \[100000 characters\]$/) })
  expect((await respond(third, false)).body).toMatchObject({ success: true })
  expect(await confirmationOf(third)).toMatchObject({ result: 'rejected' })

  const { key } = await newTenant(server.toolyard())
  expect((await server.as(key).json(`/api/tool-confirmation/${first}`)).body).toMatchObject({ found: false })
  expect((await server.json('/api/tool-confirmation/none')).body).toMatchObject({ found: false })
  expect((await respond('none', true)).body).toMatchObject({ success: false })
})
