import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claudeCode } from '../../support/claude-code.ts'
import { startMessagesApi, type Turn } from '../../support/messages-api.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { scratchDirectory } from '../../support/sandboxd.ts'
import type { StandIn } from '../../support/stand-in.ts'
import { newTenant } from '../../support/tenants.ts'

const toolyard = runningToolyard(async () => ({}))

/** Patience with a program that is large, and with what a conversation has to start: the machine may have other things to do. */
const PATIENCE_MS = 480_000
const PATIENT = { timeout: PATIENCE_MS }

const DRAW = `import struct, zlib
chunk = lambda name, data: struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
header, pixels = struct.pack('>IIBBBBB', 2, 1, 8, 0, 0, 0, 0), zlib.compress(bytes(3))
class Dot:
    def _repr_png_(self): return b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', header) + chunk(b'IDAT', pixels) + chunk(b'IEND', b'')
Dot()`
const FILE = 'notes/plan.md'
const URI = `toolyard://mcp/${FILE}`
const LASTS = 'echo begun; until [ -e go ]; do sleep 0.1; done; echo over'
const NEVER_ENDS = 'sleep 600'

/** Script in the place of the model: one conversation, which is interrupted in its last call. */
const TURNS = {
  search: { tool: 'ToolSearch', input: { query: 'select:mcp__toolyard__file_write,mcp__toolyard__execute_shell' } },
  write: { tool: 'mcp__toolyard__file_write', input: { file_path: FILE, content: 'by Claude Code' } },
  elsewhere: { tool: 'mcp__keyed__file_read', input: { file_path: FILE } },
  image: { tool: 'mcp__toolyard__call_tool', input: { name: 'notebook_execute', arguments: { code: DRAW } } },
  resource: { tool: 'ReadMcpResourceTool', input: { server: 'toolyard', uri: URI } },
  missing: { tool: 'ReadMcpResourceTool', input: { server: 'toolyard', uri: 'toolyard://mcp/none.md' } },
  long: { tool: 'mcp__toolyard__execute_shell', input: { command: LASTS } },
  endless: { tool: 'mcp__toolyard__execute_shell', input: { command: NEVER_ENDS } },
} satisfies Readonly<Record<string, Turn>>

let api: StandIn
let home: string
const running = new Set<ChildProcess>()
beforeAll(async () => {
  const turns = Object.values(TURNS)
  api = await startMessagesApi(({ turn, body }) =>
    (JSON.parse(body) as ModelRequest).tools?.length
      ? (turns[turn] ?? { text: 'done' })
      : { text: 'no tools, no turn' },
  )
  home = await scratchDirectory()
  await mkdir(`${home}/project`)
  for (const line of await lines()) expect(await start(line).ended).toMatchObject({ code: 0 })
}, PATIENCE_MS)
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await api?.stop()
  if (home) await rm(home, { recursive: true, force: true })
})

/** Environment of Claude Code: nothing of the one around it, and no way to the internet. */
const environment = () => ({
  ...{ PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: `${home}/.claude` },
  ...{ ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'key-of-the-stand-in' },
  ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
  ...{ DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1' },
  // Its own patience with a server is shorter than that of the tests, and by default it begins before a slow one is connected.
  ...{ MCP_CONNECTION_NONBLOCKING: 'false', MCP_TIMEOUT: '100000', MCP_CONNECT_TIMEOUT_MS: '100000' },
  ...{ HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' },
})

/** Starts Claude Code with a home of its own. */
function start(args: readonly string[]) {
  const child = spawn(claudeCode(), args, {
    cwd: `${home}/project`,
    env: environment() as unknown as NodeJS.ProcessEnv, // which is declared to have the bindings of the Worker
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  const ended = new Promise<{ code: number | null; printed: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code, printed })
    })
  })
  return { child, ended }
}

/** Words of the lines that users are given for a server without a key, with one, and with a wrong one. */
async function lines(): Promise<readonly (readonly string[])[]> {
  const { key } = await newTenant(toolyard())
  const { url } = toolyard()
  const keyed = (name: string, shown: string) =>
    lineIn('docs/dialects/mcp-clients.md', 'claude mcp add --transport http toolyard https://')
      .replace(' toolyard ', ` ${name} `)
      .replace('https://toolyard.example.com', url)
      .replace('<key>', shown)
  const bare = lineIn('README.md', 'claude mcp add ').replace('http://localhost:8001', url)
  return [bare, keyed('keyed', key), keyed('wrong', `${key}x`)].map((line) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].slice(1).map(([, quoted, plain]) => quoted ?? plain ?? ''),
  )
}

/** First line of a page that begins so. */
const lineIn = (page: string, beginning: string) =>
  readFileSync(page, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(beginning)) ?? ''

interface SessionCall {
  readonly state: string
  readonly answer: string
  readonly arguments: string
}

/** The newest call of the session that is the key's usual one. */
async function newestCall(): Promise<SessionCall | undefined> {
  const answer = await fetch(`${toolyard().url}/v1/sessions/mcp/calls?limit=1`)
  const { data } = (await answer.json()) as { data?: readonly SessionCall[] }
  return data?.[0]
}

/** Lets the long call end, by a call beside it in the same session. */
async function letGo(): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ tool: 'execute_shell', args: { command: 'touch go' } })
  const answer = await fetch(`${toolyard().url}/v1/sessions/mcp/calls`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
}

const isRunning = (command: string) => ({ state: 'running', arguments: JSON.stringify({ command }) })

/** What of a request to the model is looked at. */
interface ModelRequest {
  readonly tools?: readonly { readonly name: string; readonly input_schema: unknown }[]
  readonly messages: readonly { readonly content: string | readonly unknown[] }[]
}

it(
  'is connected by the line of the README, and by that with a key; a wrong key it shows with our reason',
  PATIENT,
  async () => {
    const { printed } = await start(['mcp', 'list']).ended
    expect(printed).toMatch(/^toolyard: \S+\/mcp \(HTTP\) - . Connected$/m)
    expect(printed).toMatch(/^keyed: \S+\/mcp \(HTTP\) - . Connected$/m)
    expect(printed).toMatch(/^wrong: .*Failed to connect.*this key is not valid: unknown, expired or revoked/m)
  },
)

const PROVEN = ['list', 'call', 'resource', 'error', 'image', 'cancel']

it('shows the model tools, results, errors, images and resources, waits for a long call, and cancels one that is interrupted', {
  meta: { verifies: PROVEN.map((what) => `mcp:clients:${what}`) },
  timeout: PATIENCE_MS,
}, async () => {
  const allowed = ['mcp__toolyard', 'mcp__keyed', 'ReadMcpResourceTool']
  const { child, ended } = start(['-p', 'go', '--allowedTools', ...allowed])
  const left = ended.then(({ printed }) => Promise.reject(new Error(`Claude Code has ended: ${printed}`)))
  left.catch(() => undefined)
  await Promise.race([left, expect.poll(newestCall, PATIENT).toMatchObject(isRunning(LASTS))])
  await letGo()
  await Promise.race([left, expect.poll(newestCall, PATIENT).toMatchObject(isRunning(NEVER_ENDS))])
  child.kill('SIGINT')
  await ended
  await expect
    .poll(newestCall, PATIENT)
    .toMatchObject({ state: 'failed', answer: expect.stringContaining('cancelled') })

  const requests = api.requests
    .filter(({ method, path }) => method === 'POST' && path.startsWith('/v1/messages'))
    .map(({ body }) => JSON.parse(body) as ModelRequest)
    .filter(({ tools = [] }) => tools.length > 0)
  const named = new Set(JSON.stringify(requests[0]?.messages).match(/mcp__toolyard__\w+/g))
  expect([...named]).toEqual(expect.arrayContaining(['mcp__toolyard__file_read', 'mcp__toolyard__search_tools']))
  expect(named.size).toBe(17)
  const shown = requests.at(-1)?.tools?.find(({ name }) => name === 'mcp__toolyard__execute_shell')
  expect(shown).toMatchObject({ input_schema: { type: 'object', properties: { command: { type: 'string' } } } })
  expect(resultsIn(requests.at(-1))).toEqual({
    search: expect.anything(),
    write: expect.stringContaining(`[Resource link: ${FILE}] ${URI}`),
    elsewhere: expect.stringMatching(`^error.*File not found: ${FILE}; dir_list shows what exists`),
    image: expect.stringMatching(/image\/png.*"data":"iVBORw0KGgo/),
    resource: expect.stringContaining('by Claude Code'),
    missing: expect.stringContaining('Resource not found: toolyard://mcp/none.md'),
    long: expect.stringMatching(/begun.*over.*exit code 0/),
  })
})

/** What the model was shown of each of its calls, as JSON, an error with that word before it. */
function resultsIn(request: ModelRequest | undefined): Readonly<Record<string, string>> {
  const results = request?.messages.flatMap(({ content }) => content).filter(isResult) ?? []
  const names = Object.keys(TURNS)
  return Object.fromEntries(
    results.map(({ is_error, content }, at) => [names[at], `${is_error ? 'error' : ''}${JSON.stringify(content)}`]),
  )
}

interface ToolResult {
  readonly type: 'tool_result'
  readonly is_error?: boolean
  readonly content: unknown
}
const isResult = (block: unknown): block is ToolResult => Object(block).type === 'tool_result'
