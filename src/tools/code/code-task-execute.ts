import * as z from 'zod'
import { type Failure, FailureError, fail } from '../../core/failure.ts'
import {
  CODE_TASK_MS,
  CODE_TASK_PATIENCE_SECONDS,
  MAX_CODE_TASK_PATIENCE_SECONDS,
  MAX_CODE_TASK_TURNS,
  MAX_PROMPT_CHARS,
  MAX_SYSTEM_PROMPT_CHARS,
} from '../../core/limits/jobs.ts'
import type { Pending, Result } from '../../core/outcome.ts'
import { field, operator, SESSION, say } from '../../core/saying/saying.ts'
import type { Ports } from '../../ports/index.ts'
import type { JobView, NewJob } from '../../ports/jobs.ts'
import type { Model } from '../../ports/model.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { flag, integer, optional, withDefault } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { allowedTools, toolNames } from './allowed-tools.ts'
import { type ClaudeRun, claudeReader } from './claude-stream.ts'

const NAME = 'code_task_execute'

/** Places of the program: its own directory, or where `npm install -g` puts it. Code of a task can change none of them. */
const PROGRAMS = ['/opt/claude/claude', '/usr/local/bin/claude', '/usr/bin/claude']

/**
 * Runs Claude Code on a task. Source: Tool Server, tools/code_tools, CodeTaskExecuteTool (claude-code-sdk, acceptEdits).
 * Unlike there, a long call is answered before its end and continued by its id; no key outlives its call; and settings in
 * the working directory do not count, since they could send the key elsewhere.
 */
export const codeTaskExecute = defineTool({
  name: NAME,
  description:
    'Have the coding agent Claude Code do a programming task in a directory of this task: it reads, writes and runs files ' +
    `there by itself, in the sandbox, for ${CODE_TASK_MS / 60_000} minutes at most. Returns what it says in the end and ` +
    'files_created. A call that is not done in time answers with status "pending" and a call_id; call again with that ' +
    'call_id alone to wait on, and with cancel=true to stop it.',
  effect: 'run',
  uses: ['workspace', 'locks', 'jobs', 'model', 'secrets', 'clock'],
  secretArgs: ['api_key'],
  job: claudeReader,
  input: z.object({
    prompt: optional(z.string()).describe(
      `What is to be done, at most ${MAX_PROMPT_CHARS} characters. Required, except with call_id`,
    ),
    workspace_dir: withDefault(z.string(), 'claude_workspace').describe(
      'Directory to work in, relative to the task root; made if absent. Default claude_workspace/',
    ),
    api_key: optional(z.string()).describe(
      "Anthropic API key. Default: your secret ANTHROPIC_API_KEY, else the server's own, if it has one",
    ),
    max_turns: withDefault(integer.pipe(z.int().min(1)), 10).describe(
      `Turns of the agent, at most ${MAX_CODE_TASK_TURNS}. Default 10`,
    ),
    allowed_tools: optional(toolNames).describe('What it may use without asking. Default Read,Write,Edit,Bash'),
    system_prompt: optional(z.string()).describe('Instructions that are added to those of Claude Code. Default: none'),
    call_id: optional(z.string()).describe('Of a pending answer: waits on for that work. Default: begins another'),
    cancel: withDefault(flag, false).describe('With call_id: stops that work. Files stay. Default false'),
    wait_seconds: withDefault(integer.pipe(z.int().min(0)), CODE_TASK_PATIENCE_SECONDS).describe(
      `Seconds that this call waits for the end, at most ${MAX_CODE_TASK_PATIENCE_SECONDS}. Default ${CODE_TASK_PATIENCE_SECONDS}`,
    ),
  }),

  async run(input, { ports: { jobs, clock, ...ports } }): Promise<Result | Pending> {
    const until = clock.now() + Math.min(input.wait_seconds, MAX_CODE_TASK_PATIENCE_SECONDS) * 1000
    if (input.call_id !== undefined && input.prompt) {
      fail(
        'invalid_input',
        say`give either ${field('call_id')}, to go on with work that runs, or ${field('prompt')}, to begin; not both`,
      )
    }
    if (input.call_id === undefined && input.cancel)
      fail('invalid_input', say`${field('cancel')} needs the ${field('call_id')} of what is to be stopped`)
    const id = input.call_id ?? (await jobs.begin(await newJob(input, ports)))
    if (input.cancel) await jobs.cancel(id)
    const view = await jobs.wait(id, until - clock.now())
    const stopped = input.cancel ? stoppedOnRequest(view) : null
    return stopped ?? answer(view, clock.now())
  },
})

type Input = z.output<typeof codeTaskExecute.input>

async function newJob(
  input: Input,
  { workspace, locks, model, secrets }: Pick<Ports, 'workspace' | 'locks' | 'model' | 'secrets'>,
): Promise<NewJob> {
  const { prompt, max_turns, system_prompt } = input
  if (!prompt?.trim())
    fail('invalid_input', say`${field('prompt')} is required; or ${field('call_id')}, to wait for work that runs`)
  if (prompt.length > MAX_PROMPT_CHARS) {
    fail(
      'limit_exceeded',
      say`the prompt has ${prompt.length} characters; at most ${MAX_PROMPT_CHARS} are taken (MAX_PROMPT_CHARS). Put it into a file of the ${SESSION}, and name that`,
    )
  }
  const directory = callerPath(workspace, input.workspace_dir)
  if (workspace.stat(directory)?.kind === 'file') fail('invalid_input', `Not a directory: ${input.workspace_dir}`)
  locks.requireFree(directory)
  if (max_turns > MAX_CODE_TASK_TURNS) {
    fail(
      'limit_exceeded',
      say`${field('max_turns')} is ${max_turns}; at most ${MAX_CODE_TASK_TURNS} are granted (MAX_CODE_TASK_TURNS)`,
    )
  }
  const key = await keyOf(input, secrets, model)
  const state: ClaudeRun = {
    directory,
    maxTurns: max_turns,
    timeoutMs: CODE_TASK_MS,
    key: key.from,
    messages: 0,
    sessionId: null,
    said: '',
    result: null,
  }
  return {
    programs: PROGRAMS,
    args: [
      ...FLAGS,
      `--max-turns=${max_turns}`,
      `--allowedTools=${allowedTools(input.allowed_tools).join(',')}`,
      ...systemPrompt(system_prompt),
    ],
    cwd: directory,
    stdin: prompt,
    env: { ...ENVIRONMENT, ...(model.baseUrl !== null && { ANTHROPIC_BASE_URL: model.baseUrl }) },
    secrets: { CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR: key.value },
    scratch: 'CLAUDE_CONFIG_DIR',
    timeoutMs: CODE_TASK_MS,
    state,
  }
}

/** Flags of the program. Values stand behind `=`, so that none is taken for an option. */
const FLAGS = [
  '-p',
  '--output-format=stream-json',
  '--verbose', // without it the stream is refused
  '--permission-mode=acceptEdits',
  '--no-session-persistence',
  // Settings and servers named by files of the directory could run commands at once, and send the key elsewhere.
  '--setting-sources=',
  '--strict-mcp-config',
]

const ENVIRONMENT = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  CLAUDE_CODE_MAX_RETRIES: '2', // a refused key is tried as often, for three minutes by default
}

/** The API key: the call's own, else the tenant's, else the operator's. */
async function keyOf(
  { api_key }: Input,
  secrets: Secrets,
  { apiKey }: Model,
): Promise<{ readonly value: string; readonly from: ClaudeRun['key'] }> {
  const given = api_key?.trim()
  if (given) return { value: sendable(given, 'api_key'), from: 'call' }
  const kept = await secrets(SECRET)
  if (kept) return { value: sendable(kept.trim(), `the secret ${SECRET}`), from: 'tenant' }
  if (apiKey) return { value: sendable(apiKey, `the server's ${SECRET}`), from: 'server' }
  return fail(
    'invalid_input',
    say`${field('api_key')} is required: give an Anthropic API key as ${field('api_key')}, or have one kept as your secret ${SECRET}${operator(` (PUT /v1/secrets/${SECRET}, or set ${SECRET} for the whole server)`)}`,
  )
}

const SECRET = 'ANTHROPIC_API_KEY'

/**
 * Checks a key. A key becomes a header, and is masked in all that is printed: other characters are escaped there, and a
 * very short one occurs in ordinary text.
 */
function sendable(key: string, what: string): string {
  if (/^[A-Za-z0-9_.:+/=~-]{8,500}$/.test(key)) return key
  return fail(
    'invalid_input',
    `${what} is no key: it has other characters than keys have, or fewer than 8; give it as it is`,
  )
}

function systemPrompt(given: string | undefined): string[] {
  if (!given) return []
  if (given.includes('\0')) fail('invalid_input', say`${field('system_prompt')} has a NUL character; remove it`)
  if (given.length > MAX_SYSTEM_PROMPT_CHARS) {
    fail(
      'limit_exceeded',
      say`${field('system_prompt')} has ${given.length} characters; at most ${MAX_SYSTEM_PROMPT_CHARS} are taken (MAX_SYSTEM_PROMPT_CHARS)`,
    )
  }
  return [`--append-system-prompt=${given}`]
}

/** Result of a job that was stopped on request: no failure to whoever requested it. Null for other ends. */
function stoppedOnRequest({ ended }: JobView): Result | null {
  if (!ended || !('failure' in ended) || ended.failure.data?.cancelled !== true) return null
  return { text: ended.failure.message, data: ended.failure.data }
}

/** Lines of progress in an answer: enough to see what the program does, and few tokens. */
const SHOWN_LINES = 10

const refused = (failure: Failure): never => {
  throw new FailureError(failure)
}

function answer({ id, startedAt, progress, ended }: JobView, now: number): Result | Pending {
  if (ended) return 'result' in ended ? ended.result : refused(ended.failure)
  const lines = progress.lines.slice(-SHOWN_LINES)
  const seconds = Math.round((now - startedAt) / 1000)
  const message = `Claude Code is at work for ${seconds} s; to wait for its result call ${NAME} with call_id="${id}" and nothing else; to stop it add cancel=true`
  const next = { call_id: id }
  return {
    soFar: {
      text: [message, ...lines.map((line) => `- ${line}`)].join('\n'),
      data: { call_id: id, message, progress: lines, progress_count: progress.count, elapsed_ms: now - startedAt },
    },
    next: { tool: NAME, args: next },
    retryAfterMs: 1_000,
  }
}
