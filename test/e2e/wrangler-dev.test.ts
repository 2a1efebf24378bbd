import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'

const ADMIN_TOKEN = 'admin-token-of-this-test'
/** What a clone has of all that the two commands use. */
const CLONED = ['src', 'scripts', 'migrations', 'package.json', 'tsconfig.json', 'wrangler.toml']

let clone: string
let url: string
const started: ChildProcess[] = []

beforeAll(async () => {
  // Below the checkout: packages are linked, which takes one filesystem.
  await mkdir('.wrangler', { recursive: true })
  clone = await mkdtemp(resolve('.wrangler/clone-'))
  await Promise.all(CLONED.map((name) => cp(name, join(clone, name), { recursive: true })))
  await promisify(execFile)('cp', ['--archive', '--link', 'node_modules', clone])
  await writeFile(join(clone, '.dev.vars'), `ADMIN_TOKEN=${ADMIN_TOKEN}`)
  const [host, reader, port] = [await freePort(), await freePort(), await freePort()]
  await run('npm', ['run', 'sandboxd'], /Ctrl-C stops this/, { SANDBOXD_PORT: `${host}`, READER_PORT: `${reader}` })
  await run('npx', ['wrangler', 'dev', '--port', `${port}`], /Ready on/)
  url = `http://localhost:${port}`
  await ask('/api/task/create?task_id=t&task_name=t')
})

afterAll(async () => {
  for (const child of started.reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = once(child, 'exit')
    process.kill(-(child.pid ?? Number.NaN), 'SIGTERM')
    await ended
  }
  await rm(clone, { recursive: true, maxRetries: 5 })
})

/** Runs a command in the clone until it has said that it serves. */
async function run(program: string, args: readonly string[], serves: RegExp, env: Record<string, string> = {}) {
  const { npm_lifecycle_event: _, TOOLYARD_STATE: __, ...environment } = process.env
  const child = spawn(program, args, {
    cwd: clone,
    env: { ...environment, WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  await vi.waitUntil(() => serves.test(output) || child.exitCode !== null, { timeout: 100_000, interval: 50 })
  expect(output).toMatch(serves)
}

async function ask(path: string, body?: object, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return answer.json()
}

const tool = (tool_name: string, params: object) => ask('/api/tool/execute', { task_id: 't', tool_name, params })

it('a clone runs commands and reads documents by `npx wrangler dev`, with `npm run sandboxd` beside it', async () => {
  const ran = await tool('execute_shell', { command: 'echo "<h1>From a sandbox</h1>" | tee page.html' })
  expect(ran).toMatchObject({ error: null, data: { exit_code: 0, stdout: '<h1>From a sandbox</h1>\n' } })
  const read = await tool('parse_document', { file_path: 'code_run/page.html' })
  expect(read).toMatchObject({ error: null, data: { content: '# From a sandbox' } })
})

it('keys can be made there: its tables are there, and so are the settings that its owner wrote into .dev.vars', async () => {
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` }
  expect(await ask('/admin/tenants', { id: 'acme', name: 'Acme' }, headers)).toMatchObject({ id: 'acme' })
  const made = (await ask('/admin/tenants/acme/keys', { name: 'agents' }, headers)) as { readonly key: string }
  const created = await ask('/api/task/create?task_id=t&task_name=t', undefined, { 'X-API-Key': made.key })
  expect(created).toMatchObject({ success: true })
  expect((await stat(join(clone, '.dev.vars'))).mode & 0o777).toBe(0o600)
  expect(await readFile(join(clone, '.dev.vars'), 'utf8')).toMatch(/^ADMIN_TOKEN=.*\n# Of "npm run sandboxd"/)
})
