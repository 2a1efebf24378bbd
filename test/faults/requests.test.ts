import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_BODY_BYTES } from '../../src/core/limits/requests.ts'
import { MAX_EDIT_BYTES } from '../../src/core/limits/workspace.ts'
import { aToolServer, type Task } from '../dialects/toolserver/support.ts'

const server = aToolServer()

let task: Task
beforeAll(async () => {
  task = await server.task()
  await task.write('upload/kept.txt', 'one\ntwo\nthree\n')
})
afterAll(async () => {
  expect(await task.read('upload/kept.txt')).toBe('one\ntwo\nthree\n')
})

const post = async (body: BodyInit) => {
  const answer = await server.request('/api/tool/execute', { method: 'POST', body })
  return { status: answer.status, body: await answer.json() }
}
const invalid = (detail: object) => ({
  status: 422,
  body: { success: false, error_type: 'validation_error', details: [expect.objectContaining(detail)] },
})

describe('a body of nearly the largest size', () => {
  it('may have a character beyond Latin-1 in a long text, and the file has it', async () => {
    const content = `${'x'.repeat(MAX_EDIT_BYTES - 3)}中`
    expect(await task.done('file_write', { file_path: 'large.txt', content })).toMatchObject({ size: MAX_EDIT_BYTES })
    const file = await server.request(`/api/download/${task.id}/large.txt`)
    expect((await file.text()) === content).toBe(true)
  })

  it('may have such characters in many texts', async () => {
    const one = `${'x'.repeat(200_000)}中`
    const files = Array.from({ length: Math.floor(MAX_BODY_BYTES / 200_100) }, (_, n) => ({
      filename: `${n}`,
      content: one,
    }))
    const { error, success } = await task.call('file_upload', { files, target_path: 'many' })
    expect({ success, error }).toEqual({ success: true, error: null })
    expect(await task.read(`upload/many/${files.length - 1}`)).toBe(one)
  })
})

describe('a body that is no request', () => {
  it.each([
    ['cut off', '{"task_id": "a", "tool_name": ', { type: 'json_parse_error', location: ['body', 30] }],
    ['empty', '', { type: 'missing', location: ['body'] }],
    ['a list', '[]', { type: 'model_attributes_type', location: ['body'] }],
    ['null', 'null', { type: 'model_attributes_type', location: ['body'] }],
    ['a number', '1e999', { type: 'model_attributes_type', location: ['body'] }],
    ['10 MB of brackets', '['.repeat(10_000_000), { type: 'json_parse_error', location: ['body', 64] }],
    [
      '10 MB of nested params',
      `{"task_id":"a","tool_name":"b","params":${'{"a":'.repeat(2_000_000)}`,
      { type: 'json_parse_error', suggestion: expect.stringContaining('MAX_JSON_DEPTH') },
    ],
    ['a tool name that is a list', '{"task_id":"a","tool_name":[]}', { location: ['body', 'tool_name'] }],
    ['params that are a text', '{"task_id":"a","tool_name":"b","params":"x"}', { location: ['body', 'params'] }],
  ])('that is %s is answered 422, naming the place', async (_, body, detail) => {
    expect(await post(body)).toMatchObject(invalid(detail))
  })

  it('that is not UTF-8 is answered 400 and told so', async () => {
    expect(await post(Uint8Array.of(0x7b, 0xff, 0xfe))).toEqual({
      status: 400,
      body: { detail: 'the body is not valid UTF-8; send UTF-8' },
    })
  })

  it.each([
    ['with a Content-Length', () => new Uint8Array(29 * 1024 * 1024).fill(0x20)],
    ['in chunks of unknown number', () => new Blob([new Uint8Array(29 * 1024 * 1024).fill(0x20)]).stream()],
  ])('that is larger than the limit, %s, is answered 413 with the limit', async (_, body) => {
    const init = { method: 'POST', body: body(), duplex: 'half' } // a stream is sent while the answer may be read
    const answer = await server.request('/api/tool/execute', init)
    expect(answer.status).toBe(413)
    expect(await answer.json()).toEqual({ detail: expect.stringMatching(/^the body is larger than 29360128 bytes/) })
  })
})

describe('names that mean something to the machine', () => {
  it.each(['__proto__', 'constructor', 'toString', '../file_read', 'file_read\0', ''])(
    'the tool %j is a tool that is not found',
    async (tool) => {
      expect(await task.failure(tool)).toBe(`Tool ${tool} not found`)
    },
  )

  it.each(['../x', '..', '.', '%2e%2e', 'a/../b', ' ', '__proto__', "'; DROP TABLE session; --"])(
    'the task id %j is a name like any other',
    async (task_id) => {
      const status = `/api/task/${encodeURIComponent(task_id).replaceAll('.', '%2E')}/status`
      const seen = async () => (await server.execute({ task_id, tool_name: 'dir_list', params: {} })).body
      expect(await seen()).toMatchObject({ success: false, error: `Task ${task_id} not found` })
      expect((await server.create({ task_id, task_name: 'x' })).status).toBe(200)
      expect(await seen()).toMatchObject({ success: true, data: { tree: { name: task_id } } })
      // "." and ".." never arrive: clients take them for steps in the URL, however they are encoded.
      if (!/^\.+$/.test(task_id)) expect((await server.json(status)).status).toBe(200)
    },
  )

  it.each([
    ['that is empty', '', /is empty/],
    ['with a line break', 'a\nb', /control characters/],
    ['with a NUL', 'a\0', /control characters/],
    ['of 600 characters', 'x'.repeat(600), /600 bytes; at most 512 are allowed/],
  ])('a task id %s is refused', async (_, task_id, reason) => {
    expect(await server.create({ task_id, task_name: 'x' })).toEqual({
      status: 400,
      body: { detail: expect.stringMatching(reason) },
    })
  })

  it('a task that is not there is named in the answer, and is not made by asking', async () => {
    const call = { task_id: 'nobody', tool_name: 'file_write', params: { file_path: 'a', content: 'b' } }
    const answer = { success: false, data: null, error: 'Task nobody not found' }
    expect((await server.execute(call)).body).toMatchObject(answer)
    expect((await server.execute(call)).body).toMatchObject(answer)
  })
})

describe('arguments that do not fit', () => {
  it.each([
    ['file_read', {}, 'missing required parameter: file_path'],
    ['file_read', { file_path: null }, 'missing required parameter: file_path'],
    ['file_read', { file_path: '' }, 'file_path is required'],
    ['file_read', { file_path: 12 }, 'file_path: Invalid input: expected string, received number'],
    ['file_read', { file_path: 'upload/kept.txt', start_line: 'x' }, 'start_line: must be a whole number'],
    ['file_read', { file_path: 'upload/kept.txt', start_line: 1.5 }, 'start_line: must be a whole number'],
    ['file_read', { file_path: 'none' }, 'File not found: none; dir_list shows what exists'],
    ['file_read', { file_path: 'upload' }, 'Not a file: upload; dir_list shows what is in it'],
    ['file_write', { file_path: 'upload/kept.txt', content: { a: 1 } }, /^content: .*expected string/],
    ['file_write', { file_path: 'upload/kept.txt/x', content: '' }, /upload\/kept\.txt is a file and not a directory/],
    ['file_write', { file_path: '/', content: '' }, "[Errno 21] Is a directory: '/'"],
    ['file_write', { file_path: 'x'.repeat(300), content: '' }, /longer than 255 bytes; shorten it/],
    ['file_write', { file_path: 'x/'.repeat(3_000), content: '' }, /longer than 3072 bytes; shorten it/],
    ['file_write', { file_path: 'upload/kept.txt', content: '%%%', is_base64: true }, /^Base64 decode error: /],
    ['file_write', { file_path: 'upload/kept.txt', content: '/w==', is_base64: true }, /use file_upload for binary/],
    ['file_upload', { files: [{ filename: 'a', content: '%%%', is_base64: true }] }, /^Base64 decode error: a is not/],
    ['file_upload', { files: 'kept.txt' }, /^files: .*expected array/],
    ['file_upload', { files: [null] }, /^files\.0: .*expected object/],
    [
      'file_replace_lines',
      { file_path: 'upload/kept.txt', start_line: 9, end_line: 9, new_content: '' },
      /Invalid start line: 9; .* 3 lines/,
    ],
    [
      'file_replace_lines',
      { file_path: 'upload/kept.txt', start_line: 1, end_line: 9, new_content: '' },
      /Invalid end line: 9; .* 3 lines/,
    ],
    [
      'file_replace_lines',
      { file_path: 'upload/kept.txt', start_line: 0, end_line: 0, new_content: '' },
      /lines count from 1/,
    ],
    ['file_delete', { file_path: '/' }, /task root itself cannot be deleted/],
    ['file_move', { src_path: 'upload', dest_path: 'upload/x/y' }, /^Cannot move a directory 'upload' into itself/],
    ['execute_code', { file_path: 'none.py' }, /^File not found: none\.py; write it with file_write first/],
    ['execute_shell', { command: { ls: true } }, /^command: .*expected string/],
    ['execute_shell', { command: 'true', timeout: 0 }, 'timeout: must be at least 1 second'],
    ['execute_shell', { command: 'true', timeout: 'soon' }, 'timeout: must be a whole number of seconds'],
    ['execute_shell', { command: 'true', workdir: 'upload/kept.txt' }, 'Not a directory: upload/kept.txt'],
    ['execute_shell', { command: 'echo a\0b' }, 'the command has a NUL character; remove it'],
    [
      'pip_install',
      { packages: ['-r /etc/passwd'] },
      /options are not allowed, so give the lines of that file as entries of packages; use a form such as/,
    ],
    ['pip_install', { packages: [1] }, /^packages\.0: .*expected string/],
    ['git_clone', { repo_url: 'file:///etc' }, /^repo_url must be an https:\/\/, http:\/\/ or git:\/\/ URL/],
    ['git_clone', { repo_url: '--upload-pack=id' }, /^repo_url must be/],
    ['git_clone', { repo_url: 'https://a/b.git', target_dir: '-x' }, /^target_dir begins with "-"/],
  ])('%s %.80j says %s', async (tool, params, error) => {
    const answer = await task.failure(tool, params)
    if (typeof error === 'string') expect(answer).toBe(error)
    else expect(answer).toMatch(error)
  })

  it('a range of lines out of bounds is cut to what is there, and the answer says which lines it has', async () => {
    const lines = async (range: object) => task.done('file_read', { file_path: 'upload/kept.txt', ...range })
    expect(await lines({ start_line: 50 })).toMatchObject({ content: 'three\n', line_range: '3-3' })
    expect(await lines({ start_line: -5, end_line: '2' })).toMatchObject({ content: 'one\ntwo\n', line_range: '1-2' })
    expect(await lines({ start_line: 3, end_line: 1 })).toMatchObject({ content: 'three\n', line_range: '3-3' })
  })

  it('a binary file that is read as text is refused with another way to look at it', async () => {
    const content = Buffer.from([0, 1, 2, 0xff, 0xfe, 0, 9]).toString('base64')
    await task.done('file_upload', { files: [{ filename: 'blob', content, is_base64: true }] })
    expect(await task.failure('file_read', { file_path: 'upload/blob' })).toBe(
      'Cannot read binary file: upload/blob. Its content is not text. Inspect it with execute_shell (file, unzip -l, xxd) or with execute_code.',
    )
  })

  it('a timeout of thirty years is cut to what is granted, and the answer says so', async () => {
    const { stdout, notes } = await task.shell('echo ran', { timeout: 1e9 })
    expect(stdout).toBe('ran\n')
    expect(notes).toEqual(['timeout was cut to 82800 seconds, the longest that is granted'])
  })
})

describe('paths that leave the task', () => {
  const outside = ['../x', '..', 'upload/../../x', '/../../etc/passwd', '/home/user/workspace/../.toolyard/x']

  it.each(outside)('%s is refused by every tool', async (path) => {
    const calls: [string, object][] = [
      ['file_read', { file_path: path }],
      ['file_write', { file_path: path, content: 'x' }],
      ['file_replace_lines', { file_path: path, start_line: 1, end_line: 1, new_content: '' }],
      ['file_delete', { file_path: path }],
      ['file_move', { src_path: path, dest_path: 'x' }],
      ['file_move', { src_path: 'upload/kept.txt', dest_path: path }],
      ['file_upload', { files: [{ filename: path, content: 'x' }] }],
      ['file_upload', { files: [{ filename: 'x', content: 'x' }], target_path: path }],
      ['dir_create', { dir_path: path }],
      ['dir_list', { dir_path: path }],
      ['execute_code', { file_path: path }],
      ['execute_shell', { command: 'true', workdir: path }],
      ['git_clone', { repo_url: 'https://a/b.git', target_dir: path }],
    ]
    for (const [tool, params] of calls)
      expect(await task.failure(tool, params)).toMatch(/leaves the task directory; give/)
  })

  it('a NUL in a path is refused by file tools and by download', async () => {
    expect(await task.failure('file_read', { file_path: 'a\0b' })).toBe('the path has a NUL character; remove it')
    expect(await server.json(`/api/download/${task.id}/a%00b`)).toEqual({
      status: 400,
      body: { detail: 'the path has a NUL character; remove it' },
    })
  })

  it.each(['/etc/passwd', '//etc/passwd', '/home/user/other'])(
    '%s is not written, and below the task root it is mine',
    async (file_path) => {
      const task = await server.task()
      expect(await task.failure('file_write', { file_path, content: 'mine' })).toMatch(
        /is outside of the task directory; use/,
      )
      const below = file_path.replace(/^\/+/, '')
      await task.write(below, 'mine')
      expect(await task.read(file_path)).toBe('mine')
      expect((await task.shell(`cat ../${below}`)).stdout).toBe('mine')
    },
  )
})
