import { describe, expect, it } from 'vitest'
import { openCalls, WITH_FORMS, WITH_TASKS } from './open-calls.ts'

const PERSON = { human_task: 'Say yes' }
const forms = { capabilities: WITH_FORMS }
const tasks = { capabilities: WITH_TASKS }

async function waiting(mcp: ReturnType<typeof openCalls>, sent: object = forms): Promise<string> {
  const { result } = await mcp.call('human_in_loop', PERSON, sent)
  expect(result).toMatchObject({ resultType: 'task', status: 'working', taskId: expect.any(String) })
  return result.taskId
}

describe('a client that declares tasks', () => {
  it('gets the result of a short call itself', async () => {
    const { result } = await openCalls().call('file_write', { file_path: 'a.md', content: 'x' }, tasks)
    expect(result).toMatchObject({ resultType: 'complete', content: [{ type: 'text' }, { type: 'resource_link' }] })
    expect(result).not.toHaveProperty('taskId')
  })

  it('answers for the person of a task, and then gets the result that the call would have had', async () => {
    const mcp = openCalls()
    const taskId = await waiting(mcp)
    const task = (await mcp.ask('tasks/get', { taskId }, forms)).result
    expect(task).toMatchObject({
      ...{ resultType: 'complete', taskId, status: 'input_required', ttlMs: 86_400_000 },
      inputRequests: { answer: { method: 'elicitation/create', params: { message: 'Say yes' } } },
    })
    const inputResponses = { answer: { action: 'accept', content: { answer: 'yes' } }, other: { action: 'accept' } }
    const updated = (await mcp.ask('tasks/update', { taskId, inputResponses }, forms)).result
    expect(Object.keys(updated)).not.toContain('status')
    expect((await mcp.ask('tasks/get', { taskId }, forms)).result).toMatchObject({
      status: 'completed',
      result: { content: [{ type: 'text', text: 'the person answered: yes' }] },
    })
  })

  it('sees a person work who cannot be asked through it, and leaves the question open where it declines', async () => {
    const mcp = openCalls()
    const taskId = await waiting(mcp)
    expect((await mcp.ask('tasks/get', { taskId }, tasks)).result).toMatchObject({ status: 'working' })
    await mcp.ask('tasks/update', { taskId, inputResponses: { answer: { action: 'decline' } } }, forms)
    expect((await mcp.ask('tasks/get', { taskId }, forms)).result).toMatchObject({ status: 'input_required' })
  })

  it('gets an error for ids that are not of its tasks', async () => {
    const mcp = openCalls()
    const taskId = await waiting(mcp)
    const [callId = ''] = taskId.split('.')
    const other = `${callId}.${Buffer.from('other').toString('base64url')}`
    for (const id of [other, callId, `${callId}.`, `${taskId}!`, `${callId}.AP8`, 'x', 'x'.repeat(2_000)]) {
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
        expect((await mcp.ask(method, { taskId: id }, forms)).error?.code, `${method} ${id}`).toBe(-32602)
      }
    }
    const bound = { ...forms, bound: 'other' }
    expect((await mcp.ask('tasks/get', { taskId }, bound)).error?.code).toBe(-32602)
  })

  it('finds a task cancelled whose call was', async () => {
    const mcp = openCalls()
    const { session } = mcp.benchOf('usual')
    const begun = await session.begin({ tool: 'human_in_loop', args: PERSON }).begun
    const callId = 'callId' in begun ? begun.callId : ''
    const taskId = `${callId}.${Buffer.from('usual').toString('base64url')}`
    expect((await mcp.ask('tasks/get', { taskId }, forms)).result).toMatchObject({ status: 'working' })
    const { result } = await mcp.ask('tasks/cancel', { taskId }, forms)
    expect(result).toEqual({ resultType: 'complete', _meta: expect.anything() })
    expect(session.begun.areRunning).toBe(false)
    expect((await mcp.ask('tasks/cancel', { taskId }, forms)).result).toMatchObject({ resultType: 'complete' })
  })
})

describe('a client that does not declare tasks', () => {
  it('never gets one', async () => {
    const mcp = openCalls()
    const { result } = await mcp.call('human_in_loop', { ...PERSON, wait_seconds: 0 })
    expect(result).toMatchObject({ resultType: 'complete' })
    expect(result.content.map(({ text }: { text: string }) => text).join()).toContain('human_task_id')
    expect(mcp.begun).toEqual([])
  })

  it('is told which capability tasks need', async () => {
    const mcp = openCalls()
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      expect((await mcp.ask(method, { taskId: 'x' })).error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: WITH_TASKS },
      })
    }
  })
})

it('tasks are advertised as an extension', async () => {
  const { result } = await openCalls().ask('server/discover', {})
  expect(result.capabilities).toMatchObject(WITH_TASKS)
  expect(result.capabilities).not.toHaveProperty('tasks')
})
