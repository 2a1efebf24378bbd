import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { MAX_READ_CHARS } from '../../../../src/core/limits/workspace.ts'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { bytes, toolbench } from '../../../support/toolbench.ts'

const bench = () => toolbench(catalog)

describe('file_read', () => {
  it('returns the text, its size and where it lies', async () => {
    const { call, put } = bench()
    await put('a/notes.txt', 'one\ntwo\n')
    expect(await call('file_read', { file_path: 'a/notes.txt' })).toEqual({
      text: 'one\ntwo\n',
      data: {
        content: 'one\ntwo\n',
        total_lines: 2,
        line_range: '1-2',
        file_path: 'a/notes.txt',
        container_path: '/home/user/workspace/a/notes.txt',
        detected_encoding: 'ascii',
        file_size: 8,
      },
    })
  })

  it.each([
    [{ start_line: 2, end_line: 3 }, 'two\nthree\n', '2-3'],
    [{ start_line: 2 }, 'two\nthree\nfour', '2-4'],
    [{ end_line: 1 }, 'one\n', '1-1'],
    [{ start_line: '2', end_line: '2.0' }, 'two\n', '2-2'],
    [{ start_line: null, end_line: null }, 'one\ntwo\nthree\nfour', '1-4'],
    [{ start_line: 50 }, 'four', '4-4'],
    [{ start_line: 50, end_line: 60 }, 'four', '4-4'],
    [{ start_line: 3, end_line: 1 }, 'three\n', '3-3'],
    [{ start_line: 0, end_line: 0 }, 'one\n', '1-1'],
    [{ start_line: -5, end_line: -1 }, 'one\ntwo\nthree\nfour', '1-4'],
    [{ start_line: -2 }, 'three\nfour', '3-4'],
    [{ start_line: 2, end_line: -2 }, 'two\nthree\n', '2-3'],
    [{ start_line: 2, end_line: 999 }, 'two\nthree\nfour', '2-4'],
  ])('gives the lines %j, clamped to what is there', async (range, content, line_range) => {
    const { data, put } = bench()
    await put('a.txt', 'one\ntwo\nthree\nfour')
    expect(await data('file_read', { file_path: 'a.txt', ...range })).toMatchObject({
      content,
      line_range,
      total_lines: 4,
    })
  })

  it.each([
    [{ start_line: 50 }, 'Line 50 is past the end: the file has 4 lines. The last one is shown.'],
    [{ start_line: 3, end_line: 1 }, 'The end, line 1, is before the start, line 3: line 3 alone is shown.'],
  ])('says of %j that other lines came back', async (range, note) => {
    const { call, put } = bench()
    await put('a.txt', 'one\ntwo\nthree\nfour')
    const { text, data } = await call('file_read', { file_path: 'a.txt', ...range })
    expect(data.notes).toEqual([note])
    expect(text.endsWith(`\n${note}`)).toBe(true)
    for (const usual of [{ start_line: -9 }, { start_line: 0, end_line: 0 }, { end_line: 99 }, {}]) {
      expect((await call('file_read', { file_path: 'a.txt', ...usual })).data).not.toHaveProperty('notes')
    }
  })

  it('puts numbers before the lines by choice', async () => {
    const { data, put } = bench()
    await put('a.txt', 'one\ntwo\nthree')
    const numbered = { file_path: 'a.txt', start_line: -2, line_numbers: true }
    expect(await data('file_read', numbered)).toMatchObject({ content: '    2: two\n    3: three', line_range: '2-3' })
  })

  it('names line breaks that are not LF', async () => {
    const { data, put } = bench()
    await put('a.txt', 'one\r\ntwo\r\n')
    expect(await data('file_read', { file_path: 'a.txt' })).toMatchObject({ line_endings: 'CRLF' })
  })

  it('reads an empty file as no lines', async () => {
    const { data, put } = bench()
    await put('empty', '')
    expect(await data('file_read', { file_path: 'empty' })).toMatchObject({
      content: '',
      total_lines: 0,
      line_range: '1-0',
      file_size: 0,
    })
  })

  it('turns every line break into a plain one, and counts lines as Python does', async () => {
    const { data, put } = bench()
    await put('dos.txt', 'one\r\ntwo\rthree\fpage\u2028four')
    expect(await data('file_read', { file_path: 'dos.txt' })).toMatchObject({
      content: 'one\ntwo\nthree\fpage\u2028four',
      total_lines: 5,
    })
  })

  it.each([
    ['utf-8', bytes('naïve 世界'), 'naïve 世界'],
    ['UTF-8-SIG', bytes('\ufeffcafé'), 'café'],
    ['UTF-16', Buffer.from('\ufeffwide 世界', 'utf16le'), 'wide 世界'],
    ['UTF-16', iconv.encode('wide', 'utf16be', { addBOM: true }), 'wide'],
    ['GB2312', iconv.encode('你好，世界。这是一个测试文件', 'gbk'), '你好，世界。这是一个测试文件'],
    ['GB2312', iconv.encode('中文', 'gbk'), '中文'],
    ['Big5', iconv.encode('這是繁體中文的測試文字', 'big5'), '這是繁體中文的測試文字'],
    ['ISO-8859-1', iconv.encode('café', 'latin1'), 'café'],
    ['SHIFT_JIS', iconv.encode('こんにちは世界、テストです', 'shift_jis'), 'こんにちは世界、テストです'],
    ['Windows-1251', iconv.encode('Привет, мир, это тест', 'windows-1251'), 'Привет, мир, это тест'],
  ])('detects %s and says so', async (detected_encoding, content, expected) => {
    const { data, put } = bench()
    await put('text', content)
    expect(await data('file_read', { file_path: 'text' })).toMatchObject({ content: expected, detected_encoding })
  })

  it('decodes as it is told to', async () => {
    const { data, put, failure } = bench()
    await put('ru', iconv.encode('да', 'koi8-r'))
    expect(await data('file_read', { file_path: 'ru', encoding: 'KOI8-R' })).toMatchObject({ content: 'да' })
    await put('wide', Buffer.from('no mark', 'utf16le'))
    expect(await data('file_read', { file_path: 'wide', encoding: 'utf-16-le' })).toMatchObject({ content: 'no mark' })
    await put('marked', iconv.encode('big', 'utf16be', { addBOM: true }))
    expect(await data('file_read', { file_path: 'marked', encoding: 'utf_16' })).toMatchObject({ content: 'big' })
    expect(await failure('file_read', { file_path: 'ru', encoding: 'utf8' })).toMatchObject({ code: 'invalid_input' })
    const unknown = await failure('file_read', { file_path: 'ru', encoding: 'klingon' })
    expect(unknown.message).toMatch(/^unknown encoding: "klingon"; use for example utf-8/)
    expect((await failure('file_read', { file_path: 'ru', encoding: 'base64' })).message).toMatch(/^unknown encoding/)
  })

  it('cuts what is too long at a line, and says where to read on', async () => {
    const { call, put } = bench()
    const line = `${'x'.repeat(1023)}\n`
    await put('long.txt', line.repeat(MAX_READ_CHARS / 1024 + 10))
    const all = { file_path: 'long.txt', max_chars: MAX_READ_CHARS }
    const { text, data } = await call('file_read', all)
    expect(data).toMatchObject({ line_range: '1-1024', total_lines: 1034, truncated: true, next_start_line: 1025 })
    expect(text).toMatch(/\[lines 1-1024 of 1034, cut; read on with start_line 1025\]$/)
    expect((await call('file_read', { ...all, start_line: 1025 })).data).not.toHaveProperty('truncated')
  })

  it('gives the beginning of a line that is too long by itself', async () => {
    const { data, put } = bench()
    await put('one-line.json', 'x'.repeat(MAX_READ_CHARS + 5))
    const read = await data('file_read', { file_path: 'one-line.json', max_chars: 2 * MAX_READ_CHARS })
    expect(read).toMatchObject({ line_range: '1-1', truncated: true })
    expect(read.content).toHaveLength(MAX_READ_CHARS)
  })

  it('has a budget: 32,000 characters, and the line to read on from', async () => {
    const { data, put } = bench()
    await put('log', Array.from({ length: 5_000 }, (_, at) => `line ${at + 1} of a long log\n`).join(''))
    const read = await data('file_read', { file_path: 'log' })
    expect(read).toMatchObject({
      truncated: true,
      total_lines: 5_000,
      line_range: `1-${Number(read.next_start_line) - 1}`,
    })
    expect(String(read.content).length).toBeGreaterThan(31_900)
    expect(String(read.content).length).toBeLessThanOrEqual(32_000)
    const next = await data('file_read', { file_path: 'log', start_line: read.next_start_line, max_chars: 60 })
    expect(next.content).toBe(
      `line ${read.next_start_line} of a long log\nline ${Number(read.next_start_line) + 1} of a long log\n`,
    )
    expect(await data('file_read', { file_path: 'log', max_chars: 200_000 })).not.toHaveProperty('truncated')
  })

  it('says how to see more of a line that is longer than the answer, and never cuts a character in two', async () => {
    const { call, put } = bench()
    await put('one-line.json', `${'a'.repeat(31_999)}😀${'b'.repeat(50_000)}`)
    const { text, data } = await call('file_read', { file_path: 'one-line.json' })
    expect(data.content).toBe('a'.repeat(31_999))
    expect(data.notes).toEqual([
      'line 1 has 82001 characters, of which the first 31999 are shown; max_chars shows more (at most 1048576), execute_shell any part: sed -n 1p FILE | cut -c 32000-',
    ])
    expect(text).toContain(String(data.notes))
    expect(data).not.toHaveProperty('next_start_line')
  })

  it('counts a control character as the six that JSON takes for it', async () => {
    const { data, put } = bench()
    await put('bells', '\u0007'.repeat(40_000))
    const { content } = await data('file_read', { file_path: 'bells' })
    expect(JSON.stringify(content).length).toBeLessThanOrEqual(32_002)
    expect(JSON.stringify(content).length).toBeGreaterThan(31_900)
  })

  it.each([0, -5, 'many', 1.5])('refuses max_chars %j', async (max_chars) => {
    const { failure, put } = bench()
    await put('a.txt', 'a')
    expect((await failure('file_read', { file_path: 'a.txt', max_chars })).message).toMatch(/^max_chars: must be /)
  })

  it('takes a leading / for the task root', async () => {
    const { data, put } = bench()
    await put('code_run/a.py', 'x')
    expect(await data('file_read', { file_path: '/code_run/a.py' })).toMatchObject({
      file_path: '/code_run/a.py',
      container_path: '/home/user/workspace/code_run/a.py',
    })
  })

  it('says what is wrong with the path', async () => {
    const { failure, put } = bench()
    await put('dir/a.txt', 'x')
    expect(await failure('file_read', { file_path: 'b.txt' })).toEqual({
      code: 'not_found',
      message: 'File not found: b.txt; dir_list shows what exists',
    })
    expect((await failure('file_read', { file_path: 'dir' })).message).toMatch(/^Not a file: dir/)
    expect((await failure('file_read', { file_path: '' })).message).toBe('file_path is required')
    expect((await failure('file_read', {})).message).toBe('missing required parameter: file_path')
    expect((await failure('file_read', { file_path: null })).message).toBe('missing required parameter: file_path')
    expect((await failure('file_read', { file_path: 'dir/a.txt', start_line: 'two' })).message).toBe(
      'start_line: must be a whole number',
    )
  })

  it('refuses what is no text, by name and by content', async () => {
    const { failure, put } = bench()
    await put('logo.PNG', 'x')
    await put('program', Uint8Array.of(0x7f, 0x45, 0, 1))
    expect((await failure('file_read', { file_path: 'logo.PNG' })).message).toMatch(
      /^Cannot read binary file: logo\.PNG\. File type '\.png' is not supported for text reading\./,
    )
    expect((await failure('file_read', { file_path: 'program' })).message).toMatch(/^Cannot read binary file: program/)
  })

  it('names the tool that reads a document', async () => {
    const { put, failure } = bench()
    const refusal = async (name: string, content: string) => {
      await put(name, content)
      return (await failure('file_read', { file_path: name })).message
    }
    const programs = 'Inspect it with execute_shell (file, unzip -l, xxd) or with execute_code.'
    expect(await refusal('a.pdf', '%PDF-1.4')).toContain(`text reading. parse_document reads it. ${programs}`)
    expect(await refusal('a.xlsx', 'PK\0')).toContain(`Its content is not text. parse_document reads it. ${programs}`)
    expect(await refusal('a.zip', 'PK')).toContain(`text reading. ${programs}`)
  })

  it('follows links inside the task', async () => {
    const { data, put, workspace } = bench()
    await put('v2/notes.txt', 'linked')
    await workspace.commit([
      { op: 'link', path: workspacePath('latest'), target: 'v2' },
      { op: 'link', path: workspacePath('notes'), target: 'v2/notes.txt' },
    ])
    expect(await data('file_read', { file_path: 'notes' })).toMatchObject({ content: 'linked' })
    expect(await data('file_read', { file_path: 'latest/notes.txt' })).toMatchObject({ content: 'linked' })
  })

  it('never leaves the task', async () => {
    const { failure, workspace } = bench()
    expect((await failure('file_read', { file_path: '../other/secret' })).code).toBe('invalid_input')
    expect((await failure('file_read', { file_path: 'a\0b' })).code).toBe('invalid_input')
    await workspace.commit([{ op: 'link', path: workspacePath('out'), target: '/etc/passwd' }])
    expect((await failure('file_read', { file_path: 'out' })).code).toBe('forbidden')
  })
})
