import { expect } from 'vitest'
import { aToolServer, type Envelope, newTaskId, verifies } from './support.ts'

const server = aToolServer()
/** Clocks of the test and the server count whole milliseconds. */
const CLOCKS_DIFFER_SECONDS = 0.002
const KEYS = ['success', 'data', 'error', 'timestamp', 'execution_time', 'task_id', 'tool_name']
const details = (body: unknown) => (body as { details: unknown[] }).details

verifies(
  [
    'toolserver:execute:keys',
    'toolserver:execute:unused-null',
    'toolserver:execute:timestamp',
    'toolserver:execute:execution-time',
  ],
  async () => {
    const task = await server.task()
    const before = Date.now()
    const good = await task.call('dir_list', {})
    const bad = await task.call('file_read', { file_path: 'none' })
    const after = Date.now()
    for (const [envelope, tool_name] of [
      [good, 'dir_list'],
      [bad, 'file_read'],
    ] as const) {
      expect(Object.keys(envelope)).toEqual(KEYS)
      expect(envelope).toMatchObject({ task_id: task.id, tool_name })
      expect(envelope.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?$/)
      const stamp = Date.parse(`${envelope.timestamp}Z`)
      // It may name the whole second alone.
      expect(stamp).toBeGreaterThan(before - 1_000)
      expect(stamp).toBeLessThanOrEqual(after)
      expect(envelope.execution_time).toBeGreaterThanOrEqual(0)
      expect(envelope.execution_time).toBeLessThanOrEqual((after - before) / 1_000 + CLOCKS_DIFFER_SECONDS)
    }
    expect(good).toMatchObject({ success: true, error: null })
    expect(bad).toMatchObject({ success: false, data: null })
  },
)

verifies('toolserver:execute:failure-is-200', async () => {
  const task = await server.task()
  const params = { file_path: 'none.txt' }
  const { status, body } = await server.execute({ task_id: task.id, tool_name: 'file_read', params })
  expect(status).toBe(200)
  expect(body).toMatchObject({ success: false, error: expect.stringMatching(/^File not found: none\.txt/) })
})

verifies(['toolserver:execute:task-unknown', 'toolserver:execute:no-creation'], async () => {
  const task_id = newTaskId()
  for (const tool_name of ['file_read', 'no_such_tool']) {
    const { status, body } = await server.execute({ task_id, tool_name, params: { file_path: 'a' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: false, error: `Task ${task_id} not found` })
  }
  expect((await server.json(`/api/task/${task_id}/status`)).status).toBe(404)
})

verifies('toolserver:execute:tool-unknown', async () => {
  const task = await server.task()
  expect(await task.failure('no_such_tool')).toBe('Tool no_such_tool not found')
})

verifies('toolserver:execute:params-default', async () => {
  const { id } = await server.task()
  for (const params of [undefined, null, [], {}]) {
    const { body } = await server.execute({ task_id: id, tool_name: 'dir_list', params })
    expect(body).toMatchObject({ success: true })
  }
})

verifies('toolserver:execute:params-text', async () => {
  const { id } = await server.task()
  const { body } = await server.execute({ task_id: id, tool_name: 'dir_list', params: '{"dir_path": "config"}' })
  expect(body).toMatchObject({ success: true, data: { tree: { name: 'config' } } })
})

verifies('toolserver:execute:unknown-keys', async () => {
  const { id } = await server.task()
  const params = { dir_path: '', nonsense: 1, silent: true, task_id: 'x' }
  const { body } = await server.execute({ task_id: id, tool_name: 'dir_list', params, multimodal_inputs: {}, more: 1 })
  expect(body).toMatchObject({ success: true })
})

verifies('toolserver:execute:synonyms', async () => {
  const task = await server.task()
  await task.done('dir_create', { path: 'upload/here' })
  const { stdout, notes } = await task.done('execute_shell', { cmd: 'pwd', cwd: 'upload/here' })
  expect([stdout, notes]).toEqual(['/home/user/workspace/upload/here\n', undefined])
  const both = { command: 'pwd', cwd: 'upload', workdir: 'code_run' }
  expect(await task.failure('execute_shell', both)).toMatch(
    /^cwd and workdir are two names of one parameter, and differ/,
  )
})

verifies('toolserver:execute:unknown-params', async () => {
  const task = await server.task()
  await task.write('code_run/kept.txt', 'x')
  const wrong = await task.failure('execute_shell', { command: 'rm -rf *', cwdd: 'upload' })
  expect(wrong).toMatch(/^unknown parameter: cwdd \(did you mean workdir\?\)\. Known: command \(required\), workdir, /)
  const { content, notes } = await task.done('file_read', { file_path: 'code_run/kept.txt', page: 2 })
  expect([content, notes]).toEqual(['x', [expect.stringMatching(/^unknown parameter: page\. Known: file_path /)]])
})

verifies('toolserver:execute:takes', async () => {
  const task = await server.task()
  const { data } = await task.call('file_read', {})
  expect(data).toEqual({ notes: [expect.stringMatching(/^file_read takes: file_path \(required\), start_line, /)] })
})

verifies('toolserver:execute:nearest', async () => {
  const task = await server.task()
  expect(await task.failure('file_raed')).toBe('Tool file_raed not found; did you mean file_read?')
  const task_id = `named-${crypto.randomUUID()}`
  await server.create({ task_id, task_name: 'x' })
  const { body } = await server.execute({ task_id: task_id.replace('named', 'naemd'), tool_name: 'dir_list' })
  expect(body).toMatchObject({ success: false, error: expect.stringContaining(`; did you mean ${task_id}?`) })
})

verifies('toolserver:execute:missing-param', async () => {
  const task = await server.task()
  expect(await task.failure('file_read')).toMatch(/missing required parameter: file_path/)
})

verifies('toolserver:execute:empty-param', async () => {
  const task = await server.task()
  expect(await task.failure('file_read', { file_path: '' })).toMatch(/file_path is required|file_path: .*required/)
})

verifies('toolserver:execute:422:missing', async () => {
  const { status, body } = await server.execute({ params: {} })
  expect(status).toBe(422)
  expect(details(body)).toEqual(
    ['task_id', 'tool_name'].map((name) => ({
      type: 'missing',
      message: 'Field required',
      location: ['body', name],
      input: { params: {} },
    })),
  )
})

verifies('toolserver:execute:422:type', async () => {
  const wrongId = await server.execute({ task_id: 1, tool_name: 'dir_list' })
  expect(wrongId.status).toBe(422)
  expect(details(wrongId.body)).toMatchObject([{ type: 'string_type', location: ['body', 'task_id'], input: 1 }])
  const wrongParams = await server.execute({ task_id: 'a', tool_name: 'dir_list', params: [1] })
  expect(wrongParams.status).toBe(422)
  expect(details(wrongParams.body)).toMatchObject([{ type: 'dict_type', location: ['body', 'params'], input: [1] }])
})

verifies(['toolserver:execute:422:json', 'toolserver:execute:422:shape'], async () => {
  const { status, body } = await server.execute('{"task_id": "a", "tool_name": "b", "params": {"c": "d"')
  expect(status).toBe(422)
  expect(body).toEqual({
    success: false,
    error: '请求格式错误',
    error_type: 'validation_error',
    details: [
      {
        type: 'json_parse_error',
        message: 'JSON格式错误，可能包含未转义的特殊字符',
        suggestion: expect.stringContaining('file_upload'),
        location: ['body', expect.any(Number)],
        input_preview: expect.stringContaining('"task_id"'),
      },
    ],
    suggestions: [expect.any(String), expect.any(String), expect.any(String)],
  })
})

verifies('toolserver:execute:large', async () => {
  const task = await server.task()
  const content = 'x'.repeat(6_000_000)
  expect(await task.done('file_write', { file_path: 'upload/big.txt', content })).toMatchObject({ size: 6_000_000 })
})

verifies('toolserver:execute:parallel', async () => {
  const task = await server.task()
  const numbers = Array.from({ length: 8 }, (_, n) => n)
  const answers = await Promise.all(
    numbers.map((n) => task.call('file_write', { file_path: `p/${n}`, content: `${n}` })),
  )
  expect(answers.every(({ success }: Envelope) => success)).toBe(true)
  const read = await Promise.all(numbers.map((n) => task.read(`p/${n}`)))
  expect(read).toEqual(numbers.map(String))
})

verifies('toolserver:paths:leading-slash', async () => {
  const task = await server.task()
  await task.write('/code_run/hello.py', 'print("hi")')
  expect(await task.read('code_run/hello.py')).toBe('print("hi")')
  expect(await task.done('execute_code', { file_path: '/code_run/hello.py' })).toMatchObject({ stdout: 'hi\n' })
})

verifies('toolserver:paths:container-path', async () => {
  const task = await server.task()
  const written = await task.done('file_write', { file_path: 'upload/a.txt', content: 'x' })
  expect(await task.read(String(written.container_path))).toBe('x')
})

verifies('toolserver:paths:outside', async () => {
  const task = await server.task()
  for (const file_path of ['../x', 'upload/../../x', '/../../etc/passwd']) {
    expect(await task.failure('file_read', { file_path })).toMatch(/leaves the task directory/)
    expect(await task.failure('file_write', { file_path, content: 'x' })).toMatch(/leaves the task directory/)
  }
})

verifies('toolserver:paths:unicode', async () => {
  const task = await server.task()
  const path = 'upload/论文 草稿 (é).txt'
  await task.write(path, '内容')
  expect(await task.read(path)).toBe('内容')
  const ls = await task.done('execute_shell', { command: 'ls', workdir: 'upload' })
  expect(ls.stdout).toBe('论文 草稿 (é).txt\n')
})

verifies('toolserver:logs:process', async () => {
  const task = await server.task()
  await task.write('upload/a.txt', 'x')
  await task.failure('file_read', { file_path: 'none.txt' })
  const content = String(await task.read(`logs/${task.id}_process.log`))
  expect(content).toMatch(/\[SUCCESS\] file_write \(\d+\.\d{3}s\) \| .*upload\/a\.txt/)
  expect(content).toMatch(/\[ERROR\] file_read \(\d+\.\d{3}s\) \| .*none\.txt.* \| Error: File not found: none\.txt/)
})

verifies('toolserver:logs:detail', async () => {
  const task = await server.task()
  await task.done('dir_list')
  expect(await task.read(`logs/${task.id}_detail.log`)).toMatch(/Tool dir_list executed successfully in \d+\.\d{3}s/)
})

verifies('toolserver:logs:silent', async () => {
  const task = await server.task()
  await task.done('dir_list', { dir_path: 'config', silent: true })
  const params = { file_path: `logs/${task.id}_process.log`, silent: true }
  expect(String((await task.done('file_read', params)).content)).not.toMatch(/dir_list/)
  expect(String((await task.done('file_read', params)).content)).not.toMatch(/file_read/)
})

verifies('toolserver:logs:file', async () => {
  const task = await server.task()
  await task.write('upload/a.txt', 'x')
  const path = `logs/${task.id}_process.log`
  const content = String(await task.read(path))
  expect(content).toContain('[SUCCESS] file_write')
  const response = await server.request(`/api/download/${task.id}/${path}`)
  expect([response.status, await response.text()]).toEqual([200, content])
  // The same session by another API.
  const call = { tool: 'file_read', args: { file_path: path } }
  const { body } = await server.json(`/v1/sessions/${task.id}/calls`, { method: 'POST', body: JSON.stringify(call) })
  expect(body).toMatchObject({ state: 'done', data: { content } })
})

verifies('toolserver:download:file', async () => {
  const task = await server.task()
  const bytes = Uint8Array.from({ length: 256 }, (_, n) => n)
  const content = Buffer.from(bytes).toString('base64')
  await task.done('file_upload', { files: [{ filename: '图 1.bin', content, is_base64: true }] })
  const response = await server.request(`/api/download/${task.id}/upload/${encodeURIComponent('图 1.bin')}`)
  expect(response.status).toBe(200)
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
  expect(response.headers.get('Content-Type')).toBe('application/octet-stream')
  expect(response.headers.get('Content-Disposition')).toContain("filename*=UTF-8''%E5%9B%BE%201.bin")
})

verifies('toolserver:download:errors', async () => {
  const { id } = await server.task()
  const at = (path: string) => server.json(`/api/download/${id}/${path}`)
  expect(await at('upload/none')).toEqual({ status: 404, body: { detail: 'File not found: upload/none' } })
  expect(await at('upload')).toEqual({ status: 400, body: { detail: 'Cannot download directory: upload' } })
  expect(await at('..%2Fx')).toEqual({
    status: 403,
    body: { detail: 'Access denied: file outside task directory' },
  })
})

verifies('toolserver:download:unknown-task', async () => {
  const id = newTaskId()
  expect(await server.json(`/api/download/${id}/a.txt`)).toEqual({
    status: 404,
    body: { detail: `Task ${id} not found` },
  })
})
