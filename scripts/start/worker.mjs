import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { DISK_RESERVE_BYTES } from '../../src/core/limits/disk.ts'
import { printRedacted } from './redacted.ts'
import { home, port, workerState } from './settings.mjs'
import { answers, SILENCE_MS } from './watch.ts'
import { workerBundle } from './worker-bundle.mjs'

const HEALTHY_MS = 60_000
/** Time that an ending worker has for answers under way. Streams and calls that wait for a person have no end of their own. */
const STOP_MS = 2_000
/** Interval between health checks. */
const LOOK_MS = 1_000
/** Restarts at once, within RESTARTS_WITHIN_MS; each further one waits for REST_MS first. */
const MAX_RESTARTS = 3
const RESTARTS_WITHIN_MS = 10 * 60_000
const REST_MS = 30_000

/** Storage services of the Worker, each a directory below `v3` as wrangler lays it out. */
const STORAGE = ['do', 'r2', 'd1', 'reserve']

/** The Worker in workerd, as a child process that is started again when it ends or hangs. */
export class Worker {
  #children
  #onFailure
  #command
  /** Whether any run has answered: before that, a run that ends is not started again. */
  #hasServed = false
  #stopped = false
  /** Number of the current run. A restart in preparation counts as one. */
  #run = 0
  #restarts = []

  /**
   * @param children where it runs, under the name "worker"
   * @param onFailure called with an error when it cannot be started again
   */
  constructor(children, onFailure) {
    this.#children = children
    this.#onFailure = onFailure
  }

  /**
   * Builds the Worker where its sources have changed.
   * @param bindings texts by name, which win over those of .dev.vars and wrangler.toml
   */
  async prepare(bindings) {
    const env = { ...devVars(), ...bindings }
    const config = await workerBundle(this.#children, Object.keys(env).sort())
    const storage = STORAGE.map((name) => [name, join(workerState, 'v3', name)])
    for (const [, directory] of storage) mkdirSync(directory, { recursive: true, mode: 0o700 })
    makeReserve(join(workerState, 'v3/reserve/reserve'))
    const { SSL_CERT_FILE, SSL_CERT_DIR } = process.env
    this.#command = {
      // Secrets come by the environment: arguments can be read by every user of the machine.
      env: { TZ: 'UTC', ...(SSL_CERT_FILE && { SSL_CERT_FILE }), ...(SSL_CERT_DIR && { SSL_CERT_DIR }), ...env },
      args: [
        ...['serve', '--binary', '--experimental', config, `--socket-addr=api=127.0.0.1:${port}`],
        ...storage.map(([name, directory]) => `--directory-path=${name}:storage=${directory}`),
      ],
    }
  }

  /** Starts it, and looks after it from then on. @throws Error when it does not answer, or refuses its settings */
  async start() {
    this.#spawn()
    await this.#healthy(this.#run)
    void this.#watch()
  }

  /** Ends the looking after: its process is not started again. */
  stop() {
    this.#stopped = true
  }

  /** To be called when its process has ended by itself. @returns whether it is started again */
  ended(cause) {
    if (!this.#hasServed || this.#stopped) return false
    void this.#restart(`ended (${cause})`)
    return true
  }

  #spawn() {
    this.#run++
    const { env, args } = this.#command
    const child = this.#children.start('worker', workerd(), args, { cwd: home, env, stderr: 'pipe', stopMs: STOP_MS })
    printRedacted(child.stdout, process.stdout)
    printRedacted(child.stderr, process.stderr)
  }

  /** Waits until that run answers, or is replaced by another one. */
  async #healthy(run) {
    const deadline = Date.now() + HEALTHY_MS
    while (Date.now() < deadline) {
      if (this.#stopped || this.#run !== run) return
      const status = await health(AbortSignal.timeout(HEALTHY_MS)).catch(() => null)
      if (status === 500) throw new Error('the worker refuses its settings; its own line says why')
      if (status !== null) {
        this.#hasServed = true
        return
      }
      await after(50)
    }
    throw new Error('the worker did not answer within a minute; what it said is above')
  }

  async #watch() {
    while (!this.#stopped) {
      await after(LOOK_MS)
      const run = this.#run
      if ((await answers(health)) || this.#stopped || this.#run !== run) continue
      await this.#restart(`did not answer for ${SILENCE_MS / 1000} s`)
    }
  }

  /** Replaces the process. Sandboxes know nothing of it, and what was under way there goes on. */
  async #restart(why) {
    const run = ++this.#run
    const rest = this.#restMs()
    const when = rest > 0 ? `again in ${rest / 1000} s` : 'again'
    console.error(`Toolyard: the worker ${why}; starting it ${when}, sandboxes stay`)
    await this.#children.end('worker', 'SIGKILL')
    await after(rest)
    if (this.#stopped || this.#run !== run) return
    this.#spawn()
    await this.#healthy(this.#run).catch(this.#onFailure)
  }

  #restMs() {
    const now = Date.now()
    this.#restarts = [...this.#restarts.filter((at) => at > now - RESTARTS_WITHIN_MS), now]
    return this.#restarts.length > MAX_RESTARTS ? REST_MS : 0
  }
}

/** Room that the Worker gives up when the disk is full, and takes again itself. On a disk that is full already there is none. */
function makeReserve(file) {
  if (existsSync(file)) return
  try {
    writeFileSync(file, new Uint8Array(DISK_RESERVE_BYTES), { mode: 0o600 })
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error
    rmSync(file, { force: true })
  }
}

/** workerd's program, of the version that Miniflare was made for. */
function workerd() {
  const miniflare = createRequire(import.meta.url).resolve('miniflare')
  return createRequire(miniflare)('workerd').default
}

/** The owner's further bindings. As wrangler reads the file, `\$` is a dollar sign. */
function devVars() {
  try {
    const vars = parseEnv(readFileSync(join(home, '.dev.vars'), 'utf8'))
    return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, value.replaceAll('\\$', '$')]))
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

/** @returns the status that /health is answered with, over a connection of its own */
function health(signal) {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: '/health', agent: false, signal }, (response) => {
      response.resume().once('error', reject)
      response.once('end', () => resolve(response.statusCode))
    })
    request.once('error', reject)
  })
}

const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
