import { onTestFinished } from 'vitest'
import { type E2bConfig, e2bSandboxHost } from '../../src/adapters/e2b/sandbox.ts'
import type { Internet } from '../../src/core/internet.ts'
import type { Outcome } from '../../src/core/outcome.ts'
import { pathFromBytes, SANDBOX_ROOT, workspacePath } from '../../src/core/workspace-path.ts'
import type { OutsidePorts } from '../../src/ports/index.ts'
import type { RunOptions, Sandbox, SandboxHost, Watched, WatchOptions } from '../../src/ports/sandbox.ts'
import type { WorkspaceEntry } from '../../src/ports/workspace.ts'
import { Session } from '../../src/session/session.ts'
import { toolSources } from '../../src/session/toolbox/sources.ts'
import { catalog } from '../../src/tools/catalog.ts'
import type { Registry } from '../../src/tools/registry.ts'
import { SessionWorkspace } from '../../src/workspace/workspace.ts'
import { MemoryBlobs } from './blobs-memory.ts'
import { ENOUGH_SANDBOXES } from './enough-sandboxes.ts'
import { NO_TOOLS } from './no-tools.ts'
import { NOTHING_OUTSIDE } from './nothing-outside.ts'
import { SANDBOX_HOST_KEY, type Sandboxd } from './sandboxd.ts'
import { NodeSql } from './sql-node.ts'
import { openSessionTables } from './tables.ts'

/** Time for a test's own work in a sandbox, on a machine that may be busy. */
const PATIENCE_MS = 60_000

/** Request of a session to its sandbox host. A hook that throws, or waits, is a fault. */
export interface Request {
  readonly method: 'create' | 'connect' | 'pause' | 'isPaused' | 'reboot' | 'kill' | 'killLabelled' | keyof Sandbox
  /** Script of a `run`; for a command of the supervisor, the text written to it. */
  readonly script: string
  /** Number of requests before this one. */
  readonly index: number
}

/** A host whose every request passes by the test's hooks. */
class WatchedHost implements SandboxHost {
  readonly requests: Request[] = []
  readonly created: string[] = []
  before: (request: Request) => void | Promise<void> = () => undefined
  after: (request: Request, result: unknown) => unknown = (_request, result) => result
  /** Hook after a line that is no command was written to the supervisor. */
  written: (line: string) => void = () => undefined
  /** Hook before an error reaches the caller. */
  failed: (request: Request) => void | Promise<void> = () => undefined
  /** Commands that follow each other go by a stream, past the hooks; else each is a request. */
  hasStreams = false
  readonly #host: SandboxHost

  get plan() {
    return this.#host.plan
  }

  constructor(host: SandboxHost) {
    this.#host = host
  }

  async create(options: Parameters<SandboxHost['create']>[0]): Promise<Sandbox> {
    return this.#pass('create', '', async () => {
      const sandbox = await this.#host.create(options)
      this.created.push(sandbox.id)
      return this.#watched(sandbox)
    })
  }

  async connect(id: string, idleMs: number, signal: AbortSignal): Promise<Sandbox | null> {
    return this.#pass('connect', '', async () => {
      const sandbox = await this.#host.connect(id, idleMs, signal)
      return sandbox && this.#watched(sandbox)
    })
  }

  async pause(id: string, signal: AbortSignal): Promise<boolean> {
    return this.#pass('pause', '', () => this.#host.pause(id, signal))
  }

  isPaused(id: string, signal: AbortSignal): Promise<boolean> {
    return this.#pass('isPaused', '', () => this.#host.isPaused(id, signal))
  }

  async reboot(id: string, signal: AbortSignal): Promise<Sandbox | null> {
    return this.#pass('reboot', '', async () => {
      const sandbox = await this.#host.reboot(id, signal)
      return sandbox && this.#watched(sandbox)
    })
  }

  kill(id: string): Promise<void> {
    return this.#pass('kill', '', () => this.#host.kill(id))
  }

  killLabelled(labels: Readonly<Record<string, string>>): Promise<void> {
    return this.#pass('killLabelled', '', () => this.#host.killLabelled(labels))
  }

  /** Ends a sandbox behind the session's back. */
  async crash(id = this.created.at(-1) ?? ''): Promise<void> {
    await this.#host.kill(id)
  }

  async isAlive(id: string): Promise<boolean> {
    return (await this.#host.connect(id, 60_000, AbortSignal.timeout(PATIENCE_MS))) !== null
  }

  /** Runs bash in the newest sandbox's task root behind the session's back, as a stray process would. */
  async inside(script: string): Promise<string> {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const sandbox = await this.#host.connect(this.created.at(-1) ?? '', 60_000, signal)
    const result = await sandbox?.run(`cd ${SANDBOX_ROOT}; ${script}`, { timeoutMs: PATIENCE_MS, signal })
    if (result?.exitCode !== 0) throw new Error(`the test's own script failed: ${result?.stderr}`)
    return result.stdout
  }

  #watched(sandbox: Sandbox): Sandbox {
    return {
      id: sandbox.id,
      run: (script, options: RunOptions) => this.#pass('run', script, () => sandbox.run(script, options)),
      write: (files, signal) => this.#pass('write', '', () => sandbox.write(files, signal)),
      writeStream: (path, content, signal) =>
        this.#pass('writeStream', '', () => sandbox.writeStream(path, content, signal)),
      read: (path, signal) => this.#pass('read', '', () => sandbox.read(path, signal)),
      readStream: (path, signal) => this.#pass('readStream', '', () => sandbox.readStream(path, signal)),
      extend: (idleMs) => this.#pass('extend', '', () => sandbox.extend(idleMs)),
      begin: (script, options) =>
        this.#pass('begin', script, async () => {
          const commands = new PassedCommands(options)
          return this.#through(commands, await sandbox.begin(script, commands.options))
        }),
      watch: (pid, options) =>
        this.#pass('watch', '', async () => {
          const commands = new PassedCommands(options)
          const watched = await sandbox.watch(pid, commands.options)
          return watched && this.#through(commands, watched)
        }),
    }
  }

  #through(commands: PassedCommands, watched: Watched): Watched {
    const passed = commands.through(watched, this.#passed, (line) => this.written(line))
    return this.hasStreams ? passed : { ...passed, input: () => NO_STREAM }
  }

  readonly #passed = (line: string, work: () => Promise<string>) => this.#pass('run', line, work)

  async #pass<T>(method: Request['method'], script: string, work: () => Promise<T>): Promise<T> {
    const request = { method, script, index: this.requests.length }
    this.requests.push(request)
    try {
      await this.before(request)
      // The cast: a hook returns its argument, or a value of the same shape.
      return (await this.after(request, await work())) as T
    } catch (thrown) {
      await this.failed(request)
      throw thrown
    }
  }
}

const NO_STREAM = { write: () => false, close: () => undefined }

/** Link to the supervisor whose commands pass the hooks as `run`s. */
class PassedCommands {
  readonly options: WatchOptions
  readonly #replies = new Map<string, PromiseWithResolvers<string>>()
  readonly #passing = new Set<Promise<unknown>>()
  readonly #print: (text: string) => void
  #rest = ''

  constructor(options: WatchOptions) {
    this.#print = options.printed
    this.options = {
      ...options,
      printed: (text) => this.#hear(text),
      ended: (why, isBroken) => {
        for (const { reject } of this.#replies.values()) reject(new Error('the supervisor ended'))
        void Promise.allSettled(this.#passing).then(() => options.ended(why, isBroken))
      },
    }
  }

  through(
    watched: Watched,
    pass: (line: string, work: () => Promise<string>) => Promise<string>,
    wrote: (line: string) => void,
  ): Watched {
    const command = (line: string) => {
      const written = Promise.withResolvers<boolean>()
      const reply = Promise.withResolvers<string>()
      const id = String(JSON.parse(line).id)
      this.#replies.set(id, reply)
      reply.promise.catch(() => undefined)
      const passed = pass(line, async () => {
        const isWritten = await watched.write(`${line}\n`, NEVER)
        written.resolve(isWritten)
        return isWritten ? reply.promise : ''
      })
      const done = passed.then(this.#print, written.reject).finally(() => this.#replies.delete(id))
      this.#passing.add(done.finally(() => this.#passing.delete(done)))
      return written.promise
    }
    return {
      ...watched,
      write: async (text, signal) => {
        const lines = text.split('\n').slice(0, -1)
        if (!lines.some(isSupervised)) {
          const isWritten = await watched.write(text, signal)
          for (const line of lines) wrote(line)
          return isWritten
        }
        const all = lines.map((line) => (isSupervised(line) ? command(line) : watched.write(`${line}\n`, signal)))
        return (await Promise.all(all)).every(Boolean)
      },
    }
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      const reply = this.#replies.get(/"id": ?"([^"]*)"/.exec(line)?.[1] ?? '')
      if (reply) reply.resolve(`${line}\n`)
      else this.#print(`${line}\n`)
    }
  }
}

const NEVER = new AbortController().signal
const isSupervised = (line: string) => line.startsWith('{"do":"run"')

export const isListing = ({ script }: Request) => script.includes('find . -mindepth 1')
export const isPush = ({ script }: Request) => /tar -xz?pf/.test(script)
export const isFetch = ({ script }: Request) => script.includes('--hard-dereference')
export const isCommand = ({ script }: Request) => script.includes('unset -f E') || isSupervised(script)
export const isBootstrap = ({ script }: Request) => script.includes('watch.py')

/** Environment without a package index, and without waiting for one. */
export const BENCH_ENV = { PIP_INDEX_URL: 'http://127.0.0.1:9/simple', PIP_RETRIES: '0' }

/** A session in plain Node, over SQLite in memory and a real sandbox. */
export function sessionBench(
  sandboxd: Sandboxd,
  {
    registry = catalog,
    outside = {},
    leasing = ENOUGH_SANDBOXES,
    sources = toolSources,
    name = 'bench',
    createdAt = Date.now(),
    internet = true,
    env = BENCH_ENV,
    at = {},
  }: {
    registry?: Registry
    outside?: Partial<OutsidePorts>
    leasing?: typeof ENOUGH_SANDBOXES
    sources?: typeof toolSources
    name?: string
    createdAt?: number
    internet?: Internet | (() => Promise<Internet>)
    /** Environment of the session's commands. */
    env?: Readonly<Record<string, string>>
    /** Settings of the sandbox host other than the usual ones. */
    at?: Partial<E2bConfig>
  } = {},
) {
  const host = new WatchedHost(
    e2bSandboxHost({
      apiKey: SANDBOX_HOST_KEY,
      apiUrl: sandboxd.url,
      sandboxUrl: sandboxd.url,
      template: 'base',
      ...at,
    }),
  )
  const sql = new NodeSql()
  const blobs = new MemoryBlobs()
  const clock = { ahead: 0 }
  const errors: unknown[] = []
  openSessionTables(sql)
  const now = () => Date.now() + clock.ahead
  const workspace = new SessionWorkspace({
    sql,
    blobs: blobs.forSession('node'),
    clock: { now },
    callId: () => 'test',
    virtual: { read: (path): Uint8Array | null => bench.session.logs.read(path) },
  })
  let life = { isOver: false }
  const open = () => {
    const own = { isOver: false }
    life = own
    return new Session({
      sql: ofLife(sql, own),
      registry,
      workspace: (callId) => workspace.forCall(callId),
      host,
      ...leasing,
      outside: { ...NOTHING_OUTSIDE, ...outside },
      secrets: async () => null,
      name,
      node: 'bench',
      createdAt,
      internet: typeof internet === 'function' ? internet : async () => internet,
      tenant: NO_TOOLS,
      sources,
      env,
      labels: { service: 'toolyard-test' },
      now,
      room: { look: async () => undefined, require: async () => undefined },
      flushSoon: async () => undefined,
      logError: (thrown) => void (own.isOver || errors.push(thrown)),
      tellOwner: () => undefined,
    })
  }
  const bench = {
    host,
    sql,
    blobs,
    clock,
    errors,
    workspace,
    session: open(),
    /** Evicts the session's object: its memory is gone. */
    evict() {
      bench.session = open()
    },
    /** Evicts the session's object in the middle of calls: nothing that they do reaches the database any more. */
    cutOff() {
      life.isOver = true
      bench.session = open()
    },
    call: (tool: string, args: Record<string, unknown>): Promise<Outcome> => bench.session.call({ tool, args }),
    /** Begins a call, and follows it. `ended` settles with its outcome. */
    async begin(tool: string, args: Record<string, unknown>) {
      const { begun, ended } = bench.session.begin({ tool, args })
      const about = await begun
      if ('refused' in about) throw new Error(JSON.stringify(about.refused))
      const look = () => bench.session.calls.follow({ callId: about.callId, after: 0, printed: 0, patienceMs: 0 })
      return {
        /** Output of the call on one stream until now. */
        printed: async (of: 'stdout' | 'stderr') =>
          (await look()).live?.pieces.map(({ stream, text }) => (stream === of ? text : '')).join(''),
        ended: ended.then(async () => (await look()).outcome),
      }
    },
    /** Runs bash in the task root and gives the named fields of its result. @throws when the call failed */
    async sh(command: string, more: Record<string, unknown> = {}): Promise<ShellResult> {
      return dataOf(await bench.call('execute_shell', { command, workdir: '.', ...more })) as unknown as ShellResult
    },
    async write(file_path: string, content: string): Promise<void> {
      dataOf(await bench.call('file_write', { file_path, content }))
    },
    async remove(file_path: string): Promise<void> {
      dataOf(await bench.call('file_delete', { file_path }))
    },
    /** Text of a file in the workspace, without a request to the sandbox. */
    async text(path: string): Promise<string | null> {
      const bytes = await workspace.read(workspacePath(path))
      return bytes && new TextDecoder().decode(bytes)
    },
    /** Versions of a file that history can restore. */
    async versions(path: string): Promise<string[]> {
      const found = new Set<string>()
      for (let seq = 0; seq <= workspace.headSeq(); seq++) {
        const entry = workspace.entryAsOf(workspacePath(path), seq)
        const bytes = entry?.kind === 'file' ? await workspace.readBlob(entry.hash) : null
        if (bytes) found.add(new TextDecoder().decode(bytes))
      }
      return [...found]
    },
  }
  onTestFinished(async () => {
    host.before = () => undefined
    host.after = (_request, result) => result
    host.failed = () => undefined
    host.written = () => undefined
    await bench.session.end()
  })
  return bench
}

/** The database as one life of the session's object has it. */
const ofLife = (sql: NodeSql, life: { readonly isOver: boolean }): NodeSql =>
  new Proxy(sql, {
    get(target, name) {
      if (life.isOver) throw new Error('this life of the object is over')
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

export type SessionBench = ReturnType<typeof sessionBench>

export interface ShellResult {
  readonly exit_code: number
  readonly stdout: string
  readonly stderr: string
  readonly conflicts?: readonly string[]
  readonly notes?: readonly string[]
  readonly generation?: number
  readonly restored?: {
    readonly files: number
    readonly packages: readonly string[]
    readonly failed: readonly string[]
  }
}

export function dataOf(outcome: Outcome): Readonly<Record<string, unknown>> {
  if (outcome.kind !== 'done') throw new Error(`${outcome.kind}: ${JSON.stringify(outcome)}`)
  return outcome.result.data
}

/** Script for {@link treeOf}: one record per entry, as bytes, since names may be anything. */
const TREE_SCRIPT = `cd ${SANDBOX_ROOT} && { find . -mindepth 1 -type d -path ./code_env -prune -o -type d -printf 'd %m  %P\\0' -o -type l -printf 'l %l  %P\\0'
find . -path ./code_env -prune -o -type f -printf 'f %m  %P\\0'; printf '\\0'
find . -path ./code_env -prune -o -type f -print0 | xargs -0r sha256sum -z; } | base64 -w0`

/** The sandbox's files, in the form of {@link workspaceTree}. */
export async function sandboxTree(bench: SessionBench): Promise<string[]> {
  const { stdout } = await bench.sh(TREE_SCRIPT)
  const records = pathRecords(Buffer.from(stdout, 'base64'))
  const split = records.indexOf('')
  const hashes = new Map(records.slice(split + 1).map((record) => [record.slice(68), record.slice(0, 64)]))
  return records
    .slice(0, split)
    .map((record) => {
      const [head = '', path = ''] = record.split(/ {2}(.*)/s)
      return head.startsWith('f') ? `${path} ${head} ${hashes.get(path)}` : `${path} ${head}`
    })
    .filter(isSynced)
    .sort()
}

function pathRecords(bytes: Uint8Array): string[] {
  const records: string[] = []
  for (let at = 0, end = bytes.indexOf(0); end !== -1; at = end + 1, end = bytes.indexOf(0, at)) {
    records.push(pathFromBytes(bytes.subarray(at, end)))
  }
  return records
}

/** The workspace's files, one line for each. What the server itself puts there is left out. */
export const workspaceTree = (workspace: SessionWorkspace): string[] =>
  [...workspace.entries()].map(treeLine).filter(isSynced).sort()

function treeLine(entry: WorkspaceEntry): string {
  const mode = entry.mode.toString(8)
  if (entry.kind === 'directory') return `${entry.path} d ${mode}`
  return entry.kind === 'link' ? `${entry.path} l ${entry.target}` : `${entry.path} f ${mode} ${entry.hash}`
}

const isSynced = (line: string) => !/^(code_env|code_run|logs)(\/| )/.test(line)
