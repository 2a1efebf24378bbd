import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { DISK_RESERVE_BYTES } from '../../src/core/limits/disk.ts'
import { health } from './health.ts'
import { printRedacted } from './redacted.ts'
import { home, workerState } from './settings.mjs'
import { workerBundle } from './worker-bundle.mjs'

const NAME = 'worker'
/** Longest time that one health check waits while the Worker starts. */
const HEALTH_MS = 60_000
/** Time that an ending worker has for answers under way. Streams and calls that wait for a person have no end of their own. */
const STOP_MS = 2_000

/** Storage services of the Worker, each a directory below `v3` as wrangler lays it out. */
const STORAGE = ['do', 'r2', 'd1', 'reserve']

/**
 * The Worker in workerd, as a {@link Service} behind that socket. Built here where its sources have changed.
 * @param bindings texts by name, which win over those of .dev.vars and wrangler.toml
 */
export async function workerService(children, { port, fd }, bindings) {
  // Empty is as not set. A binding that some have and some have not would need two bundles.
  const texts = { DANGEROUSLY_ALLOW_HOSTS: '', ...devVars(), ...bindings }
  const config = await workerBundle(children, Object.keys(texts).sort())
  const storage = STORAGE.map((name) => [name, join(workerState, 'v3', name)])
  for (const [, directory] of storage) mkdirSync(directory, { recursive: true, mode: 0o700 })
  makeReserve(join(workerState, 'v3/reserve/reserve'))
  const { SSL_CERT_FILE, SSL_CERT_DIR } = process.env
  // Secrets come by the environment: arguments can be read by every user of the machine.
  const env = { TZ: 'UTC', ...(SSL_CERT_FILE && { SSL_CERT_FILE }), ...(SSL_CERT_DIR && { SSL_CERT_DIR }), ...texts }
  const args = [
    ...['serve', '--binary', '--experimental', config, '--socket-fd=api=3'],
    ...storage.map(([name, directory]) => `--directory-path=${name}:storage=${directory}`),
  ]
  const options = { cwd: home, env, stderr: 'pipe', stopMs: STOP_MS, descriptors: [fd] }
  return {
    name: NAME,
    consequence: 'sandboxes stay',
    ask: (signal) => health(port, signal),
    async launch(isCurrent) {
      const child = children.start(NAME, workerd(), args, options)
      printRedacted(child.stdout, process.stdout)
      printRedacted(child.stderr, process.stderr)
      await healthy(port, isCurrent)
    },
  }
}

/** Waits for the Worker. @throws Error when the Worker refuses its settings */
async function healthy(port, isCurrent) {
  while (isCurrent()) {
    const status = await health(port, AbortSignal.timeout(HEALTH_MS)).catch(() => null)
    if (status === 500) throw new Error('the worker refuses its settings; its own line says why')
    if (status !== null) return
    await new Promise((resolve) => setTimeout(resolve, 50))
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
