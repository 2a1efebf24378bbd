import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, vi } from 'vitest'
import { freePort } from './free-port.ts'
import { commandLine, descendantsOf, isAlive, listeningOf } from './processes.ts'

type Environment = Readonly<Record<string, string>>

/** A server as `npm start` runs it, which has said that it runs. */
export type StartedServer = Awaited<ReturnType<typeof startServer>>

/**
 * Runs it as a newcomer does, or without npm between, until the banner is complete. On a small disk, its state has 48 MiB.
 * @param settings its environment besides this process's own; TOOLYARD_STATE names a directory, PORT is a free one
 */
export async function startServer(by: Launcher, settings: Environment) {
  const port = Number(settings.PORT ?? (await freePort()))
  const child = launch(by, { ...settings, PORT: String(port) })
  await waitForOutput(child, /Ctrl-C stops it/)
  const url = `http://localhost:${port}`
  const family = () => [child.pid ?? 0, ...descendantsOf(child.pid ?? 0)]
  const listens = '--socket-fd=api='
  const call = async (tool_name: string, params: object) => {
    const body = JSON.stringify({ task_id: 'my_task', tool_name, params })
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(`${url}/api/tool/execute`, { method: 'POST', headers, body })
    return (await answer.json()) as { readonly success: boolean; readonly data: unknown; readonly error: string | null }
  }
  let before = family()

  const ended = async () => {
    if (!hasEnded(child)) await once(child, 'exit')
    // After kill -9 the last processes end a moment later, each by itself.
    const left = () => before.filter(isAlive).map(commandLine)
    await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 100_000, interval: 50 })
    return { left: left(), code: child.exitCode }
  }
  return {
    port,
    url,
    output: () => outputOf(child),
    /** The first process of it. */
    pid: child.pid ?? 0,
    family,
    /** The processes whose command line has this text, with their own ones. */
    familyOf: (text: string) =>
      family()
        .filter((pid) => commandLine(pid).includes(text))
        .flatMap((pid) => [pid, ...descendantsOf(pid)]),
    /** The process that serves the port. */
    listener: () => family().find((pid) => commandLine(pid).includes(listens)),
    /** Addresses on which processes listen whose command line has this text: those of the port by default. */
    listening: (text = listens) =>
      family()
        .filter((pid) => commandLine(pid).includes(text))
        .flatMap(listeningOf),
    /** Kills that process, and waits until it is gone. */
    async killListener() {
      const pid = family().find((one) => commandLine(one).includes(listens)) ?? Number.NaN
      process.kill(pid, 'SIGKILL')
      await vi.waitUntil(() => !isAlive(pid), { timeout: 100_000, interval: 10 })
    },
    ended,
    end(signal: NodeJS.Signals) {
      before = family()
      child.kill(signal)
      return ended()
    },
    async status(path: string, token?: string) {
      const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
      const answer = await fetch(`${url}${path}`, { headers })
      await answer.text()
      return answer.status
    },
    /** Status over a new connection of its own; see {@link status}. */
    statusAnew: (path: string) =>
      new Promise<number | undefined>((answered, failed) => {
        get({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
          answer.resume().once('end', () => answered(answer.statusCode))
        }).once('error', failed)
      }),
    call,
    tool: async (tool_name: string, params: object) => (await call(tool_name, params)).data,
  }
}

/**
 * A new state of a server that was started before, and whose owner has removed the papers that came with it. Making the tables
 * and putting papers in takes a first start eight times the processor's time of a later one.
 */
export async function startedState(): Promise<string> {
  const state = await mkdtemp(join(tmpdir(), 'toolyard-started-'))
  await cp(join(inject('worker'), 'started'), state, { recursive: true })
  return state
}

/** Output and exit code of a start that fails. */
export async function refusedStart(settings: Environment) {
  const child = launch('node', settings)
  const [code] = await once(child, 'close')
  return { code, output: outputOf(child) }
}

/** Ends what a failed test left running. */
export async function endServers() {
  for (const child of started.splice(0)) {
    if (hasEnded(child)) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

const started: ChildProcess[] = []
const outputs = new WeakMap<ChildProcess, string>()
const outputOf = (child: ChildProcess) => outputs.get(child) ?? ''
const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

const COMMANDS = {
  npm: ['npm', 'start'],
  node: [process.execPath, 'scripts/start.mjs'],
  // TOOLYARD_STATE is a filesystem of its own there, visible to others below /proc/PID/root.
  'node on a small disk': [
    ...['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c'],
    `mount -t tmpfs -o size=48m tmpfs "$TOOLYARD_STATE" && exec "$0" scripts/start.mjs`,
    process.execPath,
  ],
} as const

/** Name of a way to start a server, or the words of another command that does. */
type Launcher = keyof typeof COMMANDS | readonly [program: string, ...args: string[]]

function launch(by: Launcher, settings: Environment) {
  const [program, ...args] = typeof by === 'string' ? COMMANDS[by] : by
  const { npm_lifecycle_event: _, ...environment } = process.env
  const child = spawn(program, args, {
    env: { ...environment, SANDBOXD_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => outputs.set(child, outputOf(child) + chunk))
  }
  return child
}

async function waitForOutput(child: ChildProcess, what: RegExp) {
  const isDone = () => what.test(outputOf(child)) || child.exitCode !== null
  await vi.waitUntil(isDone, { timeout: 100_000, interval: 50 })
  expect(outputOf(child)).toMatch(what)
}
