import { checksum } from '../../core/checksum.ts'
import { fail } from '../../core/failure.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { utf8Length } from '../../core/utf8-length.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { LAZY_TABLES } from '../../migrations/session/lazy-tables.ts'
import { COMMAND_PATH, type Sandbox, type SandboxGone, type Watched, type WatchOptions } from '../../ports/sandbox.ts'
import type { Sql } from '../../ports/sql.ts'
import { BatchedWrites } from './batched-writes.ts'
import { ResidentInput } from './input.ts'

/**
 * A Python program that stays in a session's sandbox between calls. It takes one request per line of stdin, and prints one reply
 * per line of stdout, as JSON with the request's `id`. `{do: 'stop', id}` ends a request, which is answered all the same. The
 * program ends when its stdin does.
 */
export interface Resident {
  readonly program: string
  /** Name of the program in process lists: `python3` unless given. */
  readonly name?: string
  /** Table of the session with its process id. */
  readonly table: keyof typeof LAZY_TABLES
  /** Environment variable with the PATH for commands; the program's own PATH names the system's directories. */
  readonly pathVariable: string
  /** Longest reply, in characters: a longer line does not come from the program. */
  readonly maxReplyChars: number
  /** Time from a request's `seconds` until the program is discarded, in milliseconds. */
  readonly graceMs: number
  /** Time for which the connection stays open for further calls, in milliseconds: it keeps the session in memory. */
  readonly linkMs: number
  /** Failure for a sandbox in which the program does not start. */
  readonly notRunning: string
  /** True when the program answers `{do: 'ping', id}`: requests that follow each other may go by a stream then. */
  readonly isAskable?: true
  /** True when the program imports Python's own library alone: Python starts in half the time then. */
  readonly isBare?: true
}

/** Request: one line of JSON. */
export interface ResidentRequest {
  readonly id: string
  readonly seconds: number
  readonly [field: string]: unknown
}

/** The program ended before it answered: how far the request came is not known. */
export class ResidentGone extends Error {
  override readonly name = 'ResidentGone'
  /** True when the connection ended, and the program may still run. */
  readonly isBroken: boolean

  constructor(isBroken = false) {
    super()
    this.isBroken = isBroken
  }
}

interface Waiting {
  resolve(reply: unknown): void
  reject(thrown: unknown): void
  /** Takes a message about the running request, which has its id in `of`. */
  hear?(message: unknown): void
}

interface Connection {
  /** Sandbox as of the connection: one that was paused meanwhile has lost its connections. */
  readonly sandbox: Sandbox
  readonly watched: Watched
  readonly writes: BatchedWrites
  readonly input: ResidentInput | null
  /** Waiting calls by id. */
  readonly waiting: Map<string, Waiting>
  open: boolean
  /** True when another connection has taken over its calls. */
  isRetired: boolean
  chars: number
}

/** Characters of output after which a connection is replaced, so that the next limit counts from nothing. */
const MAX_CONNECTION_CHARS = 8 * 1024 * 1024

/** Limit of output on a connection that no call could replace: more does not come from the program. */
const MAX_BUSY_CONNECTION_CHARS = 8 * MAX_CONNECTION_CHARS

/** Time for a line in transit when a connection is replaced, in milliseconds. */
const BOTH_HEAR_MS = 10_000

/** End of the command line of each resident program and its forks. */
export const RESIDENT_ENTRY = 'exec(read(int(read(8))))'

/**
 * Reads the program from stdin: process lists stay readable, and no file of it can be changed. Input behind it is not read here,
 * since it would be in the memory of each forked process.
 */
const READ_PROGRAM = `exec(open(0,"rb",0,closefd=0).readline());${RESIDENT_ENTRY}`

/** First line of the input, which defines `read`: process lists need not show it. */
const DEFINE_READ = `exec(${JSON.stringify(`import os
def read(size):
    data = b''
    while len(data) < size: data += os.read(0, size - len(data)) or os._exit(1)
    return data`)})
`

/** Bash that starts the program by the system's PATH: directories that code of the task has added are for commands alone. */
const startScript = ({ pathVariable, name, isBare }: Resident) =>
  `export ${pathVariable}=$${COMMAND_PATH}; exec ${name === undefined ? '' : `-a ${name} `}python3 -I${isBare ? 'S' : ''} -u -c ${shellQuote(READ_PROGRAM)}`

/** Starts the program. @throws FailureError `upstream` when it does not start */
export async function beginResident(resident: Resident, sandbox: Sandbox, options: WatchOptions): Promise<Watched> {
  const { program, notRunning } = resident
  const watched = await sandbox.begin(startScript(resident), options)
  const size = utf8Length(program)
  if (!(await watched.write(`${DEFINE_READ}${String(size).padStart(8)}${program}`, NEVER))) fail('upstream', notRunning)
  return watched
}

/**
 * Connection of a session to a resident program. It is opened on demand, and shared by the calls that wait at the same time. The
 * program lives on without it, and is found again by its process id.
 */
export class ResidentLink {
  readonly #resident: Resident
  /** Checksum of the program: a sandbox may be older, and a program of another version ends when it gets no requests. */
  readonly #version: string
  readonly #table: LazyTable
  readonly #env: Readonly<Record<string, string>>
  #opening: Promise<Connection> = Promise.reject(new ResidentGone())
  #idle: ReturnType<typeof setTimeout> | undefined

  constructor(resident: Resident, sql: Sql, env: Readonly<Record<string, string>>) {
    this.#resident = resident
    this.#version = checksum(resident.program)
    this.#env = env
    this.#opening.catch(() => undefined)
    this.#table = new LazyTable(sql, resident.table)
  }

  /** Opens the connection, for a request that follows. @throws as {@link ask} */
  async open(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
    await this.#connect(sandbox, signal)
  }

  /**
   * Sends a request.
   * @param sent called when the program has the request: the call's time begins
   * @param heard called with each message about the request before its reply: to be read as hostile, and maybe heard twice
   * @returns the program's answer: to be read as hostile
   * @throws ResidentGone when it ended, or does not answer though the call's time is over; SandboxGone when its sandbox ended
   */
  async ask(
    sandbox: Sandbox,
    request: ResidentRequest,
    signal: AbortSignal,
    sent: () => void = () => undefined,
    heard?: (message: unknown) => void,
  ): Promise<unknown> {
    const line = `${JSON.stringify(request)}\n`
    let connection = await this.#connect(sandbox, signal)
    const stop = () => {
      // An unreachable program leaves nothing to stop.
      connection.writes.write(`${JSON.stringify({ do: 'stop', id: request.id })}\n`).catch(() => undefined)
    }
    let reply = this.#expect(connection, request, heard)
    signal.addEventListener('abort', stop)
    try {
      if (!(await orAborted(connection.writes.write(line), signal))) {
        // The program had ended, and received nothing of this.
        this.#drop(connection)
        await reply.catch(() => undefined)
        connection = await this.#connect(sandbox, signal)
        reply = this.#expect(connection, request, heard)
        if (!(await orAborted(connection.writes.write(line), signal))) fail('upstream', this.#resident.notRunning)
      }
      sent()
      return await reply
    } finally {
      signal.removeEventListener('abort', stop)
      this.#rest(connection)
    }
  }

  /** Process id of the program in a sandbox; null when none is known. */
  pidIn(sandboxId: string): number | null {
    const [row] = this.#table.read<{ pid: number }>(
      `SELECT pid FROM ${this.#resident.table} WHERE sandbox_id = ? AND version = ?`,
      sandboxId,
      this.#version,
    )
    return row?.pid ?? null
  }

  /** Takes over a program begun in that sandbox, by {@link beginResident} of this version. */
  adopt(sandboxId: string, pid: number): void {
    this.#table.write(
      `INSERT OR REPLACE INTO ${this.#resident.table} (id, sandbox_id, pid, version) VALUES (1, ?, ?, ?)`,
      sandboxId,
      pid,
      this.#version,
    )
  }

  /** Closes the connection; the program lives on. */
  close(): void {
    clearTimeout(this.#idle)
    this.#opening.then((connection) => this.#drop(connection)).catch(() => undefined)
  }

  #expect(
    connection: Connection,
    { id, seconds }: ResidentRequest,
    heard?: (message: unknown) => void,
  ): Promise<unknown> {
    const { waiting } = connection
    const reply = new Promise<unknown>((resolve, reject) => {
      // An unanswered one must not wait for ever.
      const timer = setTimeout(() => this.#discard(connection), seconds * 1000 + this.#resident.graceMs)
      const end = () => {
        clearTimeout(timer)
        waiting.delete(id)
      }
      waiting.set(id, {
        resolve: (message) => {
          end()
          resolve(message)
        },
        reject: (thrown) => {
          end()
          reject(thrown)
        },
        ...(heard && { hear: heard }),
      })
    })
    reply.catch(() => undefined)
    if (!connection.open) waiting.get(id)?.reject(new ResidentGone())
    return reply
  }

  #connect(sandbox: Sandbox, signal: AbortSignal): Promise<Connection> {
    clearTimeout(this.#idle)
    const known = this.#opening.catch(() => null)
    // One after another, so that no two programs are started.
    this.#opening = known.then((connection) => {
      if (connection?.open && connection.sandbox === sandbox) {
        if (connection.chars < MAX_CONNECTION_CHARS) return connection
        if (connection.waiting.size > 0) return this.#renew(connection, signal)
      }
      if (connection) this.#drop(connection)
      return this.#open(sandbox, signal)
    })
    return this.#opening
  }

  /** A new connection with the same calls. Both receive output for a while: a line may be in transit. */
  async #renew(old: Connection, signal: AbortSignal): Promise<Connection> {
    const renewed = await this.#open(old.sandbox, signal, old)
    setTimeout(() => this.#drop(old), BOTH_HEAR_MS)
    return renewed
  }

  /** @param old the connection whose calls it takes over */
  async #open(sandbox: Sandbox, signal: AbortSignal, old: Connection | null = null): Promise<Connection> {
    const waiting: Connection['waiting'] = old?.waiting ?? new Map()
    // In pieces: joined each time, a long line would be copied thousands of times.
    let line: string[] = []
    let lineChars = 0
    let connection: Connection | null = null
    const end: { why?: SandboxGone | null; isBroken?: boolean } = {}
    const options: WatchOptions = {
      env: this.#env,
      signal: NEVER,
      printed: (text) => {
        if (connection) connection.chars += text.length
        const end = text.lastIndexOf('\n')
        line.push(end === -1 ? text : text.slice(0, end))
        lineChars += text.length
        if (end !== -1) {
          for (const whole of line.join('').split('\n')) hear(waiting, whole, connection?.input)
          line = [text.slice(end + 1)]
          lineChars = text.length - end - 1
        }
        if (lineChars <= this.#resident.maxReplyChars && (connection?.chars ?? 0) <= MAX_BUSY_CONNECTION_CHARS) return
        line = []
        if (!connection?.isRetired) this.#forget()
        options.ended(null)
      },
      ended: (why, isBroken = false) => {
        end.why = why
        end.isBroken = isBroken
        if (connection) this.#drop(connection, why, isBroken)
      },
    }
    signal.throwIfAborted()
    const pid = this.pidIn(sandbox.id)
    let watched = pid && (await sandbox.watch(pid, options))
    if (!watched) {
      if (old) this.#drop(old)
      watched = await beginResident(this.#resident, sandbox, options)
    }
    if (old) old.isRetired = true
    this.adopt(sandbox.id, watched.pid)
    const input = this.#resident.isAskable ? new ResidentInput(watched) : null
    const begun = watched
    const writes = new BatchedWrites(async (text) => opened.open && (input ?? begun).write(text, NEVER))
    const opened: Connection = { sandbox, watched, writes, input, waiting, open: true, isRetired: false, chars: 0 }
    connection = opened
    if (end.why !== undefined) this.#drop(opened, end.why, end.isBroken)
    return opened
  }

  /** Discards the connection to a misbehaving program: the next call starts another. */
  #discard(connection: Connection): void {
    this.#forget()
    this.#drop(connection)
  }

  #forget(): void {
    this.#table.read(`DELETE FROM ${this.#resident.table}`)
  }

  #drop(connection: Connection, why: SandboxGone | null = null, isBroken = false): void {
    connection.open = false
    connection.watched.leave()
    if (connection.isRetired) return
    for (const { reject } of [...connection.waiting.values()]) reject(why ?? new ResidentGone(isBroken))
  }

  #rest(connection: Connection): void {
    if (connection.waiting.size > 0) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      if (connection.waiting.size === 0) this.#drop(connection)
    }, this.#resident.linkMs)
  }
}

function hear(waiting: Connection['waiting'], line: string, input?: ResidentInput | null): void {
  try {
    const message: unknown = JSON.parse(line)
    const about = message !== null && typeof message === 'object' ? message : {}
    if ('of' in about && typeof about.of === 'string') waiting.get(about.of)?.hear?.(message)
    const id = 'id' in about ? about.id : null
    input?.heard(id)
    if (typeof id === 'string') waiting.get(id)?.resolve(message)
  } catch {
    // Not a line of the program: the waiting call gets no answer, and ends by its deadline.
  }
}

/** Waits for `work`, but not beyond the signal. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const stop = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const NEVER = new AbortController().signal
