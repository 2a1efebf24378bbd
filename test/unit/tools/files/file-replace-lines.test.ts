import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

async function bench(content = 'one\ntwo\nthree\nfour\n') {
  const made = toolbench(catalog)
  await made.put('a.txt', content)
  return made
}

describe('file_replace_lines', () => {
  it('replaces the lines, ending the new ones with a line break', async () => {
    const { data, content } = await bench()
    expect(
      await data('file_replace_lines', {
        file_path: 'a.txt',
        start_line: '2',
        end_line: 3,
        new_content: 'TWO\nAND\nMORE',
      }),
    ).toEqual({
      file_path: 'a.txt',
      replaced_lines: '2-3',
      new_line_count: 3,
      total_lines: 5,
      was_base64: false,
      original_encoding: 'ascii',
      write_encoding: 'utf-8',
      line_endings: 'LF',
      changed_lines: '    1: one\n    2: TWO\n    3: AND\n    4: MORE\n    5: four',
    })
    expect(await content('a.txt')).toBe('one\nTWO\nAND\nMORE\nfour\n')
  })

  it('deletes lines with empty content', async () => {
    const { data, content } = await bench()
    await data('file_replace_lines', { file_path: 'a.txt', start_line: 2, end_line: 3, new_content: '' })
    expect(await content('a.txt')).toBe('one\nfour\n')
  })

  it.each([[{}], [{ new_content: null }]])('refuses %j, which names no new lines, and deletes none', async (args) => {
    const { failure, content } = await bench()
    const lines = { file_path: 'a.txt', start_line: 2, end_line: 3 }
    expect((await failure('file_replace_lines', { ...lines, ...args })).message).toBe(
      'missing required parameter: new_content',
    )
    expect(await content('a.txt')).toBe('one\ntwo\nthree\nfour\n')
  })

  it('inserts before the start line when the end is one less', async () => {
    const { data, content } = await bench()
    await data('file_replace_lines', { file_path: 'a.txt', start_line: 3, end_line: 2, new_content: 'between' })
    expect(await content('a.txt')).toBe('one\ntwo\nbetween\nthree\nfour\n')
  })

  it('takes base64', async () => {
    const { data, content } = await bench('a\n')
    const new_content = Buffer.from('β').toString('base64')
    expect(
      await data('file_replace_lines', {
        file_path: 'a.txt',
        start_line: 1,
        end_line: 1,
        new_content,
        is_base64: true,
      }),
    ).toMatchObject({ was_base64: true })
    expect(await content('a.txt')).toBe('β\n')
  })

  it('keeps the encoding and the line breaks', async () => {
    const { data, put, workspace } = await bench()
    await put('gbk.txt', iconv.encode('第一行是中文\r\n第二行也是中文\r\n', 'gbk'))
    expect(
      await data('file_replace_lines', {
        file_path: 'gbk.txt',
        start_line: 2,
        end_line: 2,
        new_content: '新的一行\r\n',
      }),
    ).toMatchObject({ original_encoding: 'GB2312', write_encoding: 'GB2312', line_endings: 'CRLF' })
    const written = (await workspace.read(workspacePath('gbk.txt'))) ?? ''
    expect(iconv.decode(Buffer.from(written), 'gbk')).toBe('第一行是中文\r\n新的一行\r\n')
  })

  it('converts the file when it is told to', async () => {
    const { data, put, content } = await bench()
    await put('latin.txt', iconv.encode('café à la carte\nx\n', 'latin1'))
    const lines = { file_path: 'latin.txt', start_line: 2, end_line: 2, new_content: '世界' }
    await data('file_replace_lines', { ...lines, encoding: 'utf-8' })
    expect(await content('latin.txt')).toBe('café à la carte\n世界\n')
  })

  it.each([
    ['one\r\ntwo\nthree\r\n', 1, 1, '1', '1\r\ntwo\nthree\r\n'],
    ['one\r\ntwo\nthree\r\n', 2, 3, 'two\n3', 'one\r\ntwo\n3\r\n'],
    ['one\r\ntwo', 2, 2, '2', 'one\r\n2'],
    ['one\r\ntwo', 2, 2, '2\n', 'one\r\n2\r\n'],
    ['one\ntwo', 1, 1, '1', '1\ntwo'],
    ['\ufeffone\n', 1, 1, '1', '\ufeff1\n'],
    ['one\n', 1, 0, 'zero', 'zero\none\n'],
    ['one\n', 2, 1, 'two', 'one\ntwo\n'],
    ['one\r\ntwo', 3, 2, 'three', 'one\r\ntwo\r\nthree'],
    ['one', 2, 1, 'two\n', 'one\ntwo\n'],
    ['', 1, 0, 'one', 'one\n'],
    ['', 1, 1, 'one', 'one\n'],
    ['one\ntwo', 2, 2, '', 'one\n'],
  ])('of %j replaces lines %i to %i by %j alone: %j', async (before, start_line, end_line, new_content, after) => {
    const { data, workspace } = await bench(before)
    await data('file_replace_lines', { file_path: 'a.txt', start_line, end_line, new_content })
    expect(Buffer.from((await workspace.read(workspacePath('a.txt'))) ?? '').toString()).toBe(after)
  })

  it('says that the last line has no line break, and of what a wider encoding it has become', async () => {
    const { data, put } = await bench('one\ntwo')
    const lines = { file_path: 'a.txt', start_line: 2, end_line: 2 }
    expect(await data('file_replace_lines', { ...lines, new_content: '2' })).toMatchObject({ final_newline: false })
    await put('a.txt', iconv.encode('第一行是中文\n第二行也是中文\n', 'gbk'))
    expect(await data('file_replace_lines', { ...lines, new_content: 'schön' })).toMatchObject({
      original_encoding: 'GB2312',
      write_encoding: 'GB18030',
      notes: [expect.stringMatching(/^The new text has characters beyond GB2312/)],
    })
  })

  it('replaces what is expected, whatever its line breaks', async () => {
    const { data, content } = await bench('one\r\ntwo\r\nthree\r\n')
    const lines = { file_path: 'a.txt', start_line: 1, end_line: 2, new_content: 'x' }
    await data('file_replace_lines', { ...lines, expected_content: 'one\ntwo' })
    expect(await content('a.txt')).toBe('x\r\nthree\r\n')
  })

  it('looks for the expected text in a file of more lines than a table has room for', async () => {
    const { failure, put } = await bench()
    await put('many.txt', `${'\n'.repeat(17_000_000)}x\n`)
    const lines = { file_path: 'many.txt', start_line: 1, end_line: 1, new_content: 'y' }
    const { message } = await failure('file_replace_lines', { ...lines, expected_content: 'x' })
    expect(message).toMatch(/the expected text stands at line 17000001\. Nothing was changed/)
  })

  it('refuses stale line numbers, shows what stands there, and where the expected text does', async () => {
    const { failure, content } = await bench()
    const lines = { file_path: 'a.txt', start_line: 2, end_line: 3, new_content: 'x' }
    expect(await failure('file_replace_lines', { ...lines, expected_content: 'three\nfour\n' })).toEqual({
      code: 'conflict',
      message:
        'the content of lines 2-3 of a.txt is not the expected_content; the expected text stands at line 3. Nothing was changed. There stands:\n    2: two\n    3: three',
    })
    const { message: both } = await failure('file_replace_lines', { ...lines, end_line: 2, expected_content: 'e\n' })
    expect(both).not.toMatch('stands at')
    const { message } = await failure('file_replace_lines', { ...lines, end_line: 1, expected_content: 'gone' })
    expect(message).toBe(
      'the content of lines 2-1 of a.txt is not the expected_content. Nothing was changed. No line is replaced before line 2',
    )
    expect(await content('a.txt')).toBe('one\ntwo\nthree\nfour\n')
  })

  it.each([
    [{ start_line: 50, end_line: 60 }, 'Invalid start line: 50'],
    [{ start_line: 5, end_line: 5 }, 'Invalid start line: 5'],
    [{ start_line: -1, end_line: 1 }, 'Invalid start line: -1'],
    [{ start_line: 1, end_line: 60 }, 'Invalid end line: 60'],
    [{ start_line: 4, end_line: 2 }, 'Invalid end line: 2'],
    [
      { start_line: 3, end_line: -1 },
      'Invalid end line: -1; a.txt has 4 lines, which are counted from 1: the last is 4',
    ],
    [{ start_line: 0, end_line: 1 }, 'file_path, start_line, and end_line are required'],
    [{ start_line: 1 }, 'missing required parameter: end_line'],
  ])('refuses %j', async (lines, start) => {
    const { failure, content } = await bench()
    const { message } = await failure('file_replace_lines', { file_path: 'a.txt', new_content: 'x', ...lines })
    expect(message.startsWith(start)).toBe(true)
    expect(await content('a.txt')).toBe('one\ntwo\nthree\nfour\n')
  })

  it('says when there is no such file', async () => {
    const { failure } = await bench()
    const lines = { start_line: 1, end_line: 1, new_content: '' }
    expect((await failure('file_replace_lines', { file_path: 'no.txt', ...lines })).message).toMatch(
      /^File not found: no\.txt/,
    )
    expect((await failure('file_replace_lines', { file_path: '../no.txt', ...lines })).code).toBe('invalid_input')
  })
})
