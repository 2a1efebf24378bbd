/**
 * Runs the whole of Toolyard on this machine: the sandbox host and the Worker (in workerd, by wrangler), with their
 * state in `.toolyard/`. Stops both on Ctrl-C or SIGTERM, and when either ends.
 *
 * PORT (8001), TOOLYARD_STATE (.toolyard), OPEN_TENANT ("dev"; empty: every request needs a key), ISOLATION,
 * SANDBOXD_* (see docs/sandboxd.md), PIP_INDEX_URL (a mirror for pip in sandboxes).
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const state = resolve(process.env.TOOLYARD_STATE ?? join(home, '.toolyard'))
const port = Number(process.env.PORT ?? 8001)
const wrangler = join(home, 'node_modules/wrangler/wrangler-dist/cli.js')

/** Quiet, offline, and without the development pages that wrangler would open on the same port. */
const WRANGLER_ENV = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_WRITE_LOGS: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
  X_LOCAL_EXPLORER: 'false',
}

const children = new Map()
let stopping = false

if (Number(process.versions.node.split('.')[0]) < 22) {
  fail(`wrangler needs Node 22 or newer and this is ${process.version}; run it by "npm start", which brings its own`)
}
if (!(await isFree(port)))
  fail(`port ${port} is in use; end what uses it, or choose another: PORT=${port + 1} npm start`)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0))

mkdirSync(state, { recursive: true, mode: 0o700 })
const adminToken = readAdminToken()
migrate()
const sandboxes = await startSandboxes()
startWorker(sandboxes.port)
await healthy()
announce()

function readAdminToken() {
  const file = join(state, 'admin-token')
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

/** Tables for keys. wrangler takes two seconds to find that nothing is to be done, so that is remembered. */
function migrate() {
  const directory = join(home, 'migrations')
  const hash = createHash('sha256')
  for (const name of readdirSync(directory).sort()) hash.update(name).update(readFileSync(join(directory, name)))
  const done = join(state, 'migrated')
  const digest = hash.digest('hex')
  if (existsSync(done) && readFileSync(done, 'utf8') === digest) return
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [wrangler, 'd1', 'migrations', 'apply', 'DB', '--local', '--persist-to', join(state, 'worker')],
    { cwd: home, env: { ...process.env, ...WRANGLER_ENV, CI: 'true' }, encoding: 'utf8' },
  )
  if (status !== 0) fail(`the key tables could not be made:\n${stderr || stdout}`)
  writeFileSync(done, digest)
}

async function startSandboxes() {
  const wanted = Number(process.env.SANDBOXD_PORT ?? 49_900)
  const child = start('sandbox host', [
    join(home, 'src/sandboxd/main.ts'),
    '--port',
    String((await isFree(wanted)) ? wanted : 0),
    '--state',
    join(state, 'sandboxes'),
  ])
  const lines = createInterface({ input: child.stdout })
  for await (const line of lines) {
    if (!line.startsWith('{')) continue
    const ready = JSON.parse(line)
    if (ready.ready) {
      child.stdout.resume()
      return ready
    }
  }
  return stop(1, 'the sandbox host did not start; what it said is above')
}

function startWorker(sandboxPort) {
  const secrets = join(state, 'worker.env')
  const url = `http://127.0.0.1:${sandboxPort}`
  const vars = {
    ADMIN_TOKEN: adminToken,
    OPEN_TENANT: process.env.OPEN_TENANT ?? 'dev',
    E2B_API_URL: url,
    E2B_SANDBOX_URL: url,
    ...(process.env.PIP_INDEX_URL && { PIP_INDEX_URL: process.env.PIP_INDEX_URL }),
  }
  // A file rather than `--var`: arguments can be read by every user of the machine.
  writeFileSync(
    secrets,
    Object.entries(vars)
      .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
      .join(''),
    { mode: 0o600 },
  )
  start('worker', [
    wrangler,
    'dev',
    ...['--port', String(port), '--inspector-port', '0', '--log-level', 'warn', '--show-interactive-dev-session=false'],
    ...['--persist-to', join(state, 'worker'), '--env-file', secrets],
  ]).stdout.pipe(process.stdout)
}

function start(name, args) {
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: { ...process.env, ...WRANGLER_ENV },
    stdio: ['ignore', 'pipe', 'inherit'],
    // An own group: a Ctrl-C in the terminal reaches this script alone, which then stops them in order.
    detached: true,
  })
  children.set(name, child)
  child.on('exit', (code, signal) => {
    children.delete(name)
    if (!stopping) void stop(1, `the ${name} ended (${signal ?? code}); stopping`)
  })
  return child
}

async function healthy() {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null)
    if (answer?.ok) return
    await new Promise((wait) => setTimeout(wait, 100))
  }
  await stop(1, 'the worker did not answer within a minute; what it said is above')
}

function announce() {
  const open = process.env.OPEN_TENANT ?? 'dev'
  console.log(`
Toolyard is running.
  API        http://localhost:${port}
  sandboxes  ${sandboxes.isolation === 'none' ? 'NOT ISOLATED (ISOLATION=none)' : 'isolated by bubblewrap'}${sandboxes.network === false ? ', without network' : ''}
  key        ${open ? `none needed here: requests without one belong to the tenant "${open}"` : 'needed; the admin API makes them'}
  admin      the token for /admin is in ${join(state, 'admin-token')}
  state      ${state} (kept when this stops)

Try it:
  curl -X POST "http://localhost:${port}/api/task/create?task_id=my_task&task_name=My_Task"

Ctrl-C stops it.`)
}

/** Worker first, so that no call loses its sandbox while it is being answered. */
async function stop(code, message) {
  if (stopping) return
  stopping = true
  if (message) console.error(`Toolyard: ${message}`)
  for (const name of ['worker', 'sandbox host']) {
    const child = children.get(name)
    if (!child) continue
    const gone = new Promise((ended) => child.once('exit', ended))
    child.kill('SIGTERM')
    const killer = setTimeout(() => killGroup(child.pid), 10_000)
    await gone
    clearTimeout(killer)
    killGroup(child.pid)
  }
  process.exit(code)
}

/** What a child left of its own children, wrangler's workerd above all. */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // nobody is left
  }
}

function isFree(wanted) {
  return new Promise((answer) => {
    const probe = createServer()
    probe.once('error', () => answer(false))
    probe.listen(wanted, '127.0.0.1', () => probe.close(() => answer(true)))
  })
}

function fail(message) {
  console.error(`Toolyard: ${message}`)
  process.exit(1)
}
