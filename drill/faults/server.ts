import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { commandLine, descendantsOf, isAlive } from '../../test/support/processes.ts'
import { Violation } from '../model/violation.ts'

/** Kinds of processes that a server consists of. */
export const PROCESSES = [
  'npm',
  'start script',
  'worker',
  'reader',
  'sandbox host',
  'agent',
  'sandbox',
  'command',
] as const
export type Process = (typeof PROCESSES)[number]

const START_MS = 180_000
const END_MS = 60_000
const LOOK_MS = 25

/** A server as `npm start` runs it; it may be killed, and is started again on the same state. */
export class Server {
  readonly port: number
  readonly #environment: NodeJS.ProcessEnv
  readonly #output: string
  #child: ChildProcess | null = null
  #printed = ''

  /**
   * @param state directory of its state
   * @param output file for its output
   */
  constructor(port: number, state: string, output: string) {
    const { npm_lifecycle_event: _, ...environment } = process.env
    this.port = port
    this.#output = output
    this.#environment = { ...environment, PORT: `${port}`, TOOLYARD_STATE: state, SANDBOXD_PORT: '0' }
  }

  /** Whether `npm` runs. */
  get runs(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Starts the server, and returns when it has said that it runs. @throws Violation when it ends before, or does not come */
  async start(): Promise<void> {
    this.#printed = ''
    const child = spawn('npm', ['start'], { env: this.#environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.#printed += chunk
        appendFileSync(this.#output, chunk)
      })
    }
    const deadline = performance.now() + START_MS
    while (!/Ctrl-C stops it/.test(this.#printed)) {
      if (!this.runs) throw new Violation('ended', `npm start ended before it ran: ${this.#printed.slice(-500)}`)
      if (performance.now() > deadline)
        throw new Violation('silent', `npm start said nothing of running: ${this.#printed}`)
      await after(LOOK_MS)
    }
  }

  /** Ids of all processes of the server now. */
  family(): readonly number[] {
    const npm = this.#child?.pid
    return npm === undefined || !this.runs ? [] : [npm, ...descendantsOf(npm)]
  }

  /** Ids of the server's processes of one kind now. */
  processes(kind: Process): readonly number[] {
    return this.family().filter((pid) => (pid !== this.#child?.pid ? kindOf(pid) === kind : kind === 'npm'))
  }

  /** Ends the server as Ctrl-C does. @throws Violation when it does not end, or leaves processes behind */
  async stop(): Promise<void> {
    const family = this.family()
    if (this.runs) this.#child?.kill('SIGTERM')
    await this.ended(family)
  }

  /** Waits until all of the server's processes have ended. @param family ids of those that it had @throws Violation */
  async ended(family: readonly number[]): Promise<void> {
    const deadline = performance.now() + END_MS
    const child = this.#child
    if (child && this.runs) await Promise.race([once(child, 'exit'), after(END_MS)])
    while (family.some(isAlive)) {
      if (performance.now() > deadline) {
        const left = family.filter(isAlive).map((pid) => `${pid} ${commandLine(pid)}`)
        throw new Violation('left behind', `of a server that ended: ${left.join(', ')}`)
      }
      await after(LOOK_MS)
    }
  }
}

function kindOf(pid: number): Process | null {
  const line = commandLine(pid)
  if (line.includes('scripts/start.mjs')) return line.startsWith('sh ') ? null : 'start script'
  if (line.includes('workerd serve')) return 'worker'
  if (line.includes('src/readerd/main.ts')) return 'reader'
  if (line.includes('src/sandboxd/main.ts')) return 'sandbox host'
  if (line.startsWith('/opt/node/bin/node') && line.includes('/opt/sandboxd/agent')) return 'agent'
  if (line.startsWith('bwrap ')) return 'sandbox'
  return isInSandbox(line) ? 'command' : null
}

/** Whether a process belongs to a sandbox: any but those that the server itself starts beside those of `kindOf`. */
const isInSandbox = (line: string) =>
  line !== '' && !/^(sh -c cat|cat $|slirp4netns|npm |node |\S*workerd |\S+\/node_modules\/)/.test(line)
