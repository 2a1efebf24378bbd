import { describe, expect, it } from 'vitest'
import { MAX_LISTED_ENTRIES, MAX_NUMBERED_CHARS } from '../../../../src/core/limits/workspace.ts'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

const read = (file_path: string, start_line?: unknown) => ({
  file_path,
  ...(start_line !== undefined && { start_line }),
})

describe('file_read_numbered', () => {
  it('shows lines behind their numbers, from the first, from one, or the last ones', async () => {
    const { call, put } = toolbench(catalog)
    await put('a.txt', 'one\ntwo\r\nthree')
    const text = async (start_line?: unknown) => (await call('file_read_numbered', read('/a.txt/', start_line))).text
    expect(await text()).toBe('    1: one\n    2: two\n    3: three')
    expect(await text(2)).toBe('    2: two\n    3: three')
    expect(await text('0')).toBe('    1: one\n    2: two\n    3: three')
    expect(await text(-1)).toBe('    3: three')
    expect(await text(-3)).toBe('    1: one\n    2: two\n    3: three')
  })

  it('reads an empty file, and says of a line that is not there how many there are', async () => {
    const { call, put, failure } = toolbench(catalog)
    await put('empty', '')
    expect((await call('file_read_numbered', read('empty'))).text).toBe('')
    await put('two', 'a\nb\n')
    for (const line of [3, -3]) {
      expect(await failure('file_read_numbered', read('two', line))).toEqual({
        code: 'invalid_input',
        message: `Line number ${line} is out of range. two has 2 lines`,
      })
    }
  })

  it('cuts a long text between lines and a long line within, and says how to go on', async () => {
    const { call, put } = toolbench(catalog)
    await put('long', `${'x'.repeat(99)}\n`.repeat(1_500))
    const { text, data } = await call('file_read_numbered', read('long'))
    expect(text).toMatch(/ 1000: x+\n\[cut here: the text has 1500 lines; go on from line 1001\]\n$/)
    expect(data.truncated).toBe(true)
    await put('line', 'y'.repeat(MAX_NUMBERED_CHARS + 5))
    expect((await call('file_read_numbered', read('line'))).text).toMatch(
      /^ {4}1: y{100000}\n\[line 1 is cut after 100000 of its 100005 characters\]\n$/,
    )
  })

  it('finds no directory, nothing that programs keep, and nothing outside', async () => {
    const { put, failure } = toolbench(catalog)
    await put('d/.git/config', 'x')
    for (const path of ['d', 'd/.git/config', 'none', 'lib/python3.12/site-packages/a.py']) {
      expect((await failure('file_read_numbered', read(path))).code).toBe('not_found')
    }
    expect((await failure('file_read_numbered', read('../../etc/passwd'))).code).toBe('invalid_input')
  })
})

describe('file_edit_lines', () => {
  const FIVE = 'a\nb\nc\nd\ne\n'
  /** What the file is after the edit. */
  async function edited(before: string | null, args: object): Promise<string | null> {
    const { call, put, content } = toolbench(catalog)
    if (before !== null) await put('f', before)
    await call('file_edit_lines', { file_path: 'f', content: 'X\nY', ...args })
    return content('f')
  }

  it('adds to the end, ending every line', async () => {
    expect(await edited('a\nb', {})).toBe('a\nb\nX\nY\n')
    expect(await edited(null, {})).toBe('X\nY\n')
  })

  it('inserts before a line, at the top, before one counted from the end, and at most at the end', async () => {
    expect(await edited(FIVE, { line_number: 2 })).toBe('a\nX\nY\nb\nc\nd\ne\n')
    expect(await edited(FIVE, { line_number: 0 })).toBe('X\nY\na\nb\nc\nd\ne\n')
    expect(await edited(FIVE, { line_number: -1 })).toBe('a\nb\nc\nd\nX\nY\ne\n')
    expect(await edited(FIVE, { line_number: 99 })).toBe('a\nb\nc\nd\ne\nX\nY\n')
    expect(await edited(FIVE, { line_number: -99 })).toBe('X\nY\na\nb\nc\nd\ne\n')
  })

  it('replaces as many lines as there are new ones, from the line on', async () => {
    expect(await edited(FIVE, { line_number: 2, overwrite: true })).toBe('a\nX\nY\nd\ne\n')
    expect(await edited(FIVE, { line_number: 5, overwrite: 'true' })).toBe('a\nb\nc\nd\nX\nY\n')
    expect(await edited(FIVE, { line_number: -2, overwrite: true })).toBe('a\nb\nc\nX\nY\n')
  })

  it('begins with an empty file when it is told to', async () => {
    expect(await edited(FIVE, { truncating: true })).toBe('X\nY\n')
    expect(await edited(FIVE, { truncating: true, content: '' })).toBe('')
  })

  it('answers with the whole file, numbered, and keeps its encoding', async () => {
    const { call, put, workspace } = toolbench(catalog)
    await put('gbk', Uint8Array.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a]))
    const { text } = await call('file_edit_lines', { file_path: 'gbk', content: '世界' })
    expect(text).toBe('    1: 你好\n    2: 世界\n')
    expect([...((await workspace.read(workspacePath('gbk'))) ?? [])]).toEqual([
      0xc4, 0xe3, 0xba, 0xc3, 0x0a, 0xca, 0xc0, 0xbd, 0xe7, 0x0a,
    ])
  })

  it('keeps the line breaks that the file has, and gives new lines the same', async () => {
    expect(await edited('a\r\nb\r\nc', { line_number: 2 })).toBe('a\r\nX\r\nY\r\nb\r\nc\r\n')
    expect(await edited('a\r\nb\nc\r\n', { line_number: 3, overwrite: true })).toBe('a\r\nb\nX\r\nY\r\n')
  })

  it('makes directories on the way, and a file only from its start', async () => {
    const { call, content, failure } = toolbench(catalog)
    await call('file_edit_lines', { file_path: 'new/deep/f', content: 'x', line_number: 1 })
    expect(await content('new/deep/f')).toBe('x\n')
    expect(await failure('file_edit_lines', { file_path: 'g', content: 'x', line_number: 2 })).toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^File g not found in workspace\./),
    })
    expect((await failure('file_edit_lines', { file_path: 'new', content: 'x' })).message).toBe(
      'File new is not a file.',
    )
  })

  it('writes nothing where programs keep their files, nor outside, nor through a link that leads there', async () => {
    const { failure, workspace } = toolbench(catalog)
    await workspace.commit([{ op: 'link', path: workspacePath('out'), target: '/etc/passwd' }])
    for (const file_path of ['a/.git/hooks/pre-commit', 'node_modules/x.js', '../x', 'out']) {
      const { code, message } = await failure('file_edit_lines', { file_path, content: 'x' })
      expect([code, message]).toEqual(['invalid_input', expect.any(String)])
    }
    expect(workspace.stat(workspacePath('a'))).toBeNull()
  })

  it('takes millions of lines at once', async () => {
    const { call, content } = toolbench(catalog)
    await call('file_edit_lines', { file_path: 'f', content: '\n'.repeat(1_000_000), line_number: 0 })
    expect((await content('f'))?.length).toBe(1_000_000)
  })
})

describe('file_tree', () => {
  it('shows files before directories, the top directories as far out as the root', async () => {
    const { call, put, workspace } = toolbench(catalog)
    await put('a.txt', '')
    await put('new/sub/deep/b.txt', '')
    await workspace.commit([{ op: 'mkdir', path: workspacePath('bare') }])
    const tree = '- /\n    - a.txt\n- bare/\n- new/\n    - sub/\n        - deep/\n            - b.txt\n'
    expect((await call('file_tree', {})).text).toBe(tree)
    expect((await call('file_tree', { show_root: true })).text).toBe(
      `Global Root Work Directory: /home/user/workspace/\n${tree}`,
    )
  })

  it('shows an empty workspace', async () => {
    expect((await toolbench(catalog).call('file_tree', {})).text).toBe('- /\n')
  })

  it('shows twenty files of a directory, and nothing that programs keep', async () => {
    const { call, put } = toolbench(catalog)
    for (let at = 10; at < 31; at++) await put(`d/${at}`, '')
    await put('.git/objects/aa/bb', '')
    await put('python_notebook.ipynb', '{}')
    await put('src/__pycache__/m.pyc', '')
    const { text } = await call('file_tree', {})
    expect(text).toBe(
      `- /\n- .git/\n- d/\n${Array.from({ length: 20 }, (_, at) => `    - ${at + 10}\n`).join('')}    - \`wrapped\`\n` +
        '- src/\n    - __pycache__/\n',
    )
  })

  it('stays short whatever the workspace is like', async () => {
    const { call, workspace } = toolbench(catalog)
    const deep = (top: number) => workspacePath(`${top}/${'d/'.repeat(500)}`)
    await workspace.commit(Array.from({ length: 100 }, (_, top) => ({ op: 'mkdir', path: deep(top) }) as const))
    const { text } = await call('file_tree', {})
    expect(text.endsWith('\n- `wrapped`\n')).toBe(true)
    expect(text.length).toBeLessThan(1_100_000)
    expect(text.split('\n').length).toBeLessThan(MAX_LISTED_ENTRIES + 25)
  })
})
