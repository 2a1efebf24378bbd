import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_BODY_BYTES } from '../../../../src/core/limits/requests.ts'
import { FakeServer } from './fake-server.ts'

let server: FakeServer
beforeEach(async () => {
  server = new FakeServer()
  await server.create('my_task')
})

const call = (over: object = {}) => ({ task_id: 'my_task', tool_name: 'echo', params: {}, ...over })
const detail = (body: unknown) => (body as { details: unknown[] }).details[0]

describe('the answer of a call', () => {
  it('has all seven keys, in the published order, with a Python timestamp and seconds', async () => {
    const { status, body } = await server.execute(call())
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: { reply: 'ok' },
      error: null,
      timestamp: '2026-11-20T11:08:41.618000',
      execution_time: 0.25,
      task_id: 'my_task',
      tool_name: 'echo',
    })
    expect(Object.keys(body as object)).toEqual([
      'success',
      'data',
      'error',
      'timestamp',
      'execution_time',
      'task_id',
      'tool_name',
    ])
  })

  it('says that a tool failed with success false and status 200, and brings what the tool could show', async () => {
    server.answers.set('echo', {
      kind: 'failed',
      failure: { code: 'timeout', message: 'Command timeout after 1 seconds', data: { stdout: 'so far' } },
    })
    const { status, body } = await server.execute(call())
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: false, data: { stdout: 'so far' }, error: 'Command timeout after 1 seconds' })
  })

  it('has null for data when the failure shows nothing, and keeps the seven keys', async () => {
    server.answers.set('echo', { kind: 'refused', failure: { code: 'forbidden', message: 'not allowed' } })
    const { status, body } = await server.execute(call())
    expect(status).toBe(200)
    expect(Object.keys(body as object)).toHaveLength(7)
    expect(body).toMatchObject({ success: false, data: null, error: 'not allowed' })
  })

  it('says of a call that still runs when to ask again and how', async () => {
    server.answers.set('echo', {
      kind: 'pending',
      soFar: { text: 'half of it is done', data: { done: 0.5 } },
      next: { tool: 'wait_for', args: { id: 1 } },
      retryAfterMs: 500,
    })
    const { body } = await server.execute(call())
    expect(body).toMatchObject({
      success: true,
      data: { done: 0.5, status: 'pending', next: { tool_name: 'wait_for', params: { id: 1 } }, retry_after_ms: 500 },
    })
  })

  it('hides what broke inside behind an envelope that a client can read', async () => {
    server.answers.set('echo', () => {
      throw new Error('row 7 of tenant other')
    })
    const { status, body } = await server.execute(call())
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: false, error: expect.stringContaining('internal error') })
    expect(JSON.stringify(body)).not.toContain('tenant other')
  })

  it('calls the root of dir_list by the task id', async () => {
    const tree = { name: '.', type: 'directory', path: '.', children: [] }
    server.answers.set('dir_list', { kind: 'done', result: { text: '', data: { tree, base_path: '/x' } } })
    const { body } = await server.execute(call({ tool_name: 'dir_list' }))
    expect(body).toMatchObject({ data: { tree: { ...tree, name: 'my_task' }, base_path: '/x' } })
  })

  it('leaves the name of a directory below the root alone', async () => {
    const tree = { name: 'upload', type: 'directory', path: 'upload', children: [] }
    server.answers.set('dir_list', { kind: 'done', result: { text: '', data: { tree } } })
    const { body } = await server.execute(call({ tool_name: 'dir_list' }))
    expect(body).toMatchObject({ data: { tree } })
  })
})

describe('what is not there', () => {
  it('names the task before the tool when both are unknown', async () => {
    const { status, body } = await server.execute(call({ task_id: 'nobody', tool_name: 'no_such_tool' }))
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: false, error: 'Task nobody not found', task_id: 'nobody' })
  })

  it.each(['my_tsak', 'My-Task', 'mytask'])('offers the task that %s may stand for', async (task_id) => {
    const { body } = await server.execute(call({ task_id }))
    expect(body).toMatchObject({ success: false, error: `Task ${task_id} not found; did you mean my_task?` })
  })

  it('offers no task whose number is another one', async () => {
    await server.create('run_17')
    const { body } = await server.execute(call({ task_id: 'run_18' }))
    expect(body).toMatchObject({ success: false, error: 'Task run_18 not found' })
  })

  it.each([
    ['file_raed', 'Tool file_raed not found; did you mean file_read?'],
    ['read_file', 'Tool read_file not found; did you mean file_read?'],
    ['ls', 'Tool ls not found; did you mean dir_list?'],
    ['other', 'Tool other not found'],
  ])('of the tool %s is answered with the nearest name, and where all are', async (tool_name, error) => {
    const { body } = await server.execute(call({ tool_name }))
    expect(body).toMatchObject({ error, data: { notes: [expect.stringContaining('GET /api/tools/info')] } })
  })

  it('names the tool when the task exists', async () => {
    const { body } = await server.execute(call({ tool_name: 'no_such_tool' }))
    expect(body).toMatchObject({ success: false, error: 'Tool no_such_tool not found', tool_name: 'no_such_tool' })
  })

  it('is the task, when its log is asked for', async () => {
    const { body } = await server.execute(
      call({ task_id: 'x', tool_name: 'file_read', params: { file_path: 'logs/x_process.log' } }),
    )
    expect(body).toMatchObject({ success: false, error: 'Task x not found' })
  })

  it('is told by the one answer of the session', async () => {
    for (const task_id of ['nobody', 'my_task']) await server.execute(call({ task_id, tool_name: 'no_such_tool' }))
    expect([server.calls.length, server.infoRequests]).toEqual([2, 0])
  })

  it('names the task before the arguments that are too much to be sent to it', async () => {
    const failure = { code: 'limit_exceeded', message: 'the arguments are larger than …' } as const
    server.refuseToSend = failure
    const ofNobody = await server.execute(call({ task_id: 'nobody' }))
    expect(ofNobody.body).toMatchObject({ success: false, error: 'Task nobody not found' })
    expect((await server.execute(call())).body).toMatchObject({ success: false, error: failure.message })
  })

  it('does not hide that a file was not found behind a missing task', async () => {
    server.answers.set('echo', { kind: 'failed', failure: { code: 'not_found', message: 'File not found: a' } })
    const { body } = await server.execute(call())
    expect(body).toMatchObject({ error: 'File not found: a' })
  })

  it.each([
    ['', 'empty'],
    ['a\u0000b', 'control characters'],
    ['x'.repeat(600), '512'],
  ])('says what is wrong with a task id that nothing can have (%#)', async (task_id, why) => {
    const { status, body } = await server.execute(call({ task_id }))
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: false, error: expect.stringContaining(why) })
  })
})

describe('parameters', () => {
  it.each([
    [undefined, {}],
    [null, {}],
    [[], {}],
    ['', {}],
    ['[]', {}],
    ['{"a":1}', { a: 1 }],
    [{ a: { b: [1] } }, { a: { b: [1] } }],
  ])('%j reaches the tool as %j', async (params, args) => {
    const { status } = await server.execute(call({ params }))
    expect(status).toBe(200)
    expect(server.calls.at(-1)?.call).toEqual({ tool: 'echo', args })
  })

  it.each([[[1]], ['plain words'], ['"{}"'], ['[1]'], [5], [true]])(
    '%j is refused as no dictionary',
    async (params) => {
      const { status, body } = await server.execute(call({ params }))
      expect(status).toBe(422)
      expect(detail(body)).toEqual({
        type: 'dict_type',
        message: 'Input should be a valid dictionary',
        location: ['body', 'params'],
        input: params,
      })
    },
  )

  it('ignores keys beside the known ones', async () => {
    const { status } = await server.execute(call({ multimodal_inputs: { a: 1 }, extra: 2 }))
    expect(status).toBe(200)
  })
})

describe('a request that does not fit', () => {
  it('is answered 422 with the published envelope and three suggestions', async () => {
    const { status, body } = await server.execute({ task_id: 'my_task' })
    expect(status).toBe(422)
    expect(body).toMatchObject({ success: false, error: '请求格式错误', error_type: 'validation_error' })
    expect(Object.keys(body as object)).toEqual(['success', 'error', 'error_type', 'details', 'suggestions'])
    expect((body as { suggestions: string[] }).suggestions).toHaveLength(3)
  })

  it('is answered in English beside the Chinese of each suggestion', async () => {
    const { body } = await server.execute('{"task_id": "t"')
    for (const suggestion of (body as { suggestions: string[] }).suggestions) {
      expect(suggestion).toMatch(/\p{Script=Han}.* \([\w ,:]+.*\)$/u)
    }
    expect(detail(body)).toMatchObject({
      suggestion: expect.stringMatching(/ \(the body is not JSON at character 15: /),
    })
  })

  it('names each missing field, and shows what was sent', async () => {
    const { body } = await server.execute({ params: {} })
    expect((body as { details: unknown }).details).toEqual(
      ['task_id', 'tool_name'].map((field) => ({
        type: 'missing',
        message: 'Field required',
        location: ['body', field],
        input: { params: {} },
      })),
    )
  })

  it('does not take a number for a task id', async () => {
    const { status, body } = await server.execute(call({ task_id: 7 }))
    expect(status).toBe(422)
    expect(detail(body)).toEqual({
      type: 'string_type',
      message: 'Input should be a valid string',
      location: ['body', 'task_id'],
      input: 7,
    })
  })

  it.each(['[1]', '"text"', 'null', '12'])('%s is no object', async (text) => {
    const { status, body } = await server.execute(text)
    expect(status).toBe(422)
    expect(detail(body)).toMatchObject({ type: 'model_attributes_type', location: ['body'] })
  })

  it('misses a body that is empty', async () => {
    const { status, body } = await server.execute('')
    expect(status).toBe(422)
    expect(detail(body)).toEqual({ type: 'missing', message: 'Field required', location: ['body'], input: null })
  })

  it('says where broken JSON breaks, with the published message', async () => {
    const { status, body } = await server.execute('{"task_id": "t", "content": "{\\\\"name\\\\": 1}"}')
    expect(status).toBe(422)
    expect(detail(body)).toMatchObject({
      type: 'json_parse_error',
      message: 'JSON格式错误，可能包含未转义的特殊字符',
      suggestion: expect.stringContaining('file_upload'),
      location: ['body', expect.any(Number)],
      input_preview: expect.stringContaining('{"task_id": "t"'),
    })
  })

  it('does not send a large body back', async () => {
    const { body } = await server.execute({ params: { content: 'x'.repeat(100_000) } })
    expect(JSON.stringify(body).length).toBeLessThan(3_000)
  })

  it('is answered 413 when its body is too large', async () => {
    const { status, body } = await server.execute('x'.repeat(MAX_BODY_BYTES + 1))
    expect(status).toBe(413)
    expect(body).toEqual({ detail: expect.stringContaining('larger than') })
  })
})
