import { describe, expect, it } from 'vitest'
import { LOOKING } from '../../../../src/http/parameters/synonyms.ts'
import { ToolParameters } from '../../../../src/http/parameters/tool-parameters.ts'
import { catalog } from '../../../../src/tools/catalog.ts'

const parameters = new Map(
  [...catalog.list(), ...catalog.toolkits().flatMap(({ tools }) => tools)].map((tool) => [
    tool.name,
    new ToolParameters(tool),
  ]),
)

/** Arguments that a tool gets, and what is said about the rest. */
function read(tool: string, params: object) {
  const found = parameters.get(tool)
  if (!found) throw new Error(`no tool ${tool}`)
  return found.read(params as Readonly<Record<string, unknown>>)
}

describe('a parameter that says the same in another way', () => {
  it.each([
    ['workspace_restore', { to: 3, file_path: 'a' }, { commit: 3, path: 'a' }],
    ['workspace_restore', { snapshot: 'good', files: ['a'] }, { commit: 'good', path: ['a'] }],
    ['workspace_diff', { base: 1, target: 2 }, { from: 1, to: 2 }],
    ['workspace_diff', { commit: 2 }, { to: 2 }],
    ['workspace_snapshot', { action: 'create', label: 'good' }, { action: 'save', name: 'good' }],
    ['workspace_snapshot', { action: 'delete', name: 'good' }, { action: 'remove', name: 'good' }],
    ['workspace_fork', { session: 'other', from: 'good' }, { name: 'other', as_of: 'good' }],
    ['result_query', { call_id: 'c1', filter: 'tail' }, { handle: 'c1', view: 'tail' }],
    ['file_read', { file_path: 'a', offset: 10, limit: 8 }, { file_path: 'a', start_line: 10, end_line: 17 }],
    ['file_read', { limit: 8, offset: 10, file_path: 'a' }, { file_path: 'a', start_line: 10, end_line: 17 }],
    ['file_read', { file_path: 'a', offset: 0, limit: '8' }, { file_path: 'a', start_line: 0, end_line: 8 }],
    ['file_read', { file_path: 'a', limit: 8 }, { file_path: 'a', end_line: 8 }],
    ['file_read', { file_path: 'a', max_lines: 8 }, { file_path: 'a', end_line: 8 }],
    ['file_read', { file_path: 'a', offset: -20, limit: 5 }, { file_path: 'a', start_line: -20, end_line: -16 }],
    ['file_read', { file_path: 'a', offset: -20, limit: 50 }, { file_path: 'a', start_line: -20, end_line: -1 }],
    ['file_read', { file_path: 'a', tail: 5 }, { file_path: 'a', start_line: -5, end_line: -1 }],
    ['file_read', { file_path: 'a', head: '5' }, { file_path: 'a', start_line: 1, end_line: 5 }],
    ['file_read', { file_path: 'a', view_range: [3, 9] }, { file_path: 'a', start_line: 3, end_line: 9 }],
    ['file_read', { file_path: 'a', view_range: [3, -1] }, { file_path: 'a', start_line: 3, end_line: -1 }],
    ['file_read', { file_path: 'a', view_range: '[3, 9]' }, { file_path: 'a', start_line: 3, end_line: 9 }],
    ['file_read', { file_path: 'a', line_range: '3-9' }, { file_path: 'a', start_line: 3, end_line: 9 }],
    ['file_read', { file_path: 'a', lines: 'L3-L9' }, { file_path: 'a', start_line: 3, end_line: 9 }],
    [
      'file_replace_lines',
      { file_path: 'a', lines: [3, 9], new_content: '' },
      { file_path: 'a', start_line: 3, end_line: 9, new_content: '' },
    ],
    [
      'file_edit',
      { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }] },
      { file_path: 'a', old_text: 'x', new_text: 'y' },
    ],
    [
      'file_edit',
      { path: 'a', edits: [{ oldText: 'x', newText: '' }] },
      { file_path: 'a', old_text: 'x', new_text: '' },
    ],
    [
      'file_edit',
      {
        path: 'a',
        edits: [
          { oldText: 'x', newText: 'y' },
          { old_str: 'p', new_str: 'q', replace_all: true },
        ],
      },
      {
        file_path: 'a',
        edits: [
          { old_text: 'x', new_text: 'y' },
          { old_text: 'p', new_text: 'q', replace_all: true },
        ],
      },
    ],
    // What is no edit goes to the tool, which says what is wrong with it.
    [
      'file_edit',
      { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }, {}] },
      { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }, {}] },
    ],
    [
      'file_replace_lines',
      { path: 'a', insert_line: 2, new_str: 'x' },
      { file_path: 'a', start_line: 3, end_line: 2, new_content: 'x' },
    ],
    ['file_write', { path: 'a', content: 'x', append: true }, { file_path: 'a', content: 'x', mode: 'append' }],
    ['file_write', { files: [{ path: 'a', content: 'x' }] }, { file_path: 'a', content: 'x' }],
    ['file_delete', { paths: ['a', 'b'] }, { file_paths: ['a', 'b'] }],
    ['file_delete', { path: ['a', 'b'] }, { file_paths: ['a', 'b'] }],
    ['file_read', { paths: ['a'] }, { file_path: ['a'] }],
    ['file_move', { path: 'd/a', new_name: 'b' }, { src_path: 'd/a', dest_path: 'd/b' }],
    ['file_move', { new_name: 'b', path: 'a' }, { src_path: 'a', dest_path: 'b' }],
    ['file_upload', { file_path: 'upload/a', content: 'x' }, { files: [{ filename: 'a', content: 'x' }] }],
    ['file_upload', { content: 'x', path: 'd/a' }, { files: [{ filename: 'd/a', content: 'x' }] }],
    ['file_upload', { files: [], path: 'd' }, { files: [], target_path: 'd' }],
    ['pip_install', { requirements_file: 'r.txt' }, { packages: ['-r r.txt'] }],
    ['pip_install', { packages: ['a'], editable: './b' }, { packages: ['a', '-e ./b'] }],
    ['pip_install', { package: 'a', version: '2.1' }, { packages: ['a==2.1'] }],
    ['tex2pdf_convert', { tex_file: 'd/a.tex' }, { input_path: 'd', tex_filename: 'a.tex' }],
    [
      'tex2pdf_convert',
      { input_path: 'd', tex_file: 'a.tex', output_file: 'a.pdf' },
      { input_path: 'd', tex_filename: 'a.tex', output_path: 'a.pdf' },
    ],
    ['parse_document', { path: 'a.pdf', format: 'markdown' }, { file_path: 'a.pdf' }],
    ['rag_search_abstracts_filtered', { q: 'x', filters: { year: 2023 } }, { query: 'x', publish_year_filter: '2023' }],
    ['crawl_page', { url: 'https://a.org', output: 'd' }, { url: 'https://a.org', output_dir: 'd' }],
    ['execute_shell', { command: 'ls', environment: { A: '1' } }, { command: 'ls', env: { A: '1' } }],
    [
      'file_read',
      { target_file: 'a', start_line_one_indexed: 2, should_read_entire_file: true },
      { file_path: 'a', start_line: 2, should_read_entire_file: true },
    ],
    [
      'file_replace_lines',
      { path: 'a', line: 4, text: 'x' },
      { file_path: 'a', start_line: 4, end_line: 4, new_content: 'x' },
    ],
    ['file_search', { pattern: 'x', exclude: '*.md' }, { search_text: 'x', glob: '!*.md' }],
    ['file_search', { pattern: 'x', file_types: ['py'] }, { search_text: 'x', glob: '**/*.{py,pyi}' }],
    ['file_glob', { pattern: '*.py', recursive: true }, { pattern: '**/*.py' }],
    ['file_glob', { name: '*.py', path: 'a' }, { pattern: '**/*.py', dir_path: 'a' }],
    ['file_glob', { patterns: ['*.py', 'a/*.c'] }, { pattern: '{*.py,a/*.c}' }],
    ['file_upload', { files: { 'a.txt': 'x' } }, { files: [{ filename: 'a.txt', content: 'x' }] }],
    [
      'download_file_from_url',
      { url: 'https://a.org/x', output_dir: 'd' },
      { download_url: 'https://a.org/x', save_path: 'd/' },
    ],
    ['parse_document', { path: 'a', start_page: 2, end_page: '4' }, { file_path: 'a', pages: '2-4' }],
    ['parse_document', { path: 'a', end_page: 4, start_page: 2 }, { file_path: 'a', pages: '2-4' }],
    ['parse_document', { path: 'a', max_pages: 3 }, { file_path: 'a', pages: '1-3' }],
    ['parse_document', { path: 'a', first_page: 3 }, { file_path: 'a', pages: '3-' }],
    ['execute_shell', { command: 'ls', env: ['A=1', 'B=x=y'] }, { command: 'ls', env: { A: '1', B: 'x=y' } }],
    ['execute_shell', { command: 'ls', env: 'A=1' }, { command: 'ls', env: { A: '1' } }],
    ['execute_shell', { commands: ['ls'] }, { command: 'ls' }],
    ['job_output', { id: 'a', wait: true }, { job_id: 'a', wait_seconds: 30 }],
    ['job_output', { id: 'a', block: 'false' }, { job_id: 'a', wait_seconds: 0 }],
    ['google_search', { q: 'x', site: 'a.org' }, { query: 'x site:a.org' }],
    ['github_search_repositories', { language: 'go', query: 'x' }, { query: 'x language:go' }],
    ['execute_shell', { command: 'ls', timeout_ms: 5_000 }, { command: 'ls', timeout: 5 }],
    ['execute_code', { code: '1', timeoutMs: '30000' }, { code: '1', timeout: 30 }],
    ['file_search', { regex: 'took \\d+', path: 'a' }, { search_text: 'took \\d+', regex: true, dir_path: 'a' }],
    ['file_patch', { patch: 'x', cwd: 'src' }, { patch: 'x', workdir: 'src' }],
    ['file_glob', { pattern: '*', sort: 'mtime', limit: 5 }, { pattern: '*', newest_first: true, max_results: 5 }],
    ['file_glob', { pattern: '*', sort_by: 'name' }, { pattern: '*' }],
    ['file_search', { query: 'x', include_pattern: '*.js' }, { search_text: 'x', glob: '*.js' }],
    ['file_search', { pattern: 'x', exclude_pattern: '*.js' }, { search_text: 'x', glob: '!*.js' }],
    ['file_search', { pattern: 'x', output_mode: 'files' }, { search_text: 'x', output_mode: 'files_with_matches' }],
    ['execute_shell', { command: 'a', on_timeout: 'continue' }, { command: 'a', on_timeout: 'background' }],
    ['execute_code', { code: ['import os', 'os'] }, { code: 'import os\nos' }],
    ['execute_code', { code: ['import os\n', 'os'] }, { code: 'import os\nos' }],
    ['execute_code', { code: '1', language: 'python3' }, { code: '1' }],
    ['file_write', { path: 'a.txt', content: ['x', 'y'] }, { file_path: 'a.txt', content: 'x\ny' }],
    [
      'file_write',
      { path: 'a', content: 'eA==', encoding: 'base64' },
      { file_path: 'a', content: 'eA==', is_base64: true },
    ],
    [
      'file_edit',
      { path: 'a', old_str: ['x'], new_str: ['y', 'z'] },
      { file_path: 'a', old_text: 'x', new_text: 'y\nz' },
    ],
    [
      'file_replace_lines',
      { path: 'a', line: 2, new_lines: ['x', 'y'] },
      { file_path: 'a', start_line: 2, end_line: 2, new_content: 'x\ny' },
    ],
    ['rag_search_abstracts', { query: ['a b'], limit: 3 }, { query: 'a b', m: 3 }],
    ['job_stop', { pid: 1080 }, { job_id: '1080' }],
    ['file_info', { paths: ['a', 'b'] }, { file_paths: ['a', 'b'] }],
    ['file_info', { path: ['a', 'b'] }, { file_paths: ['a', 'b'] }],
    ['image_read', { url: 'upload/a.png' }, { file_path: 'upload/a.png' }],
    [
      'file_upload',
      { path: 'a.png', content: 'eA==', encoding: 'base64' },
      { files: [{ filename: 'a.png', content: 'eA==', is_base64: true }] },
    ],
    [
      'file_upload',
      { encoding: 'base64', path: 'a.png', content: 'eA==' },
      { files: [{ filename: 'a.png', content: 'eA==', is_base64: true }] },
    ],
    [
      'file_upload',
      { files: [{ filename: 'a', content: 'eA==' }], encoding: 'base64' },
      { files: [{ filename: 'a', content: 'eA==', is_base64: true }] },
    ],
    ['file_patch', { file_path: './a.py', patch: '--- a/a.py\n+++ b/a.py\n' }, { patch: '--- a/a.py\n+++ b/a.py\n' }],
    [
      'file_patch',
      { path: '/home/user/workspace/b/a.py', patch: '--- a/b/a.py\n+++ b/b/a.py\n' },
      { patch: '--- a/b/a.py\n+++ b/b/a.py\n' },
    ],
    ['file_patch', { path: 'a.py', patch: '--- a.py\n+++ a.py\n' }, { patch: '--- a.py\n+++ a.py\n' }],
    [
      'file_patch',
      { file_path: 'src/a.py', diff: '\n@@\n-x\n+y\n' },
      { patch: '--- a/src/a.py\n+++ b/src/a.py\n@@\n-x\n+y\n' },
    ],
  ])('of %s is taken: %j is %j', (tool, given, args) => {
    expect(read(tool, given)).toEqual({ args, unknown: [], notes: [] })
  })

  it.each([
    ['file_read', { file_path: 'a', limit: 5, end_line: 9 }, 'limit'],
    ['file_read', { file_path: 'a', tail: 5, start_line: 9 }, 'tail'],
    ['file_read', { file_path: 'a', limit: 0 }, 'limit'],
    ['file_read', { file_path: 'a', view_range: [3] }, 'view_range'],
    ['file_read', { file_path: 'a', lines: 'all' }, 'lines'],
  ])('of %s is named with what to do where it cannot be taken: %j', (tool, given, name) => {
    const { args, unknown } = read(tool, given)
    expect(args).toMatchObject(given)
    expect(unknown).toEqual([{ name, instead: expect.stringMatching(/\w+ \w+/), isMissed: expect.any(Boolean) }])
  })

  it('is left alone where a tool has it: regex says whether there is one', () => {
    const given = { search_text: 'x', regex: 'true' }
    expect(read('file_search', given)).toEqual({ args: given, unknown: [], notes: [] })
  })

  it('is read in bounded time, in however many spellings it comes', () => {
    const spelling = (at: number) => at.toString(2).replaceAll('0', '_').replaceAll('1', '-')
    const spellings = (name: string) => Array.from({ length: 5_000 }, (_, at) => [`${spelling(at)}${name}`, 5])
    const { unknown } = read('file_read', { file_path: 'a', ...Object.fromEntries(spellings('tail')) })
    expect(unknown.length).toBe(5_000 - 20)
  })

  it('refuses a patch for another file than it names, and says which it names', () => {
    const { unknown } = read('file_patch', { file_path: 'b.py', patch: '--- a/a.py\n+++ b/a.py\n@@\n-x\n+y\n' })
    expect(unknown).toEqual([
      {
        name: 'file_path',
        instead: expect.stringMatching(/^the patch names a\/a\.py, not this file; /),
        isMissed: true,
      },
    ])
  })
})

describe('a value that is taken for another', () => {
  it.each([
    [
      'execute_shell',
      { command: 'ls', timeout_ms: 1_500 },
      { command: 'ls', timeout: 2 },
      /1500 milliseconds .* timeout 2/,
    ],
    [
      'job_output',
      { job_id: 'a', timeout_ms: 10 },
      { job_id: 'a', wait_seconds: 1 },
      /10 milliseconds .* wait_seconds 1/,
    ],
    [
      'file_write',
      { path: 'a.json', content: { a: [1] } },
      { file_path: 'a.json', content: '{\n  "a": [\n    1\n  ]\n}\n' },
      /as JSON/,
    ],
    ['file_write', { path: 'a.json', content: ['x'] }, { file_path: 'a.json', content: '[\n  "x"\n]\n' }, /as JSON/],
    ['execute_shell', { restart: true }, { command: ':' }, /each call is a new shell already/],
    ['execute_shell', { restart: true, command: 'ls' }, { command: 'ls' }, /nothing to restart/],
    ['crawl_page', { url: 'example.com/a b' }, { url: 'https://example.com/a b' }, /https:\/\/example\.com\/a b/],
    ['crawl_page', { link: 'www.example.md' }, { url: 'https://www.example.md' }, /https:\/\/www\.example\.md/],
    [
      'download_file_from_url',
      { url: 'data.example.org:8080/a.csv?x=1' },
      { download_url: 'https://data.example.org:8080/a.csv?x=1' },
      /https:/,
    ],
    [
      'crawl_page',
      { url: 'https://a.org', output: 'd/x.md' },
      { url: 'https://a.org', output_dir: 'd' },
      /markdown_file/,
    ],
  ])('in %s, %j as %j, is named in the answer', (tool, given, args, note) => {
    expect(read(tool, given)).toEqual({ args, unknown: [], notes: [expect.stringMatching(note)] })
  })

  it.each([
    ['file_write', { file_path: 'a.txt', content: { a: 1 } }],
    ['file_write', { file_path: 'a.txt', content: ['a', 1] }],
    ['rag_search_abstracts', { query: ['a', 'b'] }],
    ['file_search', { search_text: 'a', output_mode: 'json' }],
  ])('in %s is none of %j', (tool, given) => {
    expect(read(tool, given)).toEqual({ args: given, unknown: [], notes: [] })
  })

  it.each([
    'notes.md', 'main.py', 'upload/page.html', './a.com/b', 'localhost:8000', 'report', 'a b.com', 'ftp://example.com', 'C:\\x.txt',
    '/home/user/x.org', '', '192.168.0.1',
  ])('is not %j for a web address', (url) => {
    expect(read('crawl_page', { url })).toEqual({ args: { url }, unknown: [], notes: [] })
  }) // biome-ignore format: a list of texts
})

describe('a parameter that says what the tool does anyway', () => {
  it.each([
    ['execute_code', { code: '1', language: 'Python' }],
    ['file_edit', { file_path: 'a', old_text: 'x', new_text: 'y', expected_replacements: 1 }],
    ['execute_shell', { command: 'ls', shell: 'bash', restart: false }],
    ['dir_list', { dir_path: 'a', show_hidden: true }],
    ['file_read', { file_path: 'a', command: 'view' }],
  ])('of %s is taken without a word: %j', (tool, given) => {
    expect(read(tool, given)).toMatchObject({ unknown: [], notes: [] })
  })

  it.each([
    ['execute_code', { code: 'ls', language: 'bash' }, 'language'],
    ['file_edit', { file_path: 'a', old_text: 'x', new_text: 'y', expected_replacements: 2 }, 'expected_replacements'],
    ['dir_list', { dir_path: 'a', show_hidden: false }, 'show_hidden'],
    ['git_clone', { repo_url: 'x', shell: true }, 'shell'],
    ['image_read', { url: 'https://example.org/a.png' }, 'url'],
  ])('of %s is named where it says another thing: %j', (tool, given, name) => {
    expect(read(tool, given).unknown).toMatchObject([{ name }])
  })
})

describe('a repository', () => {
  it.each(['../a/b', './a', 'upload/a', 'a', '/a/b', 'a/b/c', '-a/b', 'git@github.com:a/b'])(
    'is not %j at GitHub',
    (repo_url) => {
      expect(read('git_clone', { repo_url })).toEqual({ args: { repo_url }, unknown: [], notes: [] })
    },
  )
})

describe('a tool that only looks', () => {
  it.each([...LOOKING])('%s is a tool, and refuses no call for a parameter', (tool) => {
    const { unknown } = read(tool, { filter: 'x', dry_run: true })
    expect(unknown.map(({ isMissed }) => isMissed)).toEqual([false, false])
  })
})

describe('a parameter that a tool has nothing for', () => {
  it.each([
    ['job_output', 'tail', /from_byte -2000/],
    ['job_output', 'filter', /grep the log_file/],
    ['job_output', 'wait_for_exit', /until running is false/],
    ['job_list', 'status', /running says which/],
    ['rag_get_paper_content', 'section', /rag_search_details/],
    ['file_lock', 'timeout', /lasts until file_unlock/],
    ['file_edit', 'insert_line', /file_replace_lines inserts/],
    ['pip_install', 'version', /"name==2.1"/],
  ])('of %s, %s, is answered with what to do', (tool, name, advice) => {
    expect(read(tool, { [name]: 5 }).unknown).toMatchObject([{ name, instead: expect.stringMatching(advice) }])
  })
})

describe('parameters of a tour by an agent', () => {
  it.each([
    ['dir_list', { depth: 3 }, { recursive: true }],
    ['dir_list', { max_depth: 1 }, {}],
    ['github_get_repository_info', { owner: 'psf', repo: 'requests' }, { full_name: 'psf/requests' }],
    ['file_copy', { path: 'a', destination: 'b' }, { src_path: 'a', dest_path: 'b' }],
    ['image_read', { image_path: 'a.png' }, { file_path: 'a.png' }],
    ['file_glob', { pattern: '*.py', root_dir: 'code_run' }, { pattern: '*.py', dir_path: 'code_run' }],
    ['dir_create', { name: 'a' }, { dir_path: 'a' }],
  ])('of %s: %j is %j', (tool, given, args) => {
    const { unknown, ...found } = read(tool, given)
    expect([found.args, unknown]).toEqual([args, []])
  })
})
