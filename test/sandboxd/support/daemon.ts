import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../../src/sandboxd/main.ts', import.meta.url))

/** The key of a daemon that is given no other. */
const API_KEY = 'e2b_0000000000000000000000000000000000000000'

export interface DaemonOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Reuse a directory; the caller removes it then. */
  readonly stateDir?: string
}

/** One daemon process of a test file. */
export interface Daemon {
  readonly url: string
  readonly pid: number
  readonly stateDir: string
  /** What the SDK needs to talk to it, and nothing else. */
  readonly sdk: { readonly apiKey: string; readonly apiUrl: string; readonly sandboxUrl: string }
  /** What it wrote to stderr so far. */
  log(): string
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
}

/** A directory that is gone after `removeState`: in memory where the machine has /dev/shm. */
export function makeState(): string {
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sandboxd-test-'))
  process.once('exit', () => removeState(dir))
  return dir
}

export function removeState(dir: string): void {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}

/** Starts a daemon on a free port. A machine that cannot isolate makes this fail, with the daemon's own words. */
export async function startDaemon({ args = [], env = {}, stateDir }: DaemonOptions = {}): Promise<Daemon> {
  const state = stateDir ?? makeState()
  const { child, log } = spawnDaemon(['--port', '0', '--state', state, ...args], env)
  const exited = once(child, 'exit')
  const ready = await Promise.race([
    once(createInterface({ input: child.stdout ?? process.stdin }), 'line').then(([line]) => String(line)),
    exited.then(() => null),
  ])
  if (ready === null) throw new Error(`sandboxd did not start:\n${log()}`)
  const url = `http://127.0.0.1:${JSON.parse(ready).port}`
  const finish = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
    if (stateDir === undefined) removeState(state)
    return child.exitCode
  }
  return {
    url,
    pid: child.pid ?? 0,
    stateDir: state,
    sdk: { apiKey: API_KEY, apiUrl: url, sandboxUrl: url },
    log,
    stop: () => finish('SIGTERM'),
    kill: async () => void (await finish('SIGKILL')),
  }
}

/** Runs the daemon to its end: for starts that must be refused. */
export async function runDaemon(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { child, log } = spawnDaemon(args, env)
  const [code] = await once(child, 'exit')
  return { code: code as number | null, log: log() }
}

function spawnDaemon(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): { child: ChildProcess; log: () => string } {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, SANDBOXD_API_KEY: API_KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A test that fails before its `stop` must not leave a daemon behind.
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let log = ''
  child.stderr?.on('data', (text: Buffer) => {
    log = (log + text.toString()).slice(-20_000)
  })
  return { child, log: () => log }
}
