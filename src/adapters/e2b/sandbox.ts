import {
  ALL_TRAFFIC,
  AuthenticationError,
  CommandExitError,
  type CommandHandle,
  FileNotFoundError,
  NotEnoughSpaceError,
  NotFoundError,
  RateLimitError,
  SandboxError,
  SandboxNotFoundError,
  Sandbox as SdkSandbox,
  ServiceBusyError,
  TimeoutError,
} from '@e2b/code-interpreter'
import { withAnySignal } from '../../core/any-signal.ts'
import { FailureError, fail } from '../../core/failure.ts'
import type { Internet } from '../../core/internet.ts'
import { MAX_SCRIPT_OUTPUT_CHARS, SANDBOX_BOOT_MS } from '../../core/limits/sandbox.ts'
import type { SandboxPlan } from '../../core/limits/sandbox-plans.ts'
import { noSandboxFailure } from '../../core/rate-limited.ts'
import { operator, say } from '../../core/saying/saying.ts'
import { withTimeLimit } from '../../core/time-limit.ts'
import { SANDBOX_HOME } from '../../core/workspace-path.ts'
import {
  COMMAND_PATH,
  type ProcessInput,
  type RunOptions,
  type RunResult,
  type Sandbox,
  type SandboxFile,
  SandboxFull,
  SandboxGone,
  type SandboxHost,
  SandboxNotThere,
  type SandboxOptions,
  SYSTEM_PATH,
  type Watched,
  type WatchOptions,
} from '../../ports/sandbox.ts'
import { type OpenRequests, openRequests } from '../open-requests.ts'
import { type AgentAddress, hearProcess, openInput } from './process.ts'

export interface E2bConfig {
  readonly apiKey: string
  /** URL of the host's API. Both URLs unset: E2B's cloud. Both set: a host that speaks the same protocol. */
  readonly apiUrl?: string
  readonly sandboxUrl?: string
  /** Name of the template that sandboxes are made from. */
  readonly template: string
  /** True for a server on its owner's machine, whose caller can start a sandbox host. */
  readonly isLocal?: boolean
  /** Limits of the account; left out where that is not known. */
  readonly plan?: SandboxPlan
  /** Places of the calling object for requests. */
  readonly open?: Pick<OpenRequests, 'toSandbox' | 'hold'>
}

/** Time for a request that is not a command, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000
/** Time for one file transfer, which is one request; large files over a slow link take long. */
const TRANSFER_TIMEOUT_MS = 10 * 60_000

/** Time to pause a sandbox: E2B takes some four seconds for each GiB of memory. */
const PAUSE_TIMEOUT_MS = 50_000

/** Time for a health check, which is made when something went wrong, while the caller waits. */
const HEALTH_TIMEOUT_MS = 5_000

/** Settings that switch off the SDK's own time limits, which are not taken back when a request has ended; see `withTimeLimit`. */
const OWN_TIME_LIMITS = { requestTimeoutMs: 0 }
const NEVER = new AbortController().signal

/** The `SandboxHost` port over the E2B SDK: the cloud and the local host differ by two URLs only. */
export function e2bSandboxHost({
  template,
  isLocal = false,
  plan,
  open = openRequests(),
  ...connection
}: E2bConfig): SandboxHost {
  /** Makes a request, whose time begins when it has a place. */
  const ask = <T>(limitMs: number, signal: AbortSignal, work: (limited: AbortSignal) => Promise<T>) =>
    open.toSandbox(() => withTimeLimit(limitMs, signal, work), signal)
  const options = { ...connection, ...OWN_TIME_LIMITS, validateApiKey: false }
  const longestRunMs = plan?.longestRunMs ?? Number.POSITIVE_INFINITY
  /** E2B refuses a longer time than the plan has. */
  const granted = (idleMs: number) => Math.min(idleMs, longestRunMs)
  return {
    plan: plan ?? null,

    async create({ labels, idleMs, internet }: SandboxOptions) {
      try {
        const sandbox = await ask(SANDBOX_BOOT_MS, NEVER, (signal) =>
          E2bSandbox.create(template, {
            ...options,
            metadata: { ...labels },
            timeoutMs: granted(idleMs),
            allowInternetAccess: internet !== false,
            network: networkOf(internet),
            lifecycle: { onTimeout: 'pause', autoResume: true },
            signal,
          }),
        )
        return new E2bMachine(sandbox, longestRunMs, open)
      } catch (thrown) {
        return refuseCreation(thrown, isLocal)
      }
    },

    async connect(id, idleMs, signal) {
      try {
        const sandbox = await ask(REQUEST_TIMEOUT_MS, signal, (limited) =>
          E2bSandbox.connect(id, { ...options, timeoutMs: granted(idleMs), signal: limited }),
        )
        return new E2bMachine(sandbox, longestRunMs, open)
      } catch (thrown) {
        return thrown instanceof SandboxNotFoundError ? null : refuseCreation(thrown, isLocal)
      }
    },

    async pause(id, signal) {
      try {
        await ask(PAUSE_TIMEOUT_MS, signal, (limited) =>
          E2bSandbox.pause(id, { ...options, keepMemory: true, signal: limited }),
        )
        return true
      } catch (thrown) {
        if (thrown instanceof SandboxNotFoundError) return false
        return fail('upstream', 'the sandbox could not be paused; it is tried again', { cause: thrown })
      }
    },

    async isPaused(id, signal) {
      try {
        const { state } = await ask(REQUEST_TIMEOUT_MS, signal, (limited) =>
          E2bSandbox.getInfo(id, { ...options, signal: limited }),
        )
        return state === 'paused'
      } catch (thrown) {
        if (thrown instanceof SandboxNotFoundError) return false
        return fail('upstream', 'the sandbox could not be looked at; it is tried again', { cause: thrown })
      }
    },

    async reboot(id, signal) {
      try {
        const sandbox = await ask(REQUEST_TIMEOUT_MS, signal, async (limited) => {
          await E2bSandbox.pause(id, { ...options, keepMemory: false, signal: limited })
          return E2bSandbox.connect(id, { ...options, onResume: 'reboot', signal: limited })
        })
        return new E2bMachine(sandbox, longestRunMs, open)
      } catch (thrown) {
        const hasRefused = thrown instanceof SandboxError && !isTimeout(thrown) && !isBusy(thrown)
        return hasRefused ? null : refuseCreation(thrown, isLocal)
      }
    },

    async kill(id) {
      await ask(REQUEST_TIMEOUT_MS, NEVER, (signal) => E2bSandbox.kill(id, { ...options, signal }))
    },

    async killLabelled(labels) {
      // This request is the only one that takes no signal.
      const limited = { ...options, requestTimeoutMs: REQUEST_TIMEOUT_MS }
      const found = E2bSandbox.list({ ...limited, query: { metadata: { ...labels } } })
      await open.toSandbox(async () => {
        while (found.hasNext) {
          for (const { sandboxId } of await found.nextItems()) await E2bSandbox.kill(sandboxId, limited)
        }
      })
    },
  }
}

const isBusy = (thrown: unknown) => thrown instanceof RateLimitError || thrown instanceof ServiceBusyError

/** Advice on the owner's machine, where `wrangler dev` alone runs no sandbox host: the caller can start one. */
const START_A_HOST =
  'no sandbox could be started; try again. No sandbox host answered: "npx wrangler dev" needs "npm run sandboxd" beside it, or E2B_API_KEY in .dev.vars, and is then started again'
const NO_KEY = say`code cannot be run on this server; use tools that read and write files${operator(
  '. E2B_API_KEY is not set, or E2B does not take it: npx wrangler secret put E2B_API_KEY --env production',
)}`

function refuseCreation(cause: unknown, isLocal: boolean): never {
  if (isBusy(cause)) throw new FailureError(noSandboxFailure('no sandbox is free now'), { cause })
  const isRefused = cause instanceof AuthenticationError
  const isAnswer = cause instanceof SandboxError || isTimeout(cause)
  if (isLocal && (isRefused || !isAnswer)) fail('upstream', START_A_HOST, { cause })
  if (isRefused) fail('upstream', NO_KEY, { cause })
  fail('upstream', 'no sandbox could be started; try again, and report it if it stays', { cause })
}

/**
 * The SDK always starts a login shell, which would read what commands wrote into their home; so it begins in another.
 * One line, before the script's own first.
 */
const START = `export HOME=${SANDBOX_HOME}; ${COMMAND_PATH}=$PATH; PATH=${SYSTEM_PATH}; `

/**
 * Command and environment for a script. A command stands in every process list of the sandbox, and `pkill -f` finds a shell by
 * its words; so the script comes by a variable, which the shell removes before the script's first line.
 */
const COMMAND = `eval "$TOOLYARD_SCRIPT"`
const started = (script: string, env: Readonly<Record<string, string>> | undefined) => ({
  ...env,
  HOME: '/',
  BASH_ENV: '',
  TOOLYARD_SCRIPT: `unset TOOLYARD_SCRIPT; ${START}${script}`,
})

/** The SDK's sandbox with the address of its agent. */
class E2bSandbox extends SdkSandbox {
  get agent(): AgentAddress {
    const { sandboxId, sandboxDomain, envdPort, envdAccessToken } = this
    return {
      url: this.connectionConfig.getSandboxUrl(sandboxId, { sandboxDomain, envdPort }),
      headers: {
        'E2b-Sandbox-Id': sandboxId,
        'E2b-Sandbox-Port': `${envdPort}`,
        ...(envdAccessToken !== undefined && { 'X-Access-Token': envdAccessToken }),
      },
    }
  }
}

/** E2B's rules for a machine's network. Names that it allows are for HTTP on port 80 and TLS on port 443. */
const networkOf = (internet: Internet) => ({
  // Ports that a task's code serves are for the task alone; knowing the sandbox's id opens none of them.
  allowPublicTraffic: false,
  ...(typeof internet !== 'boolean' && { allowOut: [...internet], denyOut: [ALL_TRAFFIC] }),
})

class E2bMachine implements Sandbox {
  readonly #sandbox: E2bSandbox
  readonly #longestRunMs: number
  readonly #open: Pick<OpenRequests, 'toSandbox' | 'hold'>

  constructor(sandbox: E2bSandbox, longestRunMs: number, open: Pick<OpenRequests, 'toSandbox' | 'hold'>) {
    this.#sandbox = sandbox
    this.#longestRunMs = longestRunMs
    this.#open = open
  }

  get id() {
    return this.#sandbox.sandboxId
  }

  async run(script: string, { env, cwd, timeoutMs, signal }: RunOptions): Promise<RunResult> {
    const flood = new AbortController()
    let printed = 0
    const count = (text: string) => {
      printed += text.length
      if (printed > MAX_SCRIPT_OUTPUT_CHARS) flood.abort()
    }
    let command: CommandHandle | undefined
    try {
      return await withAnySignal([signal, flood.signal], async (stopped) => {
        const begin = () =>
          this.#sandbox.commands.run(COMMAND, {
            background: true,
            timeoutMs,
            requestTimeoutMs: REQUEST_TIMEOUT_MS, // until it has started
            signal: stopped,
            envs: started(script, env),
            onStdout: count,
            onStderr: count,
            ...(cwd !== undefined && { cwd }),
          })
        command = await this.#open.toSandbox(begin, stopped)
        const { exitCode, stdout, stderr } = await exit(command)
        return { exitCode, stdout, stderr }
      })
    } catch (cause) {
      signal.throwIfAborted()
      if (flood.signal.aborted) throw new SandboxGone('the sandbox printed without end', { cause })
      const running = await this.#isRunning()
      if (running === false && !command) throw new SandboxNotThere(ENDED, { cause })
      if (isTimeout(cause) && running !== false) timedOut(cause)
      // Whether and how far the script ran is unknown, so it cannot be run again.
      if (cause instanceof RateLimitError)
        throw new SandboxGone('the sandbox has no room for another process', { cause })
      throw new SandboxGone(ENDED, { cause })
    }
  }

  async write(files: readonly SandboxFile[], signal: AbortSignal): Promise<void> {
    const entries = files.map(({ path, content }) => ({ path, data: exactBuffer(content) }))
    await this.#guard(TRANSFER_TIMEOUT_MS, signal, (limited) => this.#sandbox.files.write(entries, { signal: limited }))
  }

  async writeStream(path: string, content: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
    await this.#guard(TRANSFER_TIMEOUT_MS, signal, (limited) =>
      this.#sandbox.files.write(path, content, { useOctetStream: true, signal: limited }),
    )
  }

  async read(path: string, signal: AbortSignal): Promise<Uint8Array | null> {
    return this.#guard(TRANSFER_TIMEOUT_MS, signal, (limited) =>
      nullWhenMissing(() => this.#sandbox.files.read(path, { format: 'bytes', signal: limited })),
    )
  }

  async readStream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null> {
    // The limit holds until the content begins to come: the rest is in the reader's hands. The SDK's limit on silence would count
    // the time, too, in which this process could not listen.
    const options = { requestTimeoutMs: REQUEST_TIMEOUT_MS, streamIdleTimeoutMs: 0, format: 'stream', signal } as const
    return this.#guard(TRANSFER_TIMEOUT_MS, signal, () =>
      nullWhenMissing(() => this.#sandbox.files.read(path, options)),
    )
  }

  async extend(idleMs: number): Promise<void> {
    const granted = Math.min(idleMs, this.#longestRunMs)
    await this.#guard(REQUEST_TIMEOUT_MS, NEVER, (signal) => this.#sandbox.setTimeout(granted, { signal }))
  }

  async begin(script: string, { env, ...options }: WatchOptions): Promise<Watched> {
    const command = await this.#guard(REQUEST_TIMEOUT_MS, options.signal, (signal) =>
      this.#sandbox.commands.run(COMMAND, {
        background: true,
        stdin: true,
        envs: started(script, env),
        timeoutMs: 0,
        signal,
      }),
    )
    try {
      const watched = await this.watch(command.pid, options)
      if (watched) return watched
      options.ended(null)
      return { pid: command.pid, ...ENDED_PROCESS }
    } finally {
      void command.disconnect()
    }
  }

  async watch(pid: number, { signal, printed, ended }: WatchOptions): Promise<Watched | null> {
    const hasEnded = async (thrown: Error | null) => {
      // An agent that is killed with all others may still report the end of this process first.
      const why = (await this.#isRunning()) === false ? new SandboxGone(ENDED, { cause: thrown }) : null
      ended(why, thrown !== null)
    }
    const { agent } = this.#sandbox
    const leave = await this.#guard(REQUEST_TIMEOUT_MS, signal, (limited) =>
      hearProcess(agent, pid, { printed, ended: hasEnded }, limited),
    )
    if (!leave) return null
    let input: ProcessInput | null = null
    return {
      pid,
      write: (text, stopped) =>
        this.#guard(TRANSFER_TIMEOUT_MS, stopped, async (limited) => {
          const written = await nullWhenEnded(async () => {
            await this.#sandbox.commands.sendStdin(pid, text, { signal: limited })
            return true
          })
          return written ?? false
        }),
      input: () => {
        input?.close()
        const free = this.#open.hold()
        input = free && openInput(agent, pid, free)
        return input
      },
      leave: () => {
        input?.close()
        leave()
      },
    }
  }

  /** Distinguishes a machine that is gone from a slow one: the SDK throws `TimeoutError` for both. */
  async #guard<T>(limitMs: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await this.#open.toSandbox(() => withTimeLimit(limitMs, signal, work), signal)
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof FailureError) throw cause
      const isRunning = await this.#isRunning()
      if (isRunning === false || (isRunning === null && cause instanceof SandboxNotFoundError)) {
        throw new SandboxNotThere(ENDED, { cause })
      }
      if (isTimeout(cause)) timedOut(cause)
      if (cause instanceof NotEnoughSpaceError) throw new SandboxFull('the disk of the sandbox is full', { cause })
      if (cause instanceof SandboxError && !isBusy(cause)) {
        throw new SandboxGone('the sandbox takes no files; its disk may be full', { cause })
      }
      return fail('upstream', 'the sandbox could not be reached; try again', { cause })
    }
  }

  /**
   * Whether the machine runs.
   * @returns null when that is unknown
   */
  #isRunning(): Promise<boolean | null> {
    return withTimeLimit(HEALTH_TIMEOUT_MS, NEVER, (signal) =>
      this.#open.toSandbox(() => this.#sandbox.isRunning({ signal }), signal),
    ).catch(() => null)
  }
}

const ENDED = 'the sandbox ended while this ran: it was killed, or its disk is full'

const isTimeout = (thrown: unknown) =>
  thrown instanceof TimeoutError || (thrown instanceof DOMException && thrown.name === 'TimeoutError')

const timedOut = (cause: unknown): never => fail('timeout', 'the sandbox did not answer in time; try again', { cause })

/** Result of a command, however it ended: the SDK throws for exit codes other than 0. */
async function exit(command: CommandHandle): Promise<RunResult> {
  try {
    return await command.wait()
  } catch (thrown) {
    if (thrown instanceof CommandExitError) return thrown
    throw thrown
  }
}

async function nullWhenMissing<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (thrown) {
    if (thrown instanceof FileNotFoundError) return null
    throw thrown
  }
}

const ENDED_PROCESS: Omit<Watched, 'pid'> = {
  write: async () => false,
  input: () => ({ write: () => false, close: () => undefined }),
  leave: () => undefined,
}

async function nullWhenEnded<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof NotFoundError && !(thrown instanceof SandboxNotFoundError)) return null
    // Connect's failed_precondition and internal: its stdin is closed.
    if (thrown instanceof SandboxError && /^(?:9|13): /.test(thrown.message)) return null
    throw thrown
  }
}

/** The SDK sends the whole buffer behind a view, so a view of a part needs a copy. */
const exactBuffer = (bytes: Uint8Array): ArrayBuffer =>
  bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes.buffer as ArrayBuffer)
    : bytes.slice().buffer
