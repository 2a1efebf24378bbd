import { beforeEach, describe, expect, it } from 'vitest'
import type { HistoryCall } from '../../../src/session/calls-api.ts'
import { History } from '../../../src/session/history.ts'
import type { Sandboxd } from '../../support/sandboxd.ts'
import { dataOf, type SessionBench, sessionBench } from '../../support/session-bench.ts'

/** 2026-11-20T11:08:41.368Z */
const NOW = Date.UTC(2026, 10, 20, 11, 8, 41, 368)
const CREATED = '2026-11-20 11:08:41,368 - Task t created successfully\n'
const RECEIPT = { executed_on: 'edge', queued_ms: 0, boot_ms: 0, sync_ms: 0, exec_ms: 0 } as const

// No tool of these tests needs a sandbox.
const open = (name = 't') => sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd, { name, createdAt: NOW })

let bench: SessionBench
beforeEach(() => {
  bench = open()
})

/** Adds a call to the history, as if it had been made. */
function addCall({ tool = 'echo', args = '{}', state = 'done', answer = 'ok' }: Partial<HistoryCall>) {
  const history = new History(bench.sql, () => 0)
  const call = { callId: `c${Math.random()}`, tool, args: JSON.parse(args), now: NOW - 123 }
  if (state === 'running') return history.begin(call)
  const failure = { code: 'not_found', message: answer } as const
  const outcome =
    state === 'done'
      ? ({ kind: 'done', result: { text: answer, data: {} } } as const)
      : ({ kind: state === 'refused' ? 'refused' : 'failed', failure } as const)
  history.end(call, outcome, RECEIPT, NOW, null)
}

const read = (file_path: string, params: object = {}) => bench.call('file_read', { file_path, silent: true, ...params })

async function logged(file_path: string, params: object = {}) {
  return dataOf(await read(file_path, params)) as { content: string; total_lines: number; line_range: string }
}

const downloaded = async (path: string) => new Response((await bench.session.files.download(path)).body).text()

const history = () => bench.session.calls.page({ limit: 100 }).calls

describe('the process log', () => {
  it('has a line per call, oldest first', async () => {
    addCall({ tool: 'file_write', args: '{"file_path":"a"}', answer: 'written' })
    addCall({ tool: 'execute_code', state: 'failed', answer: 'File not found: b' })
    const data = await logged('logs/t_process.log')
    expect(data).toEqual({
      content: `${CREATED}2026-11-20 11:08:41,368 - [SUCCESS] file_write (0.123s) | {"file_path":"a"} | written
2026-11-20 11:08:41,368 - [ERROR] execute_code (0.123s) | Error: File not found: b
`,
      total_lines: 3,
      line_range: '1-3',
      file_path: 'logs/t_process.log',
      container_path: '/home/user/workspace/logs/t_process.log',
      detected_encoding: 'utf-8',
      file_size: data.content.length,
    })
  })

  it('cuts long parameters and results, and keeps each call on its line', async () => {
    addCall({ args: `{"c":"${'p'.repeat(300)}"}`, answer: `${'a'.repeat(150)}\n${'z'.repeat(150)}` })
    addCall({ answer: 'one\u2028two\u0085three\u0000four' })
    const data = await logged('logs/t_process.log')
    const [, line = '', next = ''] = data.content.split('\n')
    expect(line).toContain(` | {"c":"${'p'.repeat(94)}... | ${'a'.repeat(100)}...${'z'.repeat(100)}`)
    expect(next).toContain('one\\u2028two\\u0085three\u0000four')
    expect(data.total_lines).toBe(3)
  })

  it('says of a call that has not ended that it started', async () => {
    addCall({ state: 'running' })
    expect((await logged('logs/t_process.log')).content).toContain(' - [START] echo\n')
  })

  it('leaves silent calls out', async () => {
    addCall({ args: '{"file_path":"x","silent":true}' })
    expect((await logged('logs/t_process.log')).content).toBe(CREATED)
  })

  it('is read without becoming a call itself', async () => {
    await read('logs/t_process.log')
    await bench.call('file_read_numbered', { file_path: 'logs/t_process.log' })
    expect(history()).toEqual([])
    expect(bench.session.accounting.outbox.hasUnacknowledged).toBe(false)
  })

  it.each([
    [{ start_line: 2, end_line: 2 }, '2-2'],
    [{ start_line: '2' }, '2-3'],
    [{ start_line: 50 }, '3-3'],
    [{ start_line: 0, end_line: 1 }, '1-1'],
    [{ start_line: 3, end_line: 1 }, '3-3'],
  ])('gives the lines asked for: %j', async (lines, line_range) => {
    addCall({})
    addCall({})
    const data = await logged('logs/t_process.log', lines)
    expect(data).toMatchObject({ line_range, total_lines: 3 })
  })

  it.each(['/logs/t_process.log', './logs/t_process.log', '/home/user/workspace/logs/t_process.log'])(
    'is found at %s too',
    async (path) => {
      expect((await read(path)).kind).toBe('done')
    },
  )

  it('of a task whose id has slashes is found', async () => {
    bench = open('/home/me/p')
    expect((await read('logs//home/me/p_process.log')).kind).toBe('done')
  })

  it('that was really written is read as any other file', async () => {
    await bench.write('logs/t_process.log', 'mine')
    expect((await logged('logs/t_process.log')).content).toBe('mine')
    expect(await downloaded('logs/t_process.log')).toBe('mine')
    expect(history().map(({ tool }) => tool)).toEqual(['file_read', 'file_write'])
  })

  it('of another task is not shown', async () => {
    expect(await read('logs/u_process.log')).toMatchObject({
      kind: 'failed',
      failure: { message: expect.stringMatching(/^File not found/) },
    })
  })

  it('is what other tools that read files show, and a download', async () => {
    addCall({ answer: 'needle' })
    const path = 'logs/t_process.log'
    const { content } = await logged(path)
    expect(await downloaded(path)).toBe(content)
    expect(dataOf(await bench.call('file_read_numbered', { file_path: path })).content).toContain('    1: 2026-11-20')
    expect(dataOf(await bench.call('file_search', { file_path: path, search_text: 'needle' }))).toMatchObject({
      total_matches: 1,
    })
  })

  it('keeps the newest calls when all of them are longer than one read returns', async () => {
    const answer = 'a'.repeat(4_000)
    for (let at = 0; at < 300; at++) addCall({ args: `{"at":${at}}`, answer })
    const { content, ...data } = await logged('logs/t_detail.log')
    expect(data).not.toHaveProperty('truncated')
    expect(content).toContain('{"at":299}')
    expect(content).not.toContain('{"at":0}')
  })
})

describe('the detail log', () => {
  it('says what each call was given and what it answered', async () => {
    addCall({ args: '{"a":1}', answer: 'two\nlines' })
    addCall({ state: 'refused', answer: 'Tool x not found' })
    const at = '2026-11-20 11:08:41,368 - task_t_detail -'
    expect((await logged('logs/t_detail.log')).content).toBe(
      `${at} INFO - Tool echo executed successfully in 0.123s
${at} DEBUG - Parameters: {"a":1}
${at} DEBUG - Result: two\\nlines
${at} ERROR - Tool echo failed after 0.123s: Tool x not found
${at} DEBUG - Parameters: {}
`,
    )
  })

  it('of a task without calls is empty', async () => {
    expect(await logged('logs/t_detail.log')).toMatchObject({ content: '', total_lines: 0, line_range: '1-0' })
  })
})
