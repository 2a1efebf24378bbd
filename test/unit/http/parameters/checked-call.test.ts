import { describe, expect, it } from 'vitest'
import type { Outcome, ToolCall } from '../../../../src/core/outcome.ts'
import { callNoting, callStrictly } from '../../../../src/http/parameters/checked-call.ts'
import { nearestTools } from '../../../../src/http/parameters/nearest-tool.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { expectCost, plainPassMs } from '../../../support/processor-time.ts'

const TOOLS = { tools: catalog.list(), toolkits: catalog.toolkits() }
const DONE: Outcome = { kind: 'done', result: { text: '', data: { ok: true } } }

/** A call, the answer to it, and the arguments that reached the tool; null when none did. */
async function made(how: typeof callNoting, tool: string, args: object, outcome: Outcome = DONE) {
  let reached: ToolCall | null = null
  const answer = await how(TOOLS, { tool, args }, async (call) => {
    reached = call
    return outcome
  })
  return { answer, args: (reached as ToolCall | null)?.args ?? null }
}

const notesOf = (answer: Outcome) => (answer.kind === 'done' ? answer.result.data.notes : undefined)
const errorOf = (answer: Outcome) => ('failure' in answer ? answer.failure.message : undefined)

describe.each([
  ['a published dialect', callNoting],
  ['our own', callStrictly],
])('a call of %s in the words of another tool', (_which, how) => {
  async function reached(tool: string, args: object) {
    let call: ToolCall | null = null
    await how(TOOLS, { tool, args }, async (made) => {
      call = made
      return DONE
    })
    return call
  }

  it.each([
    [{ command: 'insert', path: 'a', insert_line: 0, new_str: 'x' }, 1],
    [{ path: 'a', insert_line: 2, insert_text: 'x' }, 3],
    [{ file_path: 'a', insertLine: '2', text: 'x' }, 3],
  ])('inserts lines: %j', async (args, start_line) => {
    expect(await reached('file_edit', args)).toEqual({
      tool: 'file_replace_lines',
      args: { file_path: 'a', start_line, end_line: start_line - 1, new_content: 'x' },
    })
  })

  it.each(['upload/a.png', '/upload/a.png', '/home/user/workspace/upload/a.png'])(
    'writes bytes to %s',
    async (path) => {
      expect(await reached('file_write', { path, content: '/+8=', encoding: 'base64' })).toEqual({
        tool: 'file_upload',
        args: { files: [{ filename: 'a.png', content: '/+8=', is_base64: true }] },
      })
    },
  )

  it.each([
    ['file_edit', { file_path: 'a', old_text: 'x', new_text: 'y' }],
    ['file_write', { file_path: 'upload/a', content: 'x', encoding: 'gbk' }],
    ['file_write', { file_path: 'a', content: 'eA==', is_base64: true }],
  ])('leaves one of %s as it is: %j', async (tool, args) => {
    expect(await reached(tool, args)).toEqual({ tool, args })
  })
})

describe.each([
  ['a published dialect', callNoting],
  ['our own', callStrictly],
])('a call of %s', (_which, how) => {
  it.each([
    ['execute_shell', { command: 'ls', cwd: 'upload' }, { command: 'ls', workdir: 'upload' }],
    ['execute_shell', { cmd: 'ls', working_directory: 'upload' }, { command: 'ls', workdir: 'upload' }],
    ['file_read', { path: 'a', offset: 3 }, { file_path: 'a', start_line: 3 }],
    ['file_read', { filePath: 'a', 'start-line': 3 }, { file_path: 'a', start_line: 3 }],
    ['file_write', { filename: 'a', file_text: 'x' }, { file_path: 'a', content: 'x' }],
    ['file_search', { path: 'a', query: 'x' }, { dir_path: 'a', search_text: 'x' }],
    ['file_search', { file: 'a', pattern: 'x' }, { file_path: 'a', search_text: 'x' }],
    [
      'file_search',
      { pattern: 'x', glob: '*.py', head_limit: 5, '-i': true, '-n': true },
      { search_text: 'x', glob: '*.py', max_matches: 5, '-i': true, '-n': true },
    ],
    ['file_search', { pattern: 'a|b', '-C': 3 }, { search_text: 'a|b', regex: true, context: 3 }],
    ['file_search', { pattern: 'a|b', regex: false }, { search_text: 'a|b', regex: false }],
    ['file_search', { query: 'a|b', '-A': 1, '-B': '2' }, { search_text: 'a|b', context: 2 }],
    ['file_search', { pattern: 'x', type: 'py' }, { search_text: 'x', glob: '**/*.{py,pyi}' }],
    ['file_search', { pattern: 'x', type: 'go', path: 'a' }, { search_text: 'x', glob: '**/*.go', dir_path: 'a' }],
    ['file_search', { pattern: 'x', '-i': false }, { search_text: 'x', case_sensitive: true }],
    ['file_search', { pattern: 'x', output_mode: 'content', head_limit: 0 }, { search_text: 'x' }],
    ['file_search', { regexp: true, search: 'x', include: '*.py' }, { regex: true, search_text: 'x', glob: '*.py' }],
    ['file_glob', { glob: '*.py', path: 'src', limit: 5 }, { pattern: '*.py', dir_path: 'src', max_results: 5 }],
    ['file_patch', { input: '--- a' }, { patch: '--- a' }],
    ['file_patch', { diff: '--- a' }, { patch: '--- a' }],
    ['execute_code', { source_code: '1' }, { code: '1' }],
    ['execute_code', { script: 'a.py' }, { file_path: 'a.py' }],
    ['file_edit', { path: 'a', old_str: 'x', replacement: 'y' }, { file_path: 'a', old_text: 'x', new_text: 'y' }],
    [
      'file_edit',
      { path: 'a', old_string: 'x', new_string: 'y', global: true },
      { file_path: 'a', old_text: 'x', new_text: 'y', replace_all: true },
    ],
    ['execute_shell', { command: 'ls', run_in_background: true }, { command: 'ls', background: true }],
    ['job_output', { bash_id: 'j', offset: 5, wait: 1 }, { job_id: 'j', from_byte: 5, wait_seconds: 1 }],
    ['job_stop', { shell_id: 'j' }, { job_id: 'j' }],
    ['file_delete', { dir_path: 'a' }, { file_path: 'a' }],
    ['file_info', { directory: 'a' }, { file_path: 'a' }],
    [
      'file_edit',
      { command: 'str_replace', path: 'a', old_str: 'x', new_str: 'y' },
      { command: 'str_replace', file_path: 'a', old_text: 'x', new_text: 'y' },
    ],
    ['file_move', { src: 'a', dst: 'b' }, { src_path: 'a', dest_path: 'b' }],
    ['rag_search_abstracts', { q: 'x', top_k: 3 }, { query: 'x', m: 3 }],
    ['git_clone', { url: 'https://x/y', dest_path: 'z' }, { repo_url: 'https://x/y', target_dir: 'z' }],
    ['download_file_from_url', { url: 'https://x/y', path: 'z' }, { download_url: 'https://x/y', save_path: 'z' }],
  ])('of %s takes %j as %j', async (tool, given, args) => {
    const { answer, args: reached } = await made(how, tool, given)
    expect([reached, notesOf(answer)]).toEqual([args, undefined])
  })

  it.each([
    [
      { pattern: 'x', output_mode: 'count' },
      { search_text: 'x', output_mode: 'count' },
    ],
    [
      { pattern: 'x', count_only: true },
      { search_text: 'x', output_mode: 'count' },
    ],
    [
      { pattern: 'x', '-l': 'true' },
      { search_text: 'x', output_mode: 'files_with_matches' },
    ],
    [{ pattern: 'x', '-c': false }, { search_text: 'x' }],
    [
      { regex_pattern: '^b', root: 'src', file_pattern: '*.py' },
      { search_text: '^b', regex: true, dir_path: 'src', glob: '*.py' },
    ],
  ])('of file_search chooses what is shown, as of grep: %j', async (given, args) => {
    const { answer, args: reached } = await made(how, 'file_search', given)
    expect([reached, notesOf(answer)]).toEqual([args, undefined])
  })

  it('reaches the tool unchanged when each name is the tool’s own', async () => {
    const given = { file_path: 'a', start_line: 1, end_line: null }
    expect((await made(how, 'file_read', given)).args).toBe(given)
  })

  it('with one argument under two names is refused when they differ, and else taken', async () => {
    const twice = (cwd: string) => made(how, 'execute_shell', { command: 'ls', workdir: 'a', cwd })
    await expect(twice('b')).rejects.toThrow('cwd and workdir are two names of one parameter, and differ')
    expect((await twice('a')).args).toEqual({ command: 'ls', workdir: 'a' })
  })

  it.each([{ silent: true }, { description: 'lists files' }, { page: null }, { page: '' }, { page: [] }])(
    'has no note about %j',
    async (more) => {
      const { answer } = await made(how, 'file_read', { file_path: 'a', ...more })
      expect([answer.kind, notesOf(answer)]).toEqual(['done', undefined])
    },
  )

  it.each([
    ['file_delete', { file_path: 'upload', recursive: true }],
    ['file_write', { file_path: 'a', content: 'x', overwrite: 'True', create_dirs: true }],
    ['dir_create', { dir_path: 'a', parents: true, exist_ok: true }],
    ['file_search', { file_path: 'a', search_text: 'x', ignore_case: true }],
  ])('of %s has no note where a parameter says what the tool does anyway: %j', async (tool, given) => {
    const { answer } = await made(how, tool, given)
    expect([answer.kind, notesOf(answer)]).toEqual(['done', undefined])
  })

  it('with ten thousand spellings of one argument takes little time', async () => {
    const spellings = Array.from(
      { length: 10_000 },
      (_, at) => `file${at.toString(3).replaceAll(/./g, (digit) => '_-.'.charAt(Number(digit)))}path`,
    )
    await expectCost(
      async () => {
        const { args } = await made(how, 'file_read', Object.fromEntries(spellings.map((name) => [name, 'a'])))
        expect(args).toEqual({ file_path: 'a' })
      },
      { below: () => 100 * plainPassMs(200_000) },
    )
  })

  it.each([[{ toString: 1 }], [['true']], [1]])(
    'with %j for a parameter that says what the tool does anyway is refused as an unknown one',
    async (force) => {
      const { answer } = await made(callNoting, 'file_delete', { file_path: 'a', force, recursive: force })
      expect([answer.kind, errorOf(answer)]).toEqual([
        'refused',
        expect.stringMatching(/^unknown parameters: force, recursive/),
      ])
    },
  )

  it('says of a parameter that is taken and without effect why it is', async () => {
    const { answer } = await made(how, 'pip_install', { packages: 'x', timeout: 5 })
    expect(notesOf(answer)).toEqual(['timeout has no effect here: an installation ends by a deadline of the server'])
  })
})

describe('an unknown parameter in a published dialect', () => {
  it('of a tool that only reads is named beside the result', async () => {
    const { answer } = await made(callNoting, 'file_read', { file_path: 'a', end_lin: 2, page: 1 })
    expect(notesOf(answer)).toEqual([
      expect.stringMatching(
        /^unknown parameters: end_lin \(did you mean end_line\?\), page\. Known: file_path \(required\), start_line, end_line, /,
      ),
    ])
  })

  it.each([
    ['execute_shell', { command: 'rm -rf *', cwdd: 'tmp' }, 'unknown parameter: cwdd (did you mean workdir?)'],
    ['execute_shell', { command: 'rm -rf *', at_path: 'tmp' }, 'unknown parameter: at_path'],
    [
      'file_write',
      { file_path: 'a', content: 'x', append: 'yes' },
      'unknown parameter: append (mode "append" adds to the file)',
    ],
    ['file_delete', { file_path: 'upload', pattern: '*.tmp' }, 'unknown parameter: pattern'],
    [
      'file_delete',
      { file_path: 'upload', recursive: false },
      'unknown parameter: recursive (a directory is deleted with all that is in it)',
    ],
    ['file_delete', { file_path: 'upload', dry_run: true }, 'unknown parameter: dry_run'],
    ['file_move', { src_path: 'a', dest_path: 'b', dry_run: true }, 'unknown parameter: dry_run'],
  ])('of %s, which would hit something else, refuses %j', async (tool, given, says) => {
    const { answer, args } = await made(callNoting, tool, given)
    expect([args, answer.kind]).toEqual([null, 'refused'])
    expect(errorOf(answer)).toMatch(`${says}. Known: `)
  })

  it.each([
    ['file_write', { file_path: 'a', content: 'x', trace: 'x-1' }],
    ['execute_shell', { command: 'ls', agent: 'a' }],
    ['git_clone', { repo_url: 'https://x/y', depth: 1 }],
    ['file_write', { file_path: 'a', content: 'x', file_pat: 'a' }],
  ])('of %s that says neither where nor whether is named beside the result of %j', async (tool, given) => {
    const { answer, args } = await made(callNoting, tool, given)
    expect([args, notesOf(answer)]).toEqual([given, [expect.stringMatching(/^unknown parameter: /)]])
  })

  it('does not hide what a call lacks, and the answer says what the tool takes', async () => {
    const refused: Outcome = {
      kind: 'refused',
      failure: { code: 'invalid_input', message: 'missing required parameter: content' },
    }
    const { answer } = await made(callNoting, 'file_write', { file_path: 'a', contents: 'x' }, refused)
    expect(answer).toMatchObject({
      failure: {
        message: 'missing required parameter: content',
        data: {
          notes: [
            expect.stringMatching(
              /^unknown parameter: contents \(did you mean content\?\)\. Known: file_path \(required\), content \(required\), mode, /,
            ),
          ],
        },
      },
    })
    expect((await made(callNoting, 'file_write', { file_path: 'a' }, refused)).answer).toMatchObject({
      failure: {
        data: {
          notes: [expect.stringMatching(/^file_write takes: file_path \(required\), content \(required\), mode, /)],
        },
      },
    })
  })

  it('keeps the notes that the result has', async () => {
    const noted: Outcome = { kind: 'done', result: { text: '', data: { notes: ['cut'] } } }
    const { answer } = await made(callNoting, 'file_read', { file_path: 'a', page: 1 }, noted)
    expect(notesOf(answer)).toEqual(['cut', expect.stringContaining('unknown parameter: page')])
  })

  it('is looked for in bounded time, and its name is cut', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`${'x'.repeat(500)}${at}`, 1]))
    const { answer } = await made(callNoting, 'file_read', { file_path: 'a', ...many })
    const [note] = notesOf(answer) as string[]
    expect(note).toContain('and 19995 more. Known: ')
    expect(note?.length).toBeLessThan(500)
  })
})

describe('our own dialect', () => {
  it('refuses any unknown parameter before the tool runs', async () => {
    await expect(made(callStrictly, 'file_read', { file_path: 'a', page: 1 })).rejects.toThrow(
      /unknown parameter: page\. Known: file_path \(required\), start_line, end_line, /,
    )
  })

  it('says what a tool takes in the refusal of a call that lacks an argument', async () => {
    const refused: Outcome = {
      kind: 'refused',
      failure: { code: 'invalid_input', message: 'missing required parameter: file_path' },
    }
    expect(errorOf((await made(callStrictly, 'file_read', {}, refused)).answer)).toMatch(
      /^missing required parameter: file_path\. file_read takes: file_path \(required\), start_line, end_line, /,
    )
  })
})

describe('an unknown tool', () => {
  it.each([
    ['file_raed', ['file_read']],
    ['read_file', ['file_read']],
    ['fileRead', ['file_read']],
    ['Bash', ['execute_shell']],
    ['list_directory', ['dir_list']],
    ['Edit', ['file_edit']],
    ['BashOutput', ['job_output']],
    ['KillShell', ['job_stop']],
    ['Glob', ['file_glob']],
    ['Grep', ['file_search']],
    ['rg', ['file_search']],
    ['search_files', ['file_search']],
    ['apply_patch', ['file_patch']],
    ['MultiEdit', ['file_edit']],
    ['stat', ['file_info']],
    ['get_file_info', ['file_info']],
    ['ps', ['job_list']],
    ['search_google', ['google_search', 'google_scholar_search']],
    ['ipython', ['execute_code']],
    ['arxiv', ['arxiv_search']],
    ['undo', ['workspace_restore']],
    ['rollback', ['workspace_restore']],
    ['git_revert', ['workspace_restore']],
    ['git_log', ['workspace_history']],
    ['git_diff', ['workspace_diff']],
    ['checkpoint', ['workspace_snapshot']],
    ['fork_session', ['workspace_fork']],
    ['query_result', ['result_query']],
    ['execute_comand', ['execute_shell']],
    ['no_such_tool', []],
    ['x', []],
    ['../file_read', []],
    ['file_read\0', []],
    ['', []],
  ])('%s may stand for %j', (name, nearest) => {
    expect(nearestTools(name, TOOLS)).toEqual(nearest)
  })
})
