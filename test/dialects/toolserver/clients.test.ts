import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { SHIPPED_CALLS } from './infiagent-calls.ts'
import { aToolServer, type Envelope, newTaskId, verifies } from './support.ts'

const server = aToolServer()
const run = promisify(execFile)

interface ToolAnswer {
  readonly status: 'success' | 'error'
  readonly output: string
  readonly error_information: string
}

interface Habits {
  readonly taskName: (id: string) => string
  readonly contentType: string
  readonly timeoutMs: number
}
const JULY: Habits = { taskName: (id) => `AutoGen-${id}`, contentType: 'application/json', timeoutMs: 120_000 }
const OCTOBER: Habits = {
  taskName: (id) => `MLA-V3-${id}`,
  contentType: 'application/json; charset=utf-8',
  timeoutMs: 100_000_000,
}

/** What either client does: asks for the task, creates it when the status is not 200, and calls. Statuses are noted. */
function client({ taskName, contentType, timeoutMs }: Habits) {
  const statuses: string[] = []
  const known = new Set<string>()

  async function ensureTask(id: string) {
    if (known.has(id)) return
    const response = await server.request(`/api/task/${id}/status`, { signal: AbortSignal.timeout(5_000) })
    await response.text()
    statuses.push(`status ${response.status}`)
    if (response.status !== 200) {
      const query = new URLSearchParams({ task_id: id, task_name: taskName(id) })
      const made = await server.request(`/api/task/create?${query}`, {
        method: 'POST',
        signal: AbortSignal.timeout(10_000),
      })
      statuses.push(`create ${made.status}`)
      if (made.status !== 200 || !((await made.json()) as { success?: boolean }).success) return
    }
    known.add(id)
  }

  return {
    statuses,
    async execute(tool_name: string, params: object, task_id: string): Promise<ToolAnswer> {
      await ensureTask(task_id)
      const response = await server.request('/api/tool/execute', {
        method: 'POST',
        headers: { 'Content-Type': contentType },
        body: JSON.stringify({ task_id, tool_name, params }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      statuses.push(`execute ${response.status}`)
      if (!response.ok) return { status: 'error', output: '', error_information: `HTTP ${response.status}` }
      const { success, data, error } = (await response.json()) as Envelope
      return success
        ? { status: 'success', output: JSON.stringify(data, null, 2), error_information: '' }
        : { status: 'error', output: '', error_information: error ?? '' }
    },
  }
}

const HELLO = { file_path: 'code_run/hello.py', content: 'print("Hello")', mode: 'overwrite' }

verifies('toolserver:client:july', async () => {
  const id = newTaskId()
  const first = client(JULY)
  expect(await first.execute('file_write', HELLO, id)).toMatchObject({ status: 'success' })
  const ran = await first.execute('execute_code', { file_path: 'code_run/hello.py', timeout: 60 }, id)
  expect(JSON.parse(ran.output)).toMatchObject({ exit_code: 0, stdout: 'Hello\n' })
  expect(first.statuses).toEqual(['status 404', 'create 200', 'execute 200', 'execute 200'])

  const later = client(JULY)
  expect(await later.execute('file_read', { file_path: HELLO.file_path }, id)).toMatchObject({ status: 'success' })
  expect(later.statuses).toEqual(['status 200', 'execute 200'])
})

verifies('toolserver:client:october', async () => {
  const id = `/Users/me/项目/${newTaskId()}`
  const first = client(OCTOBER)
  expect(await first.execute('file_write', HELLO, id)).toMatchObject({ status: 'success' })
  expect(first.statuses).toEqual(['status 404', 'create 200', 'execute 200'])
  const later = client(OCTOBER)
  const read = await later.execute('file_read', { file_path: HELLO.file_path }, id)
  expect(JSON.parse(read.output)).toMatchObject({ content: HELLO.content })
  expect(later.statuses).toEqual(['status 200', 'execute 200'])
})

verifies('toolserver:client:error-text', async () => {
  const agent = client(JULY)
  const id = newTaskId()
  for (const [tool, params, why] of [
    ['file_read', { file_path: 'none.txt' }, /^File not found: none\.txt/],
    ['file_read', { file_path: '../../etc/passwd' }, /leaves the task directory/],
    ['no_such_tool', {}, /^Tool no_such_tool not found/],
    ['file_read', {}, /file_path/],
  ] as const) {
    const answer = await agent.execute(tool, params, id)
    expect(answer.status).toBe('error')
    expect(answer.error_information).toMatch(why)
  }
})

verifies('toolserver:client:frontend', async () => {
  const task = await server.task()
  const list = (await server.json('/api/task/list')).body as { success: boolean; data: { task_id: string }[] }
  expect(list.success).toBe(true)
  expect(list.data.map(({ task_id }) => task_id)).toContain(task.id)

  const content = Buffer.from('from a browser').toString('base64')
  const files = [{ filename: 'notes.txt', content, is_base64: true }]
  await task.done('file_upload', { files, target_path: 'upload' })
  expect(await task.read('upload/notes.txt')).toBe('from a browser')

  for (const log of ['process', 'detail']) {
    const polled = await task.done('file_read', { file_path: `logs/${task.id}_${log}.log`, silent: true })
    expect(polled.content).toContain('file_upload')
  }

  const pending = task.done('human_in_loop', { human_task: 'Look at the notes' })
  let waiting: readonly { human_task_id: string; completed: boolean }[] = []
  while (waiting.length === 0) {
    const { body } = await server.json(`/api/human-tasks/${task.id}`)
    waiting = (body as { data: { human_tasks: typeof waiting } }).data.human_tasks
  }
  const path = `/api/human-tasks/${task.id}/${waiting[0]?.human_task_id}?completed=true`
  expect(await server.json(path, { method: 'PUT' })).toMatchObject({ status: 200, body: { success: true } })
  expect(await pending).toMatchObject({ completed: true, result: null })
})

verifies('toolserver:client:python', async () => {
  const python = async (tool: string, params: object, id: string) => {
    const args = ['examples/toolserver/agent.py', server.url(), id, tool, JSON.stringify(params)]
    return JSON.parse((await run('python3', args)).stdout) as ToolAnswer
  }
  for (const id of [newTaskId(), `/Users/me/my project/${newTaskId()}`]) {
    expect(await python('file_write', HELLO, id)).toMatchObject({ status: 'success', error_information: '' })
    const read = await python('file_read', { file_path: HELLO.file_path, start_line: 1, end_line: 10 }, id)
    expect(JSON.parse(read.output)).toMatchObject({ content: HELLO.content, line_range: '1-1' })
    expect(await python('file_read', { file_path: 'none' }, id)).toEqual({
      status: 'error',
      output: '',
      error_information: expect.stringMatching(/^File not found: none/),
    })
  }
})

verifies(['toolserver:infiagent:files', 'toolserver:infiagent:code'], async () => {
  const agent = client(OCTOBER)
  const id = `/Users/me/项目/${newTaskId()}`
  const outputs: Record<string, unknown>[] = []
  for (const [tool, params] of SHIPPED_CALLS) {
    const { status, output, error_information } = await agent.execute(tool, params, id)
    expect({ tool, status, error_information }).toEqual({ tool, status: 'success', error_information: '' })
    outputs.push(JSON.parse(output))
  }
  const [made, written, appended, replaced, read, listed, found, ran, shell, moved, deleted] = outputs
  expect(made).toMatchObject({ created: 'code_run/src' })
  expect(written).toMatchObject({ mode: 'overwrite', size: 50 })
  expect(appended).toMatchObject({ mode: 'append', size: 63 })
  expect(replaced).toMatchObject({ replaced_lines: '4-4', total_lines: 5 })
  expect(read).toMatchObject({
    content: [
      { line: 1, content: 'def add(a, b):' },
      { line: 2, content: '    return a + b' },
    ],
    total_lines: 5,
  })
  expect(listed).toMatchObject({
    tree: { path: 'code_run', children: [{ name: 'src', children: [{ name: 'main.py' }] }] },
  })
  expect(found).toMatchObject({
    exit_code: 0,
    stdout: 'code_run/src/main.py:1:def add(a, b):\ncode_run/src/main.py:5:# TODO tests\n',
  })
  expect(ran).toMatchObject({ exit_code: 0, stdout: '5\n' })
  expect(shell?.stdout).toMatch(/^\.\n(?:.*\n)*upload\n(?:.*\n)*# TODO tests\n$/)
  expect(moved).toMatchObject({ moved_from: 'code_run/src/main.py', moved_to: 'code_run/app.py' })
  expect(deleted).toMatchObject({ deleted: 'code_run/src', type: 'directory' })
})

verifies('toolserver:infiagent:code', async () => {
  const task = await server.task()
  await task.write('upload/who.py', 'import os\nprint(os.path.basename(os.getcwd()), "Ünïcode")')
  const where = { file_path: 'upload/who.py', working_dir: 'logs' }
  expect(await task.done('execute_code', where)).toMatchObject({ exit_code: 0, stdout: 'logs Ünïcode\n' })
  expect(await task.done('execute_code', { code: 'print(6 * 7)' })).toMatchObject({ exit_code: 0, stdout: '42\n' })

  expect(await task.done('execute_code', { ...where, output_file: 'out/a.txt' })).toMatchObject({ exit_code: 0 })
  expect(await task.read('out/a.txt')).toBe('logs Ünïcode\n')
  const started = await task.done('execute_code', { ...where, background: true, output_file: 'out/b.txt' })
  expect(started.stdout).toMatch(/^started in the background, PID \d+\n$/)
  await task.shell('until [ -s out/b.txt ]; do sleep 0.1; done', { workdir: '.' })
  expect(await task.read('out/b.txt')).toBe('logs Ünïcode\n')
  expect(await task.failure('execute_code', { ...where, background: true })).toMatch(/^output_file is required/)

  const endless = { code: 'import time\nprint("up", flush=True)\ntime.sleep(600)', output_file: 'out/c.txt' }
  const { process_id } = await task.done('execute_code', { ...endless, background: true })
  const { processes } = await task.done('manage_code_process', { action: 'list' })
  expect(processes).toMatchObject([
    {
      process_id,
      command: expect.stringMatching(/^code_run\/temp_code_/),
      output_file: 'out/c.txt',
      status: 'running',
    },
    { command: 'upload/who.py', output_file: 'out/b.txt', status: 'finished' },
  ])
  await task.shell('until [ -s out/c.txt ]; do sleep 0.1; done', { workdir: '.' })
  const killed = await task.done('manage_code_process', { action: 'kill', process_id })
  expect(killed).toEqual({ process_id, status: 'terminated' })
  expect(await task.read('out/c.txt')).toMatch(/^up\n/)

  await task.write('upload/deep/notes.md', "it's a\nmatch\nMATCH\n")
  const grep = async (params: object) => (await task.done('grep', params)).stdout
  expect(await grep({ pattern: "^match|it's", case_sensitive: false, search_path: 'upload' })).toBe(
    "upload/deep/notes.md:1:it's a\nupload/deep/notes.md:2:match\nupload/deep/notes.md:3:MATCH\n",
  )
  expect(await grep({ pattern: 'match', file_pattern: '*.md', context_lines: 1, max_results: 2 })).toBe(
    "upload/deep/notes.md-1-it's a\nupload/deep/notes.md:2:match\n",
  )
  expect(await grep({ pattern: 'match', search_path: 'upload', recursive: false })).toBe('')
  expect(await task.done('grep', { pattern: '(' })).toMatchObject({
    exit_code: 2,
    stderr: expect.stringContaining('grep'),
  })
  expect(await task.done('grep', { pattern: '-rf $(touch x) `touch x`' })).toMatchObject({ exit_code: 1, stdout: '' })
  expect(await task.failure('file_read', { path: 'x' })).toMatch(/not found/i)
})

verifies('toolserver:infiagent:several', async () => {
  const task = await server.task()
  await task.write('a.txt', 'A\n')
  await task.write('b.txt', 'B\n')
  expect(await task.done('file_read', { path: ['a.txt', 'none.txt', 'b.txt'] })).toMatchObject({
    total_files: 3,
    success_count: 2,
    error_count: 1,
    files: {
      'a.txt': { status: 'success', content: [{ line: 1, content: 'A' }], total_lines: 1 },
      'none.txt': { status: 'error', error: expect.stringMatching(/^File not found: none\.txt/) },
      'b.txt': { status: 'success' },
    },
  })
  expect(await task.done('file_read', { path: 'a.txt', show_line_numbers: false })).toMatchObject({ content: 'A\n' })
  await task.done('file_move', { source: ['a.txt', 'b.txt'], destination: 'both', copy: true })
  await task.done('file_move', { source: ['a.txt', 'b.txt'], destination: 'moved' })
  for (const path of ['both/a.txt', 'moved/a.txt']) expect(await task.read(path)).toBe('A\n')
  for (const path of ['both/b.txt', 'moved/b.txt']) expect(await task.read(path)).toBe('B\n')
  expect(await task.failure('file_read', { path: 'a.txt' })).toMatch(/^File not found/)
  await task.write('c.txt', 'C')
  const { data, error } = await task.call('file_move', { source: ['c.txt', 'none.txt'], destination: 'moved' })
  expect({ data, error }).toEqual({
    data: { done: ['c.txt'], failed: 'none.txt' },
    error: expect.stringMatching(/^Source not found: none\.txt/),
  })
})

verifies('toolserver:infiagent:refused', async () => {
  const task = await server.task()
  await task.write('a.txt', 'A')
  expect(await task.done('file_read', { path: ['a.txt'], file_path: 'a.txt' })).toMatchObject({ total_lines: 1 })
  for (const [tool, params] of [
    ['file_read', { path: 'a.txt', file_path: 'b.txt' }],
    ['file_delete', { path: 'b.txt', file_path: 'a.txt' }],
    ['file_move', { source: ['a.txt'], src_path: 'b.txt', destination: 'c.txt' }],
  ] as const) {
    expect(await task.failure(tool, params)).toMatch(/ are two names of one parameter, and differ; give one of them$/)
  }
  expect(await task.read('a.txt')).toBe('A')
  expect(await task.failure('grep', {})).toBe('missing required parameter: pattern')
  expect(await task.failure('grep', { pattern: 'a', max_results: 'many' })).toMatch(
    /^max_results must be a whole number/,
  )
  expect(await task.failure('file_read', { path: { a: 1 } })).toBe('path must be a path or a list of paths')
  expect(await task.failure('file_read', { path: '../a' })).toMatch(/leaves the task directory/)
  expect(await task.failure('md_to_pdf', { source_path: 'a.md' })).toMatch(/^Tool md_to_pdf not found; .*tex_to_pdf/)
  expect(await task.failure('manage_code_process', { action: 'kill' })).toBe('process_id is required for kill action')
  expect(await task.failure('manage_code_process', { action: 'kill', process_id: 'bg_1' })).toMatch(
    /^Process not found: bg_1/,
  )
  expect(await task.failure('manage_code_process', { action: 'pause' })).toMatch(/^Unknown action: pause/)
  const elsewhere = await server.execute({ task_id: 'none', tool_name: 'grep', params: {} })
  expect(elsewhere.body).toMatchObject({ success: false, error: 'Task none not found' })
})
