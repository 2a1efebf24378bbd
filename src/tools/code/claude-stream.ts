import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_CREATED_FILES } from '../../core/limits/jobs.ts'
import { MAX_OUTPUT_BYTES } from '../../core/limits/sandbox.ts'
import { redact } from '../../core/redact.ts'
import { field, operator, type Saying, say } from '../../core/saying/saying.ts'
import { absolutePath, isWithin, type WorkspacePath } from '../../core/workspace-path.ts'
import type { JobEnd, JobReader } from '../../ports/jobs.ts'

/** State of one run of Claude Code between two lines of its output. */
export interface ClaudeRun {
  readonly directory: WorkspacePath
  readonly maxTurns: number
  readonly timeoutMs: number
  /** Owner of the API key: decides what advice a refused key gets. */
  readonly key: 'call' | 'tenant' | 'server'
  readonly messages: number
  readonly sessionId: string | null
  /** The last text that Claude wrote. Running jobs are stored with this name. */
  readonly said: string
  readonly result: z.output<typeof FinalResult> | null
}

const Block = z.object({
  type: z.string(),
  text: z.string().optional(),
  name: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional(),
})
const Message = z.object({ message: z.object({ content: z.array(Block) }) })
const Event = z.object({ type: z.string(), session_id: z.string().optional() })
/** The last line of a run. Its texts are cut as they are read, since they are kept in one row of SQLite until the end. */
const FinalResult = z.object({
  subtype: z.string().transform((text) => text.slice(0, 100)),
  is_error: z.boolean(),
  result: z
    .string()
    .transform((text) => capped(text))
    .optional(),
  errors: z
    .array(z.string().transform((text) => text.slice(0, 500)))
    .transform((errors) => errors.slice(0, 20))
    .optional(),
  num_turns: z.int(),
  duration_ms: z.number(),
  total_cost_usd: z.number(),
  api_error_status: z.int().nullish(),
})

const MESSAGES = ['system', 'assistant', 'user', 'result']

/**
 * Reads `claude -p --output-format stream-json`: `system`, `assistant`, `user` (results of tools), and `result` at the end.
 * Lines that are not understood are skipped: the installed program may be another version.
 */
export const claudeReader: JobReader<ClaudeRun> = {
  line(run, line) {
    const value = parseLine(line)
    const event = Event.safeParse(value)
    if (!event.success || !MESSAGES.includes(event.data.type)) return { state: run }
    const state = {
      ...run,
      messages: run.messages + 1,
      sessionId: event.data.session_id?.slice(0, 100) ?? run.sessionId,
    }
    if (event.data.type === 'result') {
      const result = FinalResult.safeParse(value)
      return { state: { ...state, result: result.success ? result.data : run.result } }
    }
    const message = event.data.type === 'assistant' ? Message.safeParse(value) : null
    if (!message?.success) return { state }
    const blocks = message.data.message.content
    const said = blocks.flatMap(({ text }) => text?.trim() || []).join('\n')
    const progress = blocks.flatMap(progressOf).join('; ')
    return { state: { ...state, said: capped(said) || run.said }, ...(progress && { progress }) }
  },

  end(run, end) {
    const data = dataOf(run, end)
    const { result } = run
    if (end.how !== 'exited' || end.exitCode !== 0 || !result || result.is_error) refuse(run, end, data)
    const files = data.files_created.length
    const cost = result.total_cost_usd.toFixed(4)
    return {
      text: `${data.result}\n\n${files} new files in ${data.workspace_path}; ${result.num_turns} turns, ${cost} USD`,
      data,
    }
  },
}

/** Arguments that name what a tool works on, for progress lines. */
const SUBJECTS = ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'description']

function progressOf({ type, text, name, input }: z.output<typeof Block>): string[] {
  if (type === 'text' && text?.trim()) return [text.trim()]
  if (type !== 'tool_use' || !name) return []
  const subject = SUBJECTS.map((key) => input?.[key]).find((value) => typeof value === 'string')
  return [subject === undefined ? name : `${name}: ${subject}`]
}

function dataOf(run: ClaudeRun, { created, durationMs }: JobEnd) {
  const { directory, result, sessionId, messages, said } = run
  const inside = (created ?? []).filter((path) => isWithin(path, directory))
  const names = inside.map((path) => (directory === '' ? path : path.slice(directory.length + 1)))
  return {
    result: redact(result?.result ?? said),
    session_id: sessionId,
    files_created: names.slice(0, MAX_CREATED_FILES),
    total_cost: result?.total_cost_usd ?? 0,
    duration_ms: Math.round(result?.duration_ms ?? durationMs),
    workspace_path: absolutePath(directory),
    message_count: messages,
    num_turns: result?.num_turns ?? 0,
    ...(names.length > MAX_CREATED_FILES && { truncated: true, created_count: names.length }),
  }
}

type Data = ReturnType<typeof dataOf>

/**
 * Fails with the reason why the run is no success. By the program's contract a success has exit code 0 and a result that is
 * no error.
 */
function refuse(run: ClaudeRun, end: JobEnd, data: Data): never {
  const kept = `what it wrote is in ${data.workspace_path}`
  switch (end.how) {
    case 'missing':
      return fail('upstream', say`Claude Code is not available here; do the work with other tools${INSTALL}`)
    case 'failed':
      return fail('upstream', 'Claude Code could not be started in the sandbox; its disk or its memory may be full')
    case 'cancelled':
      return fail('conflict', `Claude Code was cancelled; ${kept}`, { data: { cancelled: true, ...data } })
    case 'timeout': {
      const minutes = Math.round(run.timeoutMs / 60_000)
      return fail(
        'timeout',
        `Claude Code was stopped after ${minutes} minutes (CODE_TASK_MS); ${kept}. Give it a smaller task`,
        { data },
      )
    }
    default:
      return refuseResult(run, end, data, kept)
  }
}

const INSTALL = operator(
  '. It is not installed where sandboxes run: run "node scripts/setup.mjs --with claude" there (npm install -g @anthropic-ai/claude-code), or put the program at /opt/claude/claude; the E2B template has it',
)

/** Advice about a refused key, by the key's owner. */
const ANOTHER_KEY: Readonly<Record<ClaudeRun['key'], Saying>> = {
  call: say`give a good one as ${field('api_key')}`,
  tenant: say`put a good one in the place of your secret ANTHROPIC_API_KEY, or give one as ${field('api_key')}`,
  server: say`give your own as ${field('api_key')}${operator('. The server has it from ANTHROPIC_API_KEY: set another')}`,
}

function refuseResult({ result, maxTurns, key }: ClaudeRun, end: JobEnd, data: Data, kept: string): never {
  const whose = ANOTHER_KEY[key]
  const words = redact(result?.errors?.join('; ') || result?.result || end.stderr.trim()).slice(0, 500)
  if (!result) {
    if (end.exitCode === 137) {
      return fail(
        'upstream',
        `Claude Code was killed, most likely because the sandbox ran out of memory; ${kept}. Give it a smaller task`,
        { data },
      )
    }
    return fail(
      'upstream',
      `Claude Code ended with exit code ${end.exitCode} and no result: ${words || 'it said nothing'}; ${kept}`,
      { data },
    )
  }
  if (result.subtype === 'error_max_turns') {
    return fail(
      'limit_exceeded',
      say`Claude Code stopped at ${field('max_turns')} = ${maxTurns} before it was done; ${kept}. Call again with a larger ${field('max_turns')}, and say in the prompt that work has begun there`,
      { data },
    )
  }
  switch (result.api_error_status) {
    case 401:
    case 403:
      return fail('invalid_input', say`the model's API refused the key (${result.api_error_status}); ${whose}`, {
        data,
      })
    case 429:
    case 529:
      return fail(
        'limit_exceeded',
        `the model's API is overloaded or the key's limit is reached (${result.api_error_status}); try again later; ${kept}`,
        { data },
      )
  }
  if (/not logged in|invalid api key/i.test(words))
    return fail('invalid_input', say`Claude Code did not take the key; ${whose}`, { data })
  return fail('upstream', `Claude Code failed: ${words || result.subtype}; ${kept}`, { data })
}

const capped = (text: string) =>
  text.length > MAX_OUTPUT_BYTES
    ? `${text.slice(0, MAX_OUTPUT_BYTES)}\n[… ${text.length - MAX_OUTPUT_BYTES} more characters]`
    : text

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null // not a message
  }
}
