import {
  CommandExitError,
  type CommandResult,
  Sandbox as E2bSandbox,
  FileNotFoundError,
  type FilesystemReadOpts,
  NotEnoughSpaceError,
  RateLimitError,
  SandboxError,
  SandboxNotFoundError,
  ServiceBusyError,
  TimeoutError,
} from 'e2b'
import { FailureError, fail } from '../core/failure.ts'
import { MAX_SCRIPT_OUTPUT_CHARS, SANDBOX_BOOT_MS } from '../core/limits.ts'
import { SANDBOX_HOME } from '../core/workspace-path.ts'
import {
  COMMAND_PATH,
  type RunOptions,
  type RunResult,
  type Sandbox,
  type SandboxFile,
  SandboxGone,
  type SandboxHost,
  type SandboxOptions,
} from '../ports/sandbox.ts'

export interface E2bConfig {
  readonly apiKey: string
  /** Both unset: E2B's cloud. Both set: a host that speaks the same protocol. */
  readonly apiUrl?: string
  readonly sandboxUrl?: string
  /** Name of the template a sandbox is made from. */
  readonly template: string
}

/** How long a request that is not a command may take, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000
/** Files are carried in one request; large ones over a slow link take their time. */
const TRANSFER_TIMEOUT_MS = 10 * 60_000

/** The `SandboxHost` port over the E2B SDK: the cloud and the local host differ by two URLs only. */
export function e2bSandboxHost({ template, ...connection }: E2bConfig): SandboxHost {
  const options = { ...connection, validateApiKey: false, requestTimeoutMs: REQUEST_TIMEOUT_MS }
  return {
    async create({ metadata, idleMs, internet }: SandboxOptions) {
      try {
        const sandbox = await E2bSandbox.create(template, {
          ...options,
          requestTimeoutMs: SANDBOX_BOOT_MS,
          metadata: { ...metadata },
          timeoutMs: idleMs,
          allowInternetAccess: internet,
          lifecycle: { onTimeout: 'pause', autoResume: true },
        })
        return new E2bMachine(sandbox)
      } catch (thrown) {
        return refuseCreation(thrown)
      }
    },

    async connect(id, idleMs, signal) {
      try {
        return new E2bMachine(await E2bSandbox.connect(id, { ...options, timeoutMs: idleMs, signal }))
      } catch (thrown) {
        return thrown instanceof SandboxNotFoundError ? null : refuseCreation(thrown)
      }
    },

    async reboot(id, signal) {
      try {
        await E2bSandbox.pause(id, { ...options, keepMemory: false, signal })
        return new E2bMachine(await E2bSandbox.connect(id, { ...options, onResume: 'reboot', signal }))
      } catch (thrown) {
        const hasRefused = thrown instanceof SandboxError && !(thrown instanceof TimeoutError) && !isBusy(thrown)
        return hasRefused ? null : refuseCreation(thrown)
      }
    },

    async kill(id) {
      await E2bSandbox.kill(id, options)
    },

    async killLabelled(labels) {
      const found = E2bSandbox.list({ ...options, query: { metadata: { ...labels } } })
      while (found.hasNext) {
        for (const { sandboxId } of await found.nextItems()) await E2bSandbox.kill(sandboxId, options)
      }
    },
  }
}

const isBusy = (thrown: unknown) => thrown instanceof RateLimitError || thrown instanceof ServiceBusyError

function refuseCreation(cause: unknown): never {
  if (isBusy(cause)) {
    fail('limit_exceeded', 'no sandbox is free now; try again in a minute', { cause })
  }
  fail('upstream', 'no sandbox could be started; try again, and tell the owner of this server if it stays', { cause })
}

/**
 * The SDK always starts a login shell, which would read what commands wrote into their home; so it begins in another.
 * One line, before the script's own first.
 */
const START = `export HOME=${SANDBOX_HOME}; ${COMMAND_PATH}=$PATH; PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; `
const START_ENV = { HOME: '/', BASH_ENV: '' }

class E2bMachine implements Sandbox {
  readonly #sandbox: E2bSandbox

  constructor(sandbox: E2bSandbox) {
    this.#sandbox = sandbox
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
    try {
      const result = await exited(() =>
        this.#sandbox.commands.run(START + script, {
          timeoutMs,
          requestTimeoutMs: REQUEST_TIMEOUT_MS,
          signal: AbortSignal.any([signal, flood.signal]),
          envs: { ...env, ...START_ENV },
          onStdout: count,
          onStderr: count,
          ...(cwd !== undefined && { cwd }),
        }),
      )
      return { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr }
    } catch (cause) {
      signal.throwIfAborted()
      if (flood.signal.aborted) throw new SandboxGone('the sandbox printed without end', { cause })
      if (cause instanceof TimeoutError && (await this.#isRunning()) !== false) timedOut(cause)
      // Whether and how far the script ran is not known, so it cannot be run again.
      if (cause instanceof RateLimitError)
        throw new SandboxGone('the sandbox has no room for another process', { cause })
      throw new SandboxGone('the sandbox ended while this ran: it was killed, or its disk is full', { cause })
    }
  }

  async write(files: readonly SandboxFile[], signal: AbortSignal): Promise<void> {
    await this.#guard(() =>
      this.#sandbox.files.write(
        files.map(({ path, content }) => ({ path, data: exactBuffer(content) })),
        { requestTimeoutMs: TRANSFER_TIMEOUT_MS, signal },
      ),
    )
  }

  async writeStream(path: string, content: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
    await this.#guard(() =>
      this.#sandbox.files.write(path, content, {
        requestTimeoutMs: TRANSFER_TIMEOUT_MS,
        useOctetStream: true,
        signal,
      }),
    )
  }

  async read(path: string, signal: AbortSignal): Promise<Uint8Array | null> {
    return this.#guard(() =>
      nullWhenMissing(() => this.#sandbox.files.read(path, { ...READ_OPTIONS, format: 'bytes', signal })),
    )
  }

  async readStream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null> {
    return this.#guard(() =>
      nullWhenMissing(() => this.#sandbox.files.read(path, { ...READ_OPTIONS, format: 'stream', signal })),
    )
  }

  async extend(idleMs: number): Promise<void> {
    await this.#guard(() => this.#sandbox.setTimeout(idleMs))
  }

  /** Tells a machine that is gone from one that is slow: the SDK says `TimeoutError` for both. */
  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof FailureError || (cause instanceof Error && cause.name === 'AbortError')) throw cause
      const isRunning = await this.#isRunning()
      if (isRunning === false || (isRunning === null && cause instanceof SandboxNotFoundError)) {
        throw new SandboxGone('the sandbox is gone', { cause })
      }
      if (cause instanceof NotEnoughSpaceError) throw new SandboxGone('the disk of the sandbox is full', { cause })
      if (cause instanceof TimeoutError) timedOut(cause)
      return fail('upstream', 'the sandbox could not be reached; try again', { cause })
    }
  }

  /** @returns null when nobody can tell */
  #isRunning(): Promise<boolean | null> {
    return this.#sandbox.isRunning({ requestTimeoutMs: 5_000 }).catch(() => null)
  }
}

const timedOut = (cause: unknown): never => fail('timeout', 'the sandbox did not answer in time; try again', { cause })

/** However it ended: the SDK throws what did not end with 0. */
async function exited(run: () => Promise<CommandResult>): Promise<RunResult> {
  try {
    return await run()
  } catch (thrown) {
    if (thrown instanceof CommandExitError) return thrown
    throw thrown
  }
}

const READ_OPTIONS = { requestTimeoutMs: TRANSFER_TIMEOUT_MS } satisfies FilesystemReadOpts

async function nullWhenMissing<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (thrown) {
    if (thrown instanceof FileNotFoundError) return null
    throw thrown
  }
}

/** The SDK sends the whole buffer behind a view, so a view of a part needs a copy. */
const exactBuffer = (bytes: Uint8Array): ArrayBuffer =>
  bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes.buffer as ArrayBuffer)
    : bytes.slice().buffer
