import { beforeEach, describe, expect, it } from 'vitest'
import { FakeServer } from './fake-server.ts'

let server: FakeServer
beforeEach(async () => {
  server = new FakeServer()
  await server.create('t')
})

async function read(file_path: string, params: object = {}, task_id = 't') {
  const { body } = await server.execute({
    task_id,
    tool_name: 'file_read',
    params: { file_path, silent: true, ...params },
  })
  return body as {
    success: boolean
    error: string | null
    data: { content: string; total_lines: number; line_range: string }
  }
}

const CREATED = '2026-11-20 11:08:41,368 - Task t created successfully\n'

describe('the process log', () => {
  it('has a line per call, oldest first', async () => {
    server.addHistory('t', { tool: 'file_write', args: '{"file_path":"a"}', answer: 'written' })
    server.addHistory('t', { tool: 'execute_code', state: 'failed', answer: 'File not found: b' })
    const { success, data } = await read('logs/t_process.log')
    expect(success).toBe(true)
    expect(data).toEqual({
      content: `${CREATED}2026-11-20 11:08:41,368 - [SUCCESS] file_write (0.123s) | {"file_path":"a"} | written
2026-11-20 11:08:41,368 - [ERROR] execute_code (0.123s) | Error: File not found: b
`,
      total_lines: 3,
      line_range: '1-3',
      file_path: 'logs/t_process.log',
      container_path: '/home/user/workspace/logs/t_process.log',
      detected_encoding: 'utf-8',
      file_size: data.content.length,
    })
  })

  it('cuts long parameters and results, and keeps each call on its line', async () => {
    server.addHistory('t', { args: `{"c":"${'p'.repeat(300)}"}`, answer: `${'a'.repeat(150)}\n${'z'.repeat(150)}` })
    const { data } = await read('logs/t_process.log')
    const line = data.content.split('\n')[1] ?? ''
    expect(line).toContain(` | {"c":"${'p'.repeat(94)}... | ${'a'.repeat(100)}...${'z'.repeat(100)}`)
    expect(data.total_lines).toBe(2)
  })

  it('says of a call that has not ended that it started', async () => {
    server.addHistory('t', { state: 'running', endedAt: null, answer: '' })
    expect((await read('logs/t_process.log')).data.content).toContain(' - [START] echo\n')
  })

  it('leaves silent calls out', async () => {
    server.addHistory('t', { args: '{"file_path":"x","silent":true}' })
    expect((await read('logs/t_process.log')).data.content).toBe(CREATED)
  })

  it('is read without becoming a call itself', async () => {
    await read('logs/t_process.log')
    expect(server.calls).toEqual([])
  })

  it.each([
    [{ start_line: 2, end_line: 2 }, '2-2'],
    [{ start_line: '2' }, '2-3'],
    [{ start_line: 50 }, '3-3'],
    [{ start_line: 0, end_line: 1 }, '1-1'],
    [{ start_line: 3, end_line: 1 }, '3-3'],
  ])('gives the lines asked for: %j', async (lines, line_range) => {
    server.addHistory('t', {})
    server.addHistory('t', {})
    const { data } = await read('logs/t_process.log', lines)
    expect(data).toMatchObject({ line_range, total_lines: 3 })
  })

  it.each(['/logs/t_process.log', './logs/t_process.log', '/home/user/workspace/logs/t_process.log'])(
    'is found at %s too',
    async (path) => {
      expect((await read(path)).success).toBe(true)
    },
  )

  it('of a task whose id has slashes is found', async () => {
    await server.create('/home/me/p')
    expect((await read('logs//home/me/p_process.log', {}, '/home/me/p')).success).toBe(true)
  })

  it('that was really written is read as any other file', async () => {
    server.tasks.get('t')?.files.set('logs/t_process.log', 'mine')
    server.answers.set('file_read', { kind: 'done', result: { text: 'mine', data: { content: 'mine' } } })
    expect((await read('logs/t_process.log')).data.content).toBe('mine')
  })

  it('of another task is not shown', async () => {
    server.answers.set('file_read', { kind: 'failed', failure: { code: 'not_found', message: 'File not found' } })
    await server.create('u')
    expect(await read('logs/u_process.log')).toMatchObject({ success: false, error: 'File not found' })
  })

  it('of a task that does not exist is a missing task', async () => {
    expect(await read('logs/x_process.log', {}, 'x')).toMatchObject({ success: false, error: 'Task x not found' })
  })
})

describe('the detail log', () => {
  it('says what each call was given and what it answered', async () => {
    server.addHistory('t', { args: '{"a":1}', answer: 'two\nlines' })
    server.addHistory('t', { state: 'refused', answer: 'Tool x not found' })
    const at = '2026-11-20 11:08:41,368 - task_t_detail -'
    expect((await read('logs/t_detail.log')).data.content).toBe(
      `${at} INFO - Tool echo executed successfully in 0.123s
${at} DEBUG - Parameters: {"a":1}
${at} DEBUG - Result: two\\nlines
${at} ERROR - Tool echo failed after 0.123s: Tool x not found
${at} DEBUG - Parameters: {}
`,
    )
  })

  it('of a task without calls is empty', async () => {
    expect((await read('logs/t_detail.log')).data).toMatchObject({ content: '', total_lines: 0, line_range: '1-0' })
  })
})
