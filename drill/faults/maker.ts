import { setTimeout as after } from 'node:timers/promises'
import { isAlive } from '../../test/support/processes.ts'
import type { Asking, Place } from '../clients/asking.ts'
import type { Connection } from '../clients/connection.ts'
import type { Random } from '../clients/draw.ts'
import type { Ledger } from '../ledger.ts'
import { Violation } from '../model/violation.ts'
import type { SmallDisk } from './disk.ts'
import type { Fault } from './fault.ts'
import type { Process, Server } from './server.ts'

/** Longest pause of a process: pauses are shorter than the silence after which a worker is taken for dead, and longer. */
const MAX_PAUSE_MS = 12_000
const FULL_MS = 4_000
const RECOVERY_MS = 240_000
/** Longest time in which a file that is there must be readable while the disk is full. */
const READ_MS = 30_000
const LOOK_MS = 50
/** Faults that need a sandbox with something to run. */
const IN_SANDBOX = /(agent|sandbox|command)$/

interface Parts {
  readonly server: Server
  readonly disk: SmallDisk | null
  /** A connection that cuts nothing: measured times are the server's. */
  readonly connection: Connection
  readonly ledger: Ledger
  readonly random: Random
  readonly place: Place
}

/** Does one fault after another, and measures how long the server needs to be as before. */
export class FaultMaker {
  readonly #parts: Parts
  /** The worst seconds until the server was as before, by fault. */
  readonly worst = new Map<Fault, number>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Makes the file and the sandbox that reading and running are tried with. */
  async prepare(): Promise<void> {
    await this.#works('file_upload', {
      files: [{ filename: 'page.html', content: '<h1>Probe</h1><p>It is read.</p>' }],
    })
    await this.#works('execute_shell', { command: 'true' })
  }

  /** Makes a fault. @returns whether there was anything to do it to @throws Violation when the server does not recover */
  async make(fault: Fault): Promise<boolean> {
    const { server, ledger } = this.#parts
    this.#requireServer()
    if (IN_SANDBOX.test(fault)) await this.#works('execute_shell', { command: 'sleep 60 > /dev/null 2>&1 &' })
    const family = server.family()
    const [verb = '', kind = ''] = fault.split(/ (.*)/s)
    const pids = fault === 'fill disk' ? [] : server.processes(kind as Process) // one of FAULTS
    if (fault === 'fill disk' ? this.#parts.disk === null : pids.length === 0) return false
    ledger.note({ who: 'faults', what: fault, pids })
    const start = performance.now()
    if (verb === 'kill') await this.#kill(kind, pids, family)
    else if (verb === 'pause') await this.#pause(pids)
    else await this.#fill()
    await this.#recovered(fault)
    if (this.#parts.disk) this.#parts.disk.isFull = false
    const seconds = (performance.now() - start) / 1000
    ledger.note({ who: 'faults', what: 'recovered', fault, seconds })
    ledger.count(`fault: ${fault}`)
    this.worst.set(fault, Math.max(this.worst.get(fault) ?? 0, seconds))
    return true
  }

  async #kill(kind: string, pids: readonly number[], family: readonly number[]) {
    for (const pid of pids) signal(pid, 'SIGKILL')
    if (kind !== 'npm' && kind !== 'start script') return
    await this.#parts.server.ended(family)
    await this.#parts.server.start()
  }

  async #pause(pids: readonly number[]) {
    for (const pid of pids) signal(pid, 'SIGSTOP')
    try {
      await after(this.#parts.random() * MAX_PAUSE_MS)
    } finally {
      for (const pid of pids) signal(pid, 'SIGCONT')
    }
  }

  /** Files that are there can be read meanwhile. */
  async #fill() {
    const { disk, ledger } = this.#parts
    try {
      ledger.note({ who: 'faults', what: 'filled', bytes: disk?.fill() })
      await this.#works('file_read', { file_path: 'upload/page.html' }, READ_MS)
      await after(FULL_MS)
      await this.#works('file_read', { file_path: 'upload/page.html' }, READ_MS)
    } finally {
      disk?.free()
    }
  }

  /** Tries what the fault has hurt. */
  async #recovered(fault: Fault) {
    if (fault.endsWith('reader')) await this.#works('parse_document', { file_path: 'upload/page.html' })
    else if (fault.endsWith('worker')) await this.#works('dir_list', {})
    else {
      await this.#works('file_write', { file_path: 'upload/probe.txt', content: fault })
      await this.#works('execute_shell', { command: 'true' })
    }
  }

  async #works(tool: string, args: object, withinMs = RECOVERY_MS): Promise<void> {
    const { connection, place } = this.#parts
    const deadline = performance.now() + withinMs
    const asking: Asking = { api: 'toolserver', tool, args }
    let answer = ''
    while (performance.now() < deadline) {
      const reply = await connection.call(asking, place, { sent: 0, done: 0 })
      if (reply.kind === 'done') return
      answer = reply.kind === 'failed' ? reply.message : reply.kind
      this.#requireServer()
      await after(LOOK_MS)
    }
    throw new Violation('silent', `${tool} did not work for ${withinMs / 1000} s: ${answer}`)
  }

  #requireServer() {
    if (!this.#parts.server.runs) throw new Violation('ended', 'npm start ended, and nobody had ended it')
  }
}

function signal(pid: number, name: NodeJS.Signals) {
  if (isAlive(pid)) process.kill(pid, name)
}
