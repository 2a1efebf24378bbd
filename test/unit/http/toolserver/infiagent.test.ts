import { describe, expect, it } from 'vitest'
import {
  MAX_NUMBERED_LINES,
  MAX_PATHS_PER_CALL,
  MAX_READ_TOGETHER_CHARS,
} from '../../../../src/core/limits/requests.ts'
import type { Outcome, ToolCall } from '../../../../src/core/outcome.ts'
import { plainRead } from '../../../../src/http/dialects/toolserver/infiagent/plain-read.ts'
import { calling } from '../../../../src/http/dialects/toolserver/infiagent/translated.ts'

const NO_IDS = { find: async () => null, put: async () => {} }

/** The calls that a call in infiAgent's words makes, and its answer; tools answer what they are told to. */
async function made(tool: string, params: object, answers: Readonly<Record<string, Outcome | object>> = {}) {
  const calls: ToolCall[] = []
  const outcome = await calling(
    tool,
    params as Readonly<Record<string, unknown>>,
    async (call) => {
      calls.push(call)
      const answer = answers[call.tool] ?? {}
      return 'kind' in answer ? (answer as Outcome) : { kind: 'done', result: { text: '', data: { ...answer } } }
    },
    NO_IDS,
  )
  return { calls, outcome }
}

describe('calls in the words of infiAgent', () => {
  it.each([
    ['file_delete', { path: 'a' }, 'file_delete', { file_path: 'a' }],
    ['dir_list', { path: '.', recursive: true }, 'dir_list', { dir_path: '.', recursive: true }],
    ['execute_command', { command: 'ls' }, 'execute_shell', { command: 'ls', workdir: '.' }],
    [
      'execute_command',
      { command: 'ls', working_dir: 'a', timeout: 5 },
      'execute_shell',
      { command: 'ls', workdir: 'a', timeout: 5 },
    ],
    ['web_search', { query: 'q' }, 'google_search', { query: 'q', num_results: 10 }],
    ['web_search', { query: 'q', max_results: 3, save_path: null }, 'google_search', { query: 'q', num_results: 3 }],
    ['file_download', { url: 'u', save_path: 's' }, 'download_file_from_url', { download_url: 'u', save_path: 's' }],
    [
      'tex_to_pdf',
      { project_dir: 'd', main_file: 'm.tex' },
      'tex2pdf_convert',
      { input_path: 'd', tex_filename: 'm.tex' },
    ],
    ['human_in_loop', { instruction: 'do it' }, 'human_in_loop', { human_task: 'do it' }],
    ['execute_code', { file_path: 'a.py', use_venv: true }, 'execute_code', { file_path: 'a.py', use_venv: true }],
    [
      'file_write',
      { path: 'a', content: '', start_line: 2 },
      'file_replace_lines',
      { file_path: 'a', start_line: 2, end_line: 2, new_content: '\n' },
    ],
  ])('%s %j is %s', async (tool, params, native, args) => {
    expect((await made(tool, params)).calls).toEqual([{ tool: native, args }])
  })

  it.each([
    ['file_read', { file_path: 'a', start_line: 2 }],
    ['file_write', { file_path: 'a', content: 'x', mode: 'write' }],
    ['file_move', { src_path: 'a', dest_path: 'b' }],
    ['execute_shell', { command: 'ls' }],
    ['human_in_loop', { human_task: 'do it', human_task_id: 'x' }],
    ['crawl_page', { url: 'u', output_dir: 'd' }],
  ])('in published words are made as they are: %s %j', async (tool, params) => {
    expect((await made(tool, params)).calls).toEqual([{ tool, args: params }])
  })

  it('keep what was found in a file, and say where in its place', async () => {
    const found = await made(
      'arxiv_search',
      { query: 'q', sort_by: 'submittedDate', save_path: 'temp/a.md' },
      {
        arxiv_search: { content: 'Title: T' },
      },
    )
    expect(found.calls).toEqual([
      { tool: 'arxiv_search', args: { query: 'q' } },
      { tool: 'file_write', args: { file_path: 'temp/a.md', content: 'Title: T\n' } },
    ])
    expect(found.outcome).toMatchObject({
      result: {
        data: { save_path: 'temp/a.md', notes: [expect.stringMatching(/sort_by and sort_order change nothing/)] },
      },
    })
    expect(found.outcome).not.toMatchObject({ result: { data: { content: 'Title: T' } } })
  })

  it('end with the step that failed', async () => {
    const refused: Outcome = { kind: 'refused', failure: { code: 'rate_limited', message: 'too many' } }
    const failed: Outcome = { kind: 'failed', failure: { code: 'forbidden', message: 'locked' } }
    expect((await made('file_read', { path: ['a', 'b'] }, { file_read: refused })).calls).toHaveLength(1)
    expect((await made('file_move', { source: ['a', 'b'], destination: 'c' }, { dir_create: failed })).outcome).toBe(
      failed,
    )
    expect((await made('web_search', { query: 'q', save_path: 's' }, { google_search: failed })).outcome).toBe(failed)
    expect((await made('execute_code', { code: 'x' }, { file_write: failed })).calls).toHaveLength(1)
  })

  it('name a bounded number of files, as text', async () => {
    const paths = Array.from({ length: MAX_PATHS_PER_CALL + 1 }, (_, at) => `f${at}`)
    await expect(made('file_read', { path: paths })).rejects.toThrow('MAX_PATHS_PER_CALL')
    await expect(made('file_move', { source: [1], destination: 'd' })).rejects.toThrow('source must be a path')
  })

  it('read a bounded number of numbered lines, of all files together, and more of them without numbers', async () => {
    const content = '\n'.repeat(MAX_NUMBERED_LINES / 2)
    const [fits, tooMany] = [{ file_read: { content } }, { file_read: { content: content + content } }]
    await expect(made('file_read', { path: 'a' }, tooMany)).rejects.toThrow('MAX_NUMBERED_LINES')
    const unnumbered = await made('file_read', { path: 'a', show_line_numbers: false }, tooMany)
    expect(unnumbered.outcome).toMatchObject({ kind: 'done', result: { data: { content: content + content } } })
    expect((await made('file_read', { path: ['a', 'b'] }, fits)).outcome).toMatchObject({
      result: { data: { success_count: 1, files: { b: { error: expect.stringContaining('MAX_NUMBERED_LINES') } } } },
    })
  })

  it('read a bounded number of characters, of all files together', async () => {
    const half = { file_read: { content: 'x'.repeat(MAX_READ_TOGETHER_CHARS / 2) } }
    expect((await made('file_read', { path: ['a', 'b', 'c'], show_line_numbers: false }, half)).outcome).toMatchObject({
      result: {
        data: { success_count: 2, files: { c: { error: expect.stringContaining('MAX_READ_TOGETHER_CHARS') } } },
      },
    })
  })
})

describe('one path of file_read', () => {
  const read = (params: object, task_id = 'task', tool_name = 'file_read') =>
    plainRead({ tool_name, task_id, params: params as Readonly<Record<string, unknown>> })

  it.each([
    [{ path: 'a' }, { file_path: 'a' }],
    [
      { path: 'a', start_line: 2, show_line_numbers: null },
      { file_path: 'a', start_line: 2, show_line_numbers: null },
    ],
  ])('that a model guessed, %j, gets the published answer', (given, params) => {
    expect(read(given)).toEqual(params)
  })

  it.each([
    [{ paths: ['a', 'b'] }, { path: ['a', 'b'], show_line_numbers: false }],
    [
      { file_paths: ['a', 'b'], show_line_numbers: true },
      { path: ['a', 'b'], show_line_numbers: true },
    ],
  ])('is no one where several are named: %j', (given, params) => {
    expect(read(given)).toEqual(params)
  })

  it.each([
    [{ path: ['a'] }],
    [{ paths: ['a'] }],
    [{ path: 'a', show_line_numbers: true }],
    [{ path: 'a', show_line_numbers: false }],
    [{ path: 'a', file_path: 'b' }],
    [{ file_path: 'a' }],
    [{ path: 'a' }, '/home/me/project'],
    [{ path: 'a' }, 'C:\\project'],
    [{ path: 'a' }, 'task', 'file_write'],
  ])('is left in the words of infiAgent or others: %j %s %s', (given, task = 'task', tool = 'file_read') => {
    expect(read(given, task, tool)).toBe(given)
  })
})
