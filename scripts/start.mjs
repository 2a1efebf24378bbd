/**
 * Runs the whole of Toolyard on this machine: the sandbox host and the Worker (in workerd, by wrangler), with their
 * state in `.toolyard/`. Stops both on Ctrl-C or SIGTERM, and when either ends. However it ends itself, nothing stays
 * behind: see `guard` and `followNpm`. A worker that crashes and does not come back is started again: see `recover`.
 *
 * PORT (8001), TOOLYARD_STATE (.toolyard), OPEN_TENANT ("dev"; empty: every request needs a key), PIP_INDEX_URL (a mirror
 * for pip in sandboxes), ISOLATION and SANDBOXD_* (docs/sandboxd.md), SANDBOXES_* and SANDBOX_* (docs/sandboxes.md). Further bindings for the Worker: .dev.vars.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const state = resolve(process.env.TOOLYARD_STATE || join(home, '.toolyard'))
const port = Number(process.env.PORT || 8001)
const openTenant = process.env.OPEN_TENANT ?? 'dev'
const wrangler = join(home, 'node_modules/wrangler/wrangler-dist/cli.js')
const temporary = join(state, 'worker-temporary')

const { CLOUDFLARE_ENV: _, ...environment } = process.env
/** Quiet, offline, of the top level of wrangler.toml, and without the pages that wrangler would open on the same port. */
const WRANGLER_ENV = {
  ...environment,
  TMPDIR: temporary,
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_WRITE_LOGS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'true',
  CLOUDFLARE_INCLUDE_PROCESS_ENV: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
  X_LOCAL_EXPLORER: 'false',
}

const STOP_MS = 10_000
const HEALTHY_MS = 60_000
const STARTER_PAPERS_MS = 30_000
const LOCK_MS = 5_000
/** How long wrangler may take to bring a crashed worker back by itself: it takes a second. */
const RECOVERY_MS = 10_000
/** For one answer of /health. */
const ANSWER_MS = 3_000
/** A worker that has to be started again more often within that time is not kept alive. */
const MAX_RESTARTS = 3
const RESTARTS_WITHIN_MS = 10 * 60_000

const children = new Map()
let stopping = false
let recovering = false
/** When the worker was started again. */
const restarts = []

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0))
// Who read our output may have gone (`npm start | head`); the server goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
followNpm()

try {
  checkMachine()
  prepareState()
  await lockState()
  await checkPort()
  const adminToken = ownSecret('admin-token')
  makeTables()
  const sandboxes = await startSandboxes()
  startWorker(adminToken, sandboxes)
  await healthy()
  if (!stopping) await putStarterPapers(adminToken)
  if (!stopping) announce(sandboxes.isolation)
} catch (error) {
  await stop(1, error.message)
}

function checkMachine() {
  if (Number(process.versions.node.split('.')[0]) < 22) {
    throw new Error(
      `wrangler needs Node 22 or newer and this is ${process.version}; "npm start" brings its own, after "npm ci"`,
    )
  }
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT is a number from 1 to 65535, not "${process.env.PORT}"`)
  }
}

/** What is in here is for this user alone, secrets above all. Run by root, sandboxes have users of their own, which pass through. */
function prepareState() {
  mkdirSync(state, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  mkdirSync(join(state, 'worker'), { recursive: true, mode: 0o700 })
  rmSync(temporary, { recursive: true, force: true })
  mkdirSync(temporary, { mode: 0o700 })
}

/** A name in the kernel's abstract socket space, which is free again the moment its holder ends, however it ends. */
async function lockState() {
  if (process.platform !== 'linux') return
  const name = `\0toolyard-${createHash('sha256').update(state).digest('hex')}`
  const deadline = Date.now() + LOCK_MS
  for (let waited = false; (await listenError(createServer().unref(), name)) !== null; waited = true) {
    if (!waited) console.error(`Toolyard: another one uses ${state}; waiting a moment for it to end`)
    if (Date.now() > deadline) {
      throw new Error(
        `another one runs with the state in ${state}; stop it, or give this one its own: TOOLYARD_STATE=… PORT=… npm start`,
      )
    }
    await new Promise((wait) => setTimeout(wait, 100))
  }
}

/** On both loopback addresses: with another server on ::1, "localhost" would reach that one. */
async function checkPort() {
  for (const host of ['127.0.0.1', '::1']) {
    const code = await freePortError(port, host)
    if (code === 'EADDRINUSE') {
      throw new Error(`port ${port} is in use; end what uses it, or choose another: PORT=${port + 1} npm start`)
    }
    if (code === 'EACCES')
      throw new Error(`this user may not listen on port ${port}; choose another: PORT=8001 npm start`)
  }
}

async function freePortError(wanted, host) {
  const server = createServer()
  const code = await listenError(server, { port: wanted, host })
  if (code === null) await new Promise((closed) => server.close(closed))
  return code
}

/** Why a server cannot listen there; null when it does. */
function listenError(server, where) {
  return new Promise((answer) => {
    server.once('error', (error) => answer(error.code))
    server.listen(where, () => answer(null))
  })
}

/** One that this server made for itself at its first start. */
function ownSecret(name) {
  const file = join(state, name)
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

/** Tables for keys. wrangler takes two seconds to find that nothing is to be done, so that is remembered. */
function makeTables() {
  const directory = join(home, 'migrations')
  const hash = createHash('sha256')
  for (const name of readdirSync(directory).sort()) hash.update(name).update(readFileSync(join(directory, name)))
  const done = join(state, 'migrated')
  const digest = hash.digest('hex')
  if (existsSync(done) && readFileSync(done, 'utf8') === digest) return
  console.log('Toolyard: making the tables for keys …')
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [wrangler, 'd1', 'migrations', 'apply', 'DB', '--local', '--persist-to', join(state, 'worker')],
    { cwd: home, env: { ...WRANGLER_ENV, CI: 'true' }, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`the tables for keys could not be made:\n${stderr || stdout}`)
  writeFileSync(done, digest, { mode: 0o600 })
}

/** @returns what the sandbox host says when it is ready: its port, and how it isolates */
async function startSandboxes() {
  console.log('Toolyard: starting the sandbox host and the worker …')
  const wanted = Number(process.env.SANDBOXD_PORT || 49_900)
  const free = (await freePortError(wanted, '127.0.0.1')) === null
  const child = start('sandbox host', process.env, [
    join(home, 'src/sandboxd/main.ts'),
    ...['--port', String(free ? wanted : 0), '--state', join(state, 'sandboxes')],
  ])
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = line.startsWith('{') ? JSON.parse(line) : {}
    if (ready.ready) {
      child.stdout.resume()
      return ready
    }
  }
  throw new Error('the sandbox host did not start; what it said is above')
}

function startWorker(adminToken, sandboxes) {
  const url = `http://127.0.0.1:${sandboxes.port}`
  const bindings = {
    ADMIN_TOKEN: adminToken,
    SECRETS_KEY: ownSecret('secrets-key'),
    OPEN_TENANT: openTenant,
    E2B_API_URL: url,
    E2B_SANDBOX_URL: url,
    ...sandboxLimits(sandboxes.isolation),
    ...(process.env.PIP_INDEX_URL && { PIP_INDEX_URL: process.env.PIP_INDEX_URL }),
  }
  // A file rather than `--var`: arguments can be read by every user of the machine. `$` would name another variable.
  const lines = Object.entries(bindings).map(([name, value]) => `${name}='${value.replaceAll('$', '\\$')}'\n`)
  const file = join(state, 'worker.env')
  writeFileSync(file, lines.join(''), { mode: 0o600 })
  const child = start('worker', WRANGLER_ENV, [
    // After `--`, --env-file is no option of Node's, which would refuse a file that is not there.
    ...['--', wrangler, 'dev', '--port', String(port), '--inspector-port', '0'],
    ...['--log-level', 'warn', '--show-interactive-dev-session=false', '--persist-to', join(state, 'worker')],
    // The later one wins.
    ...['--env-file', join(home, '.dev.vars'), '--env-file', file],
  ])
  child.stdout.pipe(process.stdout)
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('crashed unexpectedly')) void recover(() => startWorker(adminToken, sandboxes))
  })
}

/** The Worker leases as many sandboxes as the host takes. Without isolation a pause would end what runs in one: it waits longer then. */
function sandboxLimits(isolation) {
  const limits = {
    SANDBOXES_MAX: process.env.SANDBOXD_MAX_RUNNING,
    SANDBOX_QUIET_SECONDS: isolation === 'none' ? '600' : undefined,
  }
  for (const name of ['SANDBOXES_MAX', 'SANDBOXES_PER_TENANT', 'SANDBOX_QUIET_SECONDS', 'SANDBOX_WAIT_SECONDS']) {
    if (process.env[name]) limits[name] = process.env[name]
  }
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value))
}

/**
 * wrangler restarts what crashed, but where that was the process that listens on the port, it answers nobody from then
 * on. Sandboxes know nothing of it, and what was under way there goes on.
 */
async function recover(startAgain) {
  if (recovering || stopping) return
  recovering = true
  try {
    if (await answersWithin(RECOVERY_MS)) return
    const now = Date.now()
    while (restarts.length > 0 && restarts[0] < now - RESTARTS_WITHIN_MS) restarts.shift()
    if (restarts.length >= MAX_RESTARTS) {
      throw new Error(`the worker crashed and was started again ${MAX_RESTARTS} times in ten minutes; stopping`)
    }
    if (stopping) return
    restarts.push(now)
    console.error('Toolyard: the worker crashed and does not answer; starting it again, sandboxes stay')
    const crashed = children.get('worker')
    crashed.replaced = true
    await end(crashed)
    if (stopping) return
    startAgain()
    await healthy()
  } catch (error) {
    await stop(1, error.message)
  } finally {
    recovering = false
  }
}

async function answersWithin(ms) {
  const deadline = Date.now() + ms
  while (Date.now() < deadline && !stopping) {
    if ((await health())?.ok) return true
    await new Promise((wait) => setTimeout(wait, 500))
  }
  return stopping
}

/** @returns null when there is no answer */
function health() {
  return fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => null)
}

function start(name, env, args) {
  const child = spawn(process.execPath, args, {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own: a Ctrl-C in the terminal reaches this script alone, which then stops them in order.
    detached: true,
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const running = { child, ended, guard: guard(child.pid), replaced: false }
  children.set(name, running)
  child.on('exit', (code, signal) => {
    if (!running.replaced) void stop(1, `the ${name} ended (${signal ?? code}); stopping`)
  })
  return child
}

/** Kills a child's group when this script is gone and could not, as after `kill -9`: the pipe is closed then. */
function guard(pid) {
  const script = 'cat > /dev/null; kill -s KILL -- "-$0"'
  return spawn('sh', ['-c', script, String(pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
}

/** npm passes signals on, but for `kill -9`. Who runs this script by another way than npm may leave it alone. */
function followNpm() {
  const npm = process.ppid
  if (process.env.npm_lifecycle_event !== 'start') return
  setInterval(() => {
    if (process.ppid !== npm) void stop(1, 'npm is gone; stopping')
  }, 500).unref()
}

async function healthy() {
  const deadline = Date.now() + HEALTHY_MS
  while (Date.now() < deadline && !stopping) {
    const answer = await health()
    if (answer?.ok) return
    if (answer?.status === 500) throw new Error('the worker refuses its settings; its own line says why')
    await new Promise((wait) => setTimeout(wait, 100))
  }
  throw new Error('the worker did not answer within a minute; what it said is above')
}

/** Once for each content of the file: what the owner removes of it stays removed. The server runs without them too. */
async function putStarterPapers(adminToken) {
  const text = readFileSync(join(home, 'corpus/starter.jsonl'), 'utf8')
  const done = join(state, 'starter-papers')
  const digest = createHash('sha256').update(text).digest('hex')
  if (existsSync(done) && readFileSync(done, 'utf8') === digest) return
  const papers = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  console.log(`Toolyard: putting ${papers.length} papers into the library …`)
  const answer = await fetch(`http://127.0.0.1:${port}/v1/papers?corpus=public`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ papers }),
    signal: AbortSignal.timeout(STARTER_PAPERS_MS),
  }).catch(() => null)
  if (answer?.ok) writeFileSync(done, digest, { mode: 0o600 })
  // 409: the papers are those of another service.
  else if (answer?.status !== 409) console.error('Toolyard: the papers could not be put in; the next start tries again')
}

function announce(isolation) {
  const header = openTenant ? '' : ` -H "Authorization: Bearer $KEY"`
  console.log(`
Toolyard is running.
  API        http://localhost:${port}
  sandboxes  ${isolation === 'none' ? 'NOT ISOLATED (ISOLATION=none)' : 'isolated by bubblewrap'}
  key        ${openTenant ? `none needed here: requests without one belong to the tenant "${openTenant}"` : 'needed; the admin API makes them'}
  admin      the token for /admin is in ${join(state, 'admin-token')}
  state      ${state} (kept when this stops)

Try it:
  curl -X POST${header} "http://localhost:${port}/api/task/create?task_id=my_task&task_name=My_Task"

Ctrl-C stops it.`)
}

/** Worker first, so that no call loses its sandbox while it is being answered. */
async function stop(code, message) {
  if (stopping) return
  stopping = true
  if (message) console.error(`Toolyard: ${message}`)
  for (const name of ['worker', 'sandbox host']) {
    const running = children.get(name)
    if (running) await end(running)
  }
  rmSync(temporary, { recursive: true, force: true })
  process.exit(code)
}

async function end({ child, ended, guard }) {
  child.kill('SIGTERM')
  const impatience = setTimeout(() => killGroup(child.pid), STOP_MS)
  await ended
  clearTimeout(impatience)
  killGroup(child.pid)
  guard.kill('SIGKILL')
}

/** What a child left of its own children, wrangler's workerd above all. */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // nobody is left
  }
}
