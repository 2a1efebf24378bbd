import { expect } from 'vitest'
import { aToolServer, verifies } from './support.ts'

const server = aToolServer()
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')
const upload = (filename: string, content: string, more: object = {}) => ({ files: [{ filename, content, ...more }] })

verifies('toolserver:file_upload:answer', async () => {
  const task = await server.task()
  expect(await task.done('file_upload', upload('a.txt', 'héllo'))).toEqual({
    uploaded_files: [
      {
        filename: 'a.txt',
        path: '/home/user/workspace/upload/a.txt',
        size: 6,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ],
    upload_dir: '/home/user/workspace/upload',
  })
})

verifies('toolserver:file_upload:target', async () => {
  const task = await server.task()
  await task.done('file_upload', upload('a.txt', '1'))
  await task.done('file_upload', { ...upload('a.txt', '2'), target_path: 'project_files' })
  expect([await task.read('upload/a.txt'), await task.read('upload/project_files/a.txt')]).toEqual(['1', '2'])
})

verifies('toolserver:file_upload:target-upload', async () => {
  const task = await server.task()
  for (const target_path of ['upload', 'upload/', '/upload/deep']) {
    await task.done('file_upload', { ...upload('a.txt', target_path), target_path })
  }
  expect([await task.read('upload/a.txt'), await task.read('upload/deep/a.txt')]).toEqual(['upload/', '/upload/deep'])
})

verifies('toolserver:file_upload:base64', async () => {
  const task = await server.task()
  const content = base64(Uint8Array.from([0, 255, 13, 10]))
  await task.done('file_upload', upload('a.bin', content, { is_base64: true }))
  const bytes = await (await server.request(`/api/download/${task.id}/upload/a.bin`)).arrayBuffer()
  expect([...new Uint8Array(bytes)]).toEqual([0, 255, 13, 10])
})

verifies('toolserver:file_upload:bad-base64', async () => {
  const task = await server.task()
  const files = [
    { filename: 'good.txt', content: 'x' },
    { filename: 'bad.png', content: 'iVBORw0KGgo...', is_base64: true },
  ]
  expect(await task.failure('file_upload', { files })).toMatch(/base64/i)
  expect(await task.failure('file_read', { file_path: 'upload/good.txt' })).toMatch(/^File not found/)
})

verifies('toolserver:file_upload:parents', async () => {
  const task = await server.task()
  await task.done('file_upload', upload('images/deep/logo.txt', 'x'))
  expect(await task.read('upload/images/deep/logo.txt')).toBe('x')
})

verifies('toolserver:file_upload:incomplete', async () => {
  const task = await server.task()
  const ok = { filename: 'ok', content: '' }
  const missing = (name: string) => `missing required parameter: ${name}`
  expect(await task.failure('file_upload', { files: [ok, { content: 'x' }] })).toBe(missing('files.1.filename'))
  expect(await task.failure('file_upload', { files: [ok, { filename: 'x', content: null }] })).toBe(
    missing('files.1.content'),
  )
  expect(await task.failure('file_upload')).toBe(missing('files'))
  expect(await task.failure('file_read', { file_path: 'upload/ok' })).toMatch(/^File not found/)
})

verifies('toolserver:file_upload:none', async () => {
  const task = await server.task()
  expect(await task.done('file_upload', { files: [] })).toMatchObject({ uploaded_files: [] })
})

verifies('toolserver:file_upload:overwrites', async () => {
  const task = await server.task()
  await task.done('file_upload', upload('a.txt', 'a longer text'))
  await task.done('file_upload', upload('a.txt', 'short'))
  expect(await task.read('upload/a.txt')).toBe('short')
})

verifies('toolserver:file_upload:name', async () => {
  const task = await server.task()
  await task.done('file_upload', { files: [{ name: 'a.txt', content: 'x' }] })
  expect(await task.read('upload/a.txt')).toBe('x')
})

verifies('toolserver:file_read:answer', async () => {
  const task = await server.task()
  await task.write('upload/a.txt', 'one\ntwo\n')
  expect(await task.done('file_read', { file_path: 'upload/a.txt' })).toEqual({
    content: 'one\ntwo\n',
    total_lines: 2,
    line_range: '1-2',
    file_path: 'upload/a.txt',
    container_path: '/home/user/workspace/upload/a.txt',
    detected_encoding: 'ascii',
    file_size: 8,
  })
})

const lines = async (start_line: unknown, end_line: unknown) => {
  const task = await server.task()
  await task.write('a', '1\n2\n3')
  const { content, line_range, total_lines } = await task.done('file_read', { file_path: 'a', start_line, end_line })
  expect(total_lines).toBe(3)
  return [content, line_range]
}

verifies('toolserver:file_read:lines', async () => {
  expect(await lines(1, 2)).toEqual(['1\n2\n', '1-2'])
  expect(await lines(3, 3)).toEqual(['3', '3-3'])
  expect(await lines(2, undefined)).toEqual(['2\n3', '2-3'])
})

verifies('toolserver:file_read:clamped', async () => {
  expect(await lines(50, undefined)).toEqual(['3', '3-3'])
  expect(await lines(3, 1)).toEqual(['3', '3-3'])
  expect(await lines(0, 1)).toEqual(['1\n', '1-1'])
  expect(await lines(-5, 99)).toEqual(['1\n2\n3', '1-3'])
})

verifies('toolserver:file_read:number-strings', async () => {
  expect(await lines('2', '2')).toEqual(['2\n', '2-2'])
})

verifies('toolserver:file_write:left-out', async () => {
  const task = await server.task()
  await task.write('kept.txt', 'one\ntwo\n')
  const file_path = 'kept.txt'
  for (const params of [{ file_path }, { file_path, content: null }, { file_path, contents: 'a typo' }]) {
    expect(await task.failure('file_write', params)).toBe('missing required parameter: content')
  }
  const lines = { file_path, start_line: 1, end_line: 2 }
  expect(await task.failure('file_replace_lines', lines)).toBe('missing required parameter: new_content')
  expect(await task.read('kept.txt')).toBe('one\ntwo\n')
})

verifies(['toolserver:file_read:empty', 'toolserver:file_write:empty'], async () => {
  const task = await server.task()
  expect(await task.done('file_write', { file_path: 'empty', content: '' })).toMatchObject({ size: 0 })
  const data = await task.done('file_read', { file_path: 'empty' })
  expect(data).toMatchObject({ content: '', total_lines: 0, line_range: '1-0' })
})

verifies('toolserver:file_read:crlf', async () => {
  const task = await server.task()
  await task.done('file_upload', upload('a.txt', 'one\r\ntwo\r\n'))
  expect(await task.read('upload/a.txt')).toBe('one\ntwo\n')
})

verifies('toolserver:file_read:encoding', async () => {
  const task = await server.task()
  const gbk = Uint8Array.from([0xc4, 0xe3, 0xba, 0xc3, 0xa3, 0xac, 0xca, 0xc0, 0xbd, 0xe7]) // 你好，世界
  await task.done('file_upload', upload('a.txt', base64(gbk), { is_base64: true }))
  const data = await task.done('file_read', { file_path: 'upload/a.txt' })
  expect(data).toMatchObject({ content: '你好，世界', detected_encoding: 'GB2312', file_size: 10 })
})

verifies(['toolserver:file_read:not-found', 'toolserver:file_read:directory'], async () => {
  const task = await server.task()
  expect(await task.failure('file_read', { file_path: 'none.txt' })).toMatch(/^File not found: none\.txt/)
  expect(await task.failure('file_read', { file_path: 'upload' })).toMatch(/^Not a file: upload/)
})

verifies('toolserver:file_read:binary', async () => {
  const task = await server.task()
  await task.done('file_upload', upload('a.png', 'text'))
  expect(await task.failure('file_read', { file_path: 'upload/a.png' })).toMatch(
    /^Cannot read binary file: upload\/a\.png\. File type '\.png' is not supported for text reading\./,
  )
})

verifies('toolserver:file_write:answer', async () => {
  const task = await server.task()
  expect(await task.done('file_write', { file_path: 'code_run/a.py', content: '# é\n' })).toEqual({
    file_path: 'code_run/a.py',
    mode: 'overwrite',
    size: 5,
    container_path: '/home/user/workspace/code_run/a.py',
    was_base64: false,
    encoding_used: 'utf-8',
  })
})

verifies(['toolserver:file_write:append', 'toolserver:file_write:other-mode'], async () => {
  const task = await server.task()
  for (const [mode, size] of [
    ['append', 2],
    ['append', 4],
    ['a', 6],
    ['x', 8],
  ] as const) {
    const data = await task.done('file_write', { file_path: 'log', content: `${mode[0]}\n`, mode })
    expect(data).toMatchObject({ mode, size })
  }
  expect(await task.read('log')).toBe('a\na\na\nx\n')
})

verifies('toolserver:file_write:base64', async () => {
  const task = await server.task()
  const data = await task.done('file_write', { file_path: 'a', content: base64('多行\n"x"'), is_base64: true })
  expect(data).toMatchObject({ was_base64: true })
  expect(await task.read('a')).toBe('多行\n"x"')
})

verifies('toolserver:file_write:base64-binary', async () => {
  const task = await server.task()
  const content = base64(Uint8Array.from([0xff, 0xfe, 0x80]))
  expect(await task.failure('file_write', { file_path: 'a', content, is_base64: true })).toMatch(
    /^Base64 decode error: 'utf-8' codec can't decode/,
  )
})

verifies('toolserver:file_write:directory', async () => {
  const task = await server.task()
  expect(await task.failure('file_write', { file_path: 'upload', content: 'x' })).toMatch(/\[Errno 21\] Is a directory/)
})

verifies('toolserver:file_write:parents', async () => {
  const task = await server.task()
  await task.write('a/b/c/d.txt', 'x')
  expect(await task.read('a/b/c/d.txt')).toBe('x')
})

async function replace(params: object): Promise<[unknown, Readonly<Record<string, unknown>>]> {
  const task = await server.task()
  await task.write('f', '1\n2\n3\n4\n')
  const data = await task.done('file_replace_lines', { file_path: 'f', ...params })
  return [await task.read('f'), data]
}

verifies('toolserver:file_replace_lines:answer', async () => {
  const [text, data] = await replace({ start_line: 2, end_line: 3, new_content: 'a\nb\nc\n' })
  expect(text).toBe('1\na\nb\nc\n4\n')
  expect(data).toMatchObject({
    file_path: 'f',
    replaced_lines: '2-3',
    new_line_count: 3,
    total_lines: 5,
    was_base64: false,
  })
})

verifies('toolserver:file_replace_lines:newline', async () => {
  const [text] = await replace({ start_line: 2, end_line: 2, new_content: 'two' })
  expect(text).toBe('1\ntwo\n3\n4\n')
})

verifies('toolserver:file_replace_lines:delete', async () => {
  const [text, data] = await replace({ start_line: 2, end_line: 3, new_content: '' })
  expect(text).toBe('1\n4\n')
  expect(data).toMatchObject({ new_line_count: 0, total_lines: 2 })
})

verifies('toolserver:file_replace_lines:insert', async () => {
  const [text] = await replace({ start_line: 2, end_line: 1, new_content: 'new' })
  expect(text).toBe('1\nnew\n2\n3\n4\n')
})

verifies(
  [
    'toolserver:file_replace_lines:range',
    'toolserver:file_replace_lines:required',
    'toolserver:file_replace_lines:not-found',
  ],
  async () => {
    const task = await server.task()
    await task.write('f', '1\n2\n')
    const failure = (start_line: number, end_line: number, file_path = 'f') =>
      task.failure('file_replace_lines', { file_path, start_line, end_line, new_content: 'x' })
    expect(await failure(50, 51)).toMatch(/^Invalid start line: 50/)
    expect(await failure(1, 60)).toMatch(/^Invalid end line: 60/)
    expect(await failure(2, 0 - 1)).toMatch(/^Invalid end line: -1/)
    expect(await failure(0, 1)).toMatch(/^file_path, start_line, and end_line are required/)
    expect(await failure(1, 1, 'none')).toMatch(/^File not found: none/)
  },
)

verifies(['toolserver:file_delete:answer', 'toolserver:file_delete:not-found'], async () => {
  const task = await server.task()
  await task.write('d/e/f', 'x')
  await task.write('d/g', 'x')
  expect(await task.done('file_delete', { file_path: 'd/g' })).toEqual({ deleted: 'd/g', type: 'file' })
  expect(await task.done('file_delete', { file_path: 'd' })).toEqual({ deleted: 'd', type: 'directory' })
  expect(await task.failure('file_delete', { file_path: 'd' })).toMatch(/^File not found: d/)
})

verifies('toolserver:file_move:answer', async () => {
  const task = await server.task()
  await task.write('a', 'x')
  const paths = { src_path: 'a', dest_path: 'new/dir/b' }
  expect(await task.done('file_move', paths)).toEqual({ moved_from: 'a', moved_to: 'new/dir/b' })
  expect(await task.read('new/dir/b')).toBe('x')
  expect(await task.failure('file_read', { file_path: 'a' })).toMatch(/^File not found/)
})

verifies(['toolserver:file_move:into', 'toolserver:file_move:overwrites'], async () => {
  const task = await server.task()
  await task.write('a', 'new')
  await task.write('b', 'old')
  await task.done('file_move', { src_path: 'a', dest_path: 'upload' })
  expect(await task.read('upload/a')).toBe('new')
  await task.done('file_move', { src_path: 'upload/a', dest_path: 'b' })
  expect(await task.read('b')).toBe('new')
})

verifies(['toolserver:file_move:not-found', 'toolserver:file_move:required'], async () => {
  const task = await server.task()
  expect(await task.failure('file_move', { src_path: 'none', dest_path: 'b' })).toMatch(/^Source not found: none/)
  expect(await task.failure('file_move', { src_path: '', dest_path: '' })).toMatch(
    /src_path and dest_path are required/,
  )
})

verifies(['toolserver:dir_create:answer', 'toolserver:dir_create:file'], async () => {
  const task = await server.task()
  for (let time = 0; time < 2; time += 1) {
    const data = await task.done('dir_create', { dir_path: 'x/y/z' })
    expect(data).toEqual({ created: 'x/y/z', container_path: '/home/user/workspace/x/y/z' })
  }
  await task.write('file', 'x')
  expect(await task.failure('dir_create', { dir_path: 'file' })).toMatch(/\[Errno 17\] File exists/)
})

verifies(['toolserver:dir_list:recursive', 'toolserver:dir_list:flat', 'toolserver:dir_list:sorted'], async () => {
  const task = await server.task()
  await task.write('d/b/deep', '12345')
  await task.write('d/a', '1')
  await task.write('d/.hidden', '')
  await task.write('d/B', '')
  const file = (name: string, path: string, size: number) => ({ name, type: 'file', path, size })
  const directory = { name: 'b', type: 'directory', path: 'd/b' }
  const first = [file('.hidden', 'd/.hidden', 0), file('B', 'd/B', 0), file('a', 'd/a', 1)]
  const flat = await task.done('dir_list', { dir_path: 'd' })
  const root = { name: 'd', type: 'directory', path: 'd' }
  expect(flat).toEqual({
    tree: { ...root, children: [...first, directory] },
    base_path: expect.stringMatching(/^\/home\/user\/workspace/),
  })
  const deep = await task.done('dir_list', { dir_path: 'd', recursive: true })
  expect(deep.tree).toEqual({
    ...root,
    children: [...first, { ...directory, children: [file('deep', 'd/b/deep', 5)] }],
  })
})

verifies('toolserver:dir_list:errors', async () => {
  const task = await server.task()
  await task.write('f', 'x')
  expect(await task.failure('dir_list', { dir_path: 'none' })).toMatch(/^Directory not found: none/)
  expect(await task.failure('dir_list', { dir_path: 'f' })).toMatch(/^Not a directory: f/)
})

verifies('toolserver:file_search:answer', async () => {
  const task = await server.task()
  await task.write('upload/a.txt', 'Eins zwei\nzwei ZWEI\n\nnichts')
  const params = { file_path: 'upload/a.txt', search_text: 'Zwei' }
  expect(await task.done('file_search', params)).toEqual({
    ...params,
    case_sensitive: false,
    total_matches: 2,
    total_lines: 4,
    matches: [
      { line_number: 1, line_content: 'Eins zwei', match_positions: [5] },
      { line_number: 2, line_content: 'zwei ZWEI', match_positions: [0, 5] },
    ],
    detected_encoding: 'ascii',
  })
  const exact = await task.done('file_search', { ...params, case_sensitive: true })
  expect(exact).toMatchObject({ total_matches: 0, matches: [] })
})

verifies('toolserver:file_search:errors', async () => {
  const task = await server.task()
  expect(await task.failure('file_search', { file_path: 'none', search_text: 'x' })).toMatch(/^File not found: none/)
  expect(await task.failure('file_search', { file_path: 'upload', search_text: 'x' })).toMatch(/^Not a file: upload/)
  expect(await task.failure('file_search', { file_path: 'upload', search_text: '' })).toBe('search_text is required')
})

verifies('toolserver:file_copy:answer', async () => {
  const task = await server.task()
  await task.write('upload/a.txt', 'a')
  const params = { src_path: 'upload/a.txt', dest_path: 'new/b.txt' }
  expect(await task.done('file_copy', params)).toEqual({ copied_from: 'upload/a.txt', copied_to: 'new/b.txt' })
  await task.done('file_copy', { src_path: 'new', dest_path: 'upload' })
  expect([await task.read('upload/a.txt'), await task.read('new/b.txt'), await task.read('upload/b.txt')]).toEqual([
    'a',
    'a',
    'a',
  ])
  expect((await task.shell('cat ../upload/b.txt')).stdout).toBe('a')
})

verifies('toolserver:file_copy:errors', async () => {
  const task = await server.task()
  await task.write('a.txt', 'a')
  expect(await task.failure('file_copy', { src_path: 'none', dest_path: 'x' })).toMatch(/^Source not found: none/)
  expect(await task.failure('file_copy', { src_path: 'a.txt', dest_path: 'a.md' })).toMatch(
    /^File extension mismatch: \.txt != \.md/,
  )
})
