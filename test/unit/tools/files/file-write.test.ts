import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

const bench = () => toolbench(catalog)
const base64 = (content: string) => Buffer.from(content).toString('base64')

describe('file_write', () => {
  it('writes a file, with directories on the way, in one commit', async () => {
    const { data, content, workspace } = bench()
    expect(await data('file_write', { file_path: 'code_run/hello.py', content: 'print("hé")' })).toEqual({
      file_path: 'code_run/hello.py',
      mode: 'overwrite',
      size: 12,
      container_path: '/home/user/workspace/code_run/hello.py',
      was_base64: false,
      encoding_used: 'utf-8',
    })
    expect(await content('code_run/hello.py')).toBe('print("hé")')
    expect(workspace.headSeq()).toBe(1)
  })

  it.each([[{}], [{ content: null }], [{ content: null, mode: 'append' }], [{ contents: 'typo' }]])(
    'refuses %j without content, and the file keeps what it has',
    async (args) => {
      const { failure, put, content } = bench()
      await put('kept.txt', 'kept')
      const refused = await failure('file_write', { file_path: 'kept.txt', ...args })
      expect(refused).toMatchObject({ code: 'invalid_input', message: 'missing required parameter: content' })
      expect(await content('kept.txt')).toBe('kept')
    },
  )

  it('writes an empty file when content is empty', async () => {
    const { data, put, content } = bench()
    await put('a.txt', 'old')
    expect(await data('file_write', { file_path: 'a.txt', content: '' })).toMatchObject({ size: 0 })
    expect(await content('a.txt')).toBe('')
  })

  it('appends, giving the size of the whole file', async () => {
    const { data, content } = bench()
    await data('file_write', { file_path: 'log', content: 'one\n', mode: 'append' })
    expect(await data('file_write', { file_path: 'log', content: 'two\n', mode: 'append' })).toMatchObject({
      mode: 'append',
      size: 8,
    })
    expect(await content('log')).toBe('one\ntwo\n')
  })

  it.each(['a', 'A+', 'ab', 'append', 'Append'])('appends by mode %j', async (mode) => {
    const { data, put, content } = bench()
    await put('log', 'one')
    expect(await data('file_write', { file_path: 'log', content: 'two', mode })).toMatchObject({
      mode: 'append',
      size: 6,
    })
    expect(await content('log')).toBe('onetwo')
  })

  it.each(['w', 'w+', 'wb', 'wt', 'write', 'create', 'replace', 'Overwrite', ' OVERWRITE ', ''])(
    'replaces the file by mode %j',
    async (mode) => {
      const { data, put, content } = bench()
      await put('log', 'one')
      expect(await data('file_write', { file_path: 'log', content: 'two', mode })).toMatchObject({ mode: 'overwrite' })
      expect(await content('log')).toBe('two')
    },
  )

  it.each(['r', 'r+', 'x', 'prepend', 'insert'])('refuses mode %j, and the file keeps what it has', async (mode) => {
    const { failure, put, content } = bench()
    await put('log', 'one')
    expect(await failure('file_write', { file_path: 'log', content: 'two', mode })).toEqual({
      code: 'invalid_input',
      message: `mode is "overwrite" or "append", not "${mode}"`,
    })
    expect(await content('log')).toBe('one')
  })

  it('keeps what stands in the file, and its encoding, when it appends', async () => {
    const { data, put, workspace } = bench()
    await put('gbk.txt', iconv.encode('这是一个测试文件，内容是中文\r\n', 'gbk'))
    const written = await data('file_write', { file_path: 'gbk.txt', content: '再见', mode: 'append' })
    expect(written.encoding_used).toBe('GB2312')
    const after = (await workspace.read(workspacePath('gbk.txt'))) ?? new Uint8Array()
    expect(iconv.decode(Buffer.from(after), 'gbk')).toBe('这是一个测试文件，内容是中文\r\n再见')

    await put('ascii.txt', 'plain ')
    await data('file_write', { file_path: 'ascii.txt', content: 'é', mode: 'append' })
    expect(await data('file_read', { file_path: 'ascii.txt' })).toMatchObject({ content: 'plain é' })

    await put('wide.txt', Buffer.from('\ufeffa', 'utf16le'))
    await data('file_write', { file_path: 'wide.txt', content: 'b', mode: 'append' })
    expect(await data('file_read', { file_path: 'wide.txt' })).toMatchObject({ content: 'ab', file_size: 6 })
  })

  it('appends lines as they are given, and says where those of the file end otherwise', async () => {
    const { data, put, content } = bench()
    await put('a.csv', 'id,name\r\n1,Zoë\r\n')
    const append = (words: string) => data('file_write', { file_path: 'a.csv', content: words, mode: 'append' })
    for (const alike of ['2,Ann\r\n', '3,']) expect(await append(alike)).not.toHaveProperty('notes')
    expect(await append('Bo\n')).toMatchObject({
      notes: [
        'lines of the file end with CRLF, and those that were added with LF; write "\\r\\n" in content to keep them alike',
      ],
    })
    expect(await content('a.csv')).toBe('id,name\r\n1,Zoë\r\n2,Ann\r\n3,Bo\n')
  })

  it('refuses characters that the encoding cannot hold, and changes nothing', async () => {
    const { failure, put, content } = bench()
    await put('latin.txt', iconv.encode('café\n', 'latin1'))
    const before = await content('latin.txt')
    const { message } = await failure('file_write', { file_path: 'latin.txt', content: '世界', mode: 'append' })
    expect(message).toMatch(/ISO-8859-1 cannot hold/)
    expect(await content('latin.txt')).toBe(before)
  })

  it('writes in the encoding asked for', async () => {
    const { data, workspace } = bench()
    expect(await data('file_write', { file_path: 'a', content: '中', encoding: 'gbk' })).toMatchObject({
      size: 2,
      encoding_used: 'gbk',
    })
    await data('file_write', { file_path: 'b', content: 'x', encoding: 'utf-16' })
    expect(await workspace.read(workspacePath('b'))).toEqual(Uint8Array.of(0xff, 0xfe, 0x78, 0))
  })

  it('takes base64 of text, and sends bytes to file_upload', async () => {
    const { data, failure, content } = bench()
    expect(await data('file_write', { file_path: 'a', content: base64('{"é": 1}'), is_base64: 'true' })).toMatchObject({
      was_base64: true,
      size: 9,
    })
    expect(await content('a')).toBe('{"é": 1}')
    expect((await failure('file_write', { file_path: 'b', content: '/+8=', is_base64: true })).message).toMatch(
      /^Base64 decode error: 'utf-8' codec can't decode .*file_upload/,
    )
    expect((await failure('file_write', { file_path: 'b', content: '***', is_base64: true })).message).toMatch(
      /^Base64 decode error/,
    )
  })

  it('refuses a directory and the task root as the file', async () => {
    const { failure, put } = bench()
    await put('dir/a', 'x')
    expect(await failure('file_write', { file_path: 'dir', content: 'x' })).toEqual({
      code: 'conflict',
      message: "[Errno 21] Is a directory: 'dir'",
    })
    expect((await failure('file_write', { file_path: '/', content: 'x' })).code).toBe('conflict')
    expect((await failure('file_write', { file_path: 'dir/a/b', content: 'x' })).code).toBe('conflict')
  })

  it('never leaves the task, neither by path nor by link', async () => {
    const { failure, data, workspace, content } = bench()
    expect((await failure('file_write', { file_path: '../x', content: 'x' })).code).toBe('invalid_input')
    expect((await failure('file_write', { file_path: 'a/../../x', content: 'x' })).code).toBe('invalid_input')
    await workspace.commit([
      { op: 'link', path: workspacePath('out'), target: '/etc/passwd' },
      { op: 'link', path: workspacePath('up'), target: '../../etc/passwd' },
      { op: 'link', path: workspacePath('loop'), target: 'loop' },
      { op: 'link', path: workspacePath('in'), target: 'real.txt' },
    ])
    expect((await failure('file_write', { file_path: 'out', content: 'x' })).code).toBe('invalid_input')
    expect((await failure('file_write', { file_path: 'up', content: 'x' })).code).toBe('invalid_input')
    expect((await failure('file_write', { file_path: 'loop', content: 'x' })).code).toBe('conflict')
    await data('file_write', { file_path: 'in', content: 'through' })
    expect(await content('real.txt')).toBe('through')
    expect(workspace.stat(workspacePath('in'))?.kind).toBe('link')
  })

  it('says of a directory that is made where commands have one of that name', async () => {
    const { data, put } = bench()
    await put('code_run/app/main.py', 'x')
    await put('docs/a.md', 'x')
    const write = (file_path: string) => data('file_write', { file_path, content: 'x' })
    expect(await write('app/util.py')).toMatchObject({
      notes: [
        expect.stringMatching(
          /^app\/ was made for it, and code_run\/app\/ exists, .*write code_run\/app\/util\.py instead$/,
        ),
      ],
    })
    expect(await write('code_run/docs/b.md')).toMatchObject({
      notes: [
        expect.stringMatching(/^code_run\/docs\/ was made for it, and docs\/ exists, .*write docs\/b\.md instead$/),
      ],
    })
    for (const path of ['app/more.py', 'code_run/app/x.py', 'new/a.txt', 'app.txt', 'code_run/docs/c.md'])
      expect(await write(path)).not.toHaveProperty('notes')
  })
})
