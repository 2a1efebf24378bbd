import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.ts'

/** The key of sandbox hosts of tests. */
export const SANDBOX_HOST_KEY = 'local'

/** Cache of Node's compiled code: each test file starts a host, and most of that is compiling. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/toolyard-compiled')

/** Sandbox host for one test file or one bench, on a free port, with a state of its own. */
export interface Sandboxd {
  readonly url: string
  /** Bindings of the server that name this host. */
  readonly vars: Readonly<Record<'E2B_API_URL' | 'E2B_SANDBOX_URL' | 'E2B_API_KEY' | 'SANDBOX_SPARES', string>>
  readonly state: string
  /** Stops it, and starts it again at the same port with the same state. */
  restart(meanwhile: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** Files of tests live in memory where they can: a disk without a journal makes deleting and creating many files slow. */
export const scratchDirectory = () => mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'toolyard-test-'))

/** Starts a sandbox host. @param given a directory for its state, which is removed when it stops */
export async function startSandboxd({
  allow = [],
  env = {},
  state: given,
}: {
  readonly allow?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly state?: string
} = {}): Promise<Sandboxd> {
  const state = given ?? (await scratchDirectory())
  const port = await freePort()
  const start = () => {
    const args = ['src/sandboxd/main.ts', '--port', `${port}`, '--state', state, '--until-stdin-ends']
    if (allow.length > 0) args.push('--allow', allow.join(','))
    const own = { SANDBOXD_API_KEY: SANDBOX_HOST_KEY, NODE_COMPILE_CACHE: COMPILED }
    return startDaemon(args, { ...process.env, ...own, ...env })
  }
  let daemon = await start()
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    // Tests count sandboxes, and wait for none that they did not ask for: those of spare ones set their number.
    vars: { E2B_API_URL: url, E2B_SANDBOX_URL: url, E2B_API_KEY: SANDBOX_HOST_KEY, SANDBOX_SPARES: '0' },
    state,
    async restart(meanwhile) {
      await daemon.stop()
      await meanwhile()
      daemon = await start()
    },
    async stop() {
      await daemon.stop()
      await rm(state, { recursive: true, force: true })
    },
  }
}

async function startDaemon(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output = (output + chunk).slice(-4_000)
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the sandbox host did not start: ${output}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{')) resolve()
    })
  })
  return {
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
