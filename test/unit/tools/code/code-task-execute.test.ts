import { describe, expect, it } from 'vitest'
import { FailureError } from '../../../../src/core/failure.ts'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import type { JobEnd } from '../../../../src/ports/jobs.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { allowedTools } from '../../../../src/tools/code/allowed-tools.ts'
import { type ClaudeRun, claudeReader } from '../../../../src/tools/code/claude-stream.ts'
import { toolbench } from '../../../support/toolbench.ts'

const RUN: ClaudeRun = {
  directory: workspacePath('work'),
  maxTurns: 10,
  timeoutMs: 3_600_000,
  key: 'call',
  messages: 0,
  sessionId: null,
  said: '',
  result: null,
}
const END: JobEnd = { how: 'exited', exitCode: 0, stderr: '', durationMs: 1234, created: [] }
const RESULT = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'all done',
  num_turns: 3,
  duration_ms: 500,
  total_cost_usd: 0.25,
  session_id: 's1',
}

/** The state after these lines, and what was told of them. */
function read(...lines: unknown[]) {
  const progress: string[] = []
  let state = RUN
  for (const line of lines) {
    const read = claudeReader.line(state, typeof line === 'string' ? line : JSON.stringify(line))
    state = read.state
    if (read.progress !== undefined) progress.push(read.progress)
  }
  return { state, progress }
}

function failure(state: ClaudeRun, end: Partial<JobEnd> = {}): string {
  try {
    claudeReader.end(state, { ...END, ...end })
  } catch (thrown) {
    if (thrown instanceof FailureError) return thrown.message // as the log has it
  }
  throw new Error('it did not fail')
}

const assistant = (...content: object[]) => ({ type: 'assistant', session_id: 's1', message: { content } })

describe('the stream of Claude Code', () => {
  it('is told line by line: what it says, and which tool it uses on what', () => {
    const { progress, state } = read(
      { type: 'system', subtype: 'init', session_id: 's1' },
      assistant({ type: 'text', text: ' I begin.\n' }),
      assistant({ type: 'tool_use', name: 'Bash', input: { command: 'ls', description: 'look' } }),
      assistant(
        { type: 'text', text: 'and' },
        { type: 'tool_use', name: 'Write', input: { file_path: '/a', content: 'x' } },
      ),
      assistant({ type: 'tool_use', name: 'TodoWrite', input: { todos: [] } }),
      { type: 'user', message: { content: [{ type: 'tool_result', content: 'x' }] } },
      RESULT,
    )
    expect(progress).toEqual(['I begin.', 'Bash: ls', 'and; Write: /a', 'TodoWrite'])
    const created = ['work/a.py', 'work/b/c.py', 'elsewhere.py'].map(workspacePath)
    expect(claudeReader.end(state, { ...END, created }).data).toEqual({
      result: 'all done',
      session_id: 's1',
      files_created: ['a.py', 'b/c.py'],
      total_cost: 0.25,
      duration_ms: 500,
      workspace_path: '/home/user/workspace/work',
      message_count: 7,
      num_turns: 3,
    })
  })

  it('may have lines that nobody knows', () => {
    const strange = [
      '',
      'x',
      '[]',
      'null',
      '{"type":5}',
      '{"type":"assistant"}',
      '{"type":"assistant","message":{"content":"x"}}',
      '{"type":"result"}',
      '{"type":"rate_limit"}',
    ]
    const { state, progress } = read(...strange, RESULT)
    expect(progress).toEqual([])
    expect(claudeReader.end(state, END).data).toMatchObject({ result: 'all done' })
  })

  it('bounds what comes back', () => {
    const created = Array.from({ length: 700 }, (_, n) => workspacePath(`work/${n}`))
    const { data } = claudeReader.end(read({ ...RESULT, result: 'x'.repeat(200_000) }).state, { ...END, created })
    expect(String(data.result).length).toBeLessThan(70_000)
    expect(data.files_created).toHaveLength(500)
    expect(data).toMatchObject({ truncated: true, created_count: 700 })
  })
})

describe('work that failed', () => {
  it.each([
    [
      { how: 'missing', exitCode: null },
      /not installed.*npm install -g @anthropic-ai\/claude-code.*\/opt\/claude\/claude/,
    ],
    [{ how: 'failed', exitCode: null }, /could not be started/],
    [{ how: 'cancelled', exitCode: 0 }, /was cancelled; what it wrote is in \/home\/user\/workspace\/work/],
    [{ how: 'timeout', exitCode: 143 }, /stopped after 60 minutes \(CODE_TASK_MS\)/],
    [{ exitCode: 137 }, /out of memory/],
    [{ exitCode: 1, stderr: 'no such option' }, /exit code 1 and no result: no such option/],
    [{ exitCode: 0 }, /exit code 0 and no result: it said nothing/],
  ] as const)('without a result says why: %j', (end, message) => {
    expect(failure(RUN, end)).toMatch(message)
  })

  it.each([
    [{ subtype: 'error_max_turns', errors: ['Reached'] }, /stopped at max_turns = 10/],
    [{ api_error_status: 401 }, /refused the key \(401\); give a good one as api_key/],
    [{ api_error_status: 403 }, /refused the key \(403\)/],
    [{ api_error_status: 429 }, /\(429\); try again later/],
    [{ api_error_status: 500, result: 'API Error: 500' }, /Claude Code failed: API Error: 500/],
    [{ result: 'Not logged in' }, /did not take the key/],
    [{ result: undefined, subtype: 'error_during_execution' }, /Claude Code failed: error_during_execution/],
  ])('with a result that is an error says why: %j', (more, message) => {
    const { state } = read({ ...RESULT, is_error: true, ...more })
    expect(failure(state, { exitCode: 1 })).toMatch(message)
  })

  it('is told also when the program ended as if all was well', () => {
    expect(failure(read({ ...RESULT, is_error: true, api_error_status: 401 }).state)).toMatch(/refused the key/)
    expect(failure(read(RESULT).state, { exitCode: 1 })).toMatch(/failed/)
  })
})

describe('allowed_tools', () => {
  it.each([
    [undefined, ['Read', 'Write', 'Edit', 'Bash']],
    ['', ['Read', 'Write', 'Edit', 'Bash']],
    [[], ['Read', 'Write', 'Edit', 'Bash']],
    ['Read, Bash(git log:*, git diff:*) ,mcp__x__y', ['Read', 'Bash(git log:*, git diff:*)', 'mcp__x__y']],
    [
      ['Read', 'WebFetch(domain:example.com)'],
      ['Read', 'WebFetch(domain:example.com)'],
    ],
  ])('%j are %j', (given, names) => {
    expect(allowedTools(given)).toEqual(names)
  })

  it.each(['-p', '--mcp-config=x', 'Read Write', 'Bash(', 'Bash(a)b', 'Read\n-p', '(', 'Bash(a\u0000)'])(
    '%j is refused',
    (given) => {
      expect(() => allowedTools([given])).toThrow(/is no tool/)
    },
  )
})

it('a call without a key says what to give or to set', async () => {
  const { failure: refused } = toolbench(catalog)
  expect(await refused('code_task_execute', { prompt: 'x' })).toEqual({
    code: 'invalid_input',
    message:
      'api_key is required: give an Anthropic API key as api_key, or have one kept as your secret ANTHROPIC_API_KEY (PUT /v1/secrets/ANTHROPIC_API_KEY, or set ANTHROPIC_API_KEY for the whole server)',
  })
})
