import {
  CommandExitError,
  Sandbox as E2bSandbox,
  FileNotFoundError,
  type FilesystemReadOpts,
  RateLimitError,
  SandboxNotFoundError,
  ServiceBusyError,
  TimeoutError,
} from 'e2b'
import { fail } from '../core/failure.ts'
import {
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
    async create({ metadata, idleMs, internet }: SandboxOptions, signal) {
      try {
        const sandbox = await E2bSandbox.create(template, {
          ...options,
          requestTimeoutMs: TRANSFER_TIMEOUT_MS,
          metadata: { ...metadata },
          timeoutMs: idleMs,
          allowInternetAccess: internet,
          lifecycle: { onTimeout: 'pause', autoResume: true },
          signal,
        })
        return new E2bMachine(sandbox)
      } catch (thrown) {
        return refuseCreation(thrown)
      }
    },

    async connect(id, signal) {
      try {
        return new E2bMachine(await E2bSandbox.connect(id, { ...options, signal }))
      } catch (thrown) {
        if (thrown instanceof SandboxNotFoundError) return null
        return refuseCreation(thrown)
      }
    },

    async kill(id) {
      await E2bSandbox.kill(id, options)
    },
  }
}

function refuseCreation(cause: unknown): never {
  if (cause instanceof RateLimitError || cause instanceof ServiceBusyError) {
    fail('limit_exceeded', 'no sandbox is free now; try again in a minute', { cause })
  }
  fail('upstream', 'no sandbox could be started; try again, and tell the owner of this server if it stays', { cause })
}

class E2bMachine implements Sandbox {
  readonly #sandbox: E2bSandbox

  constructor(sandbox: E2bSandbox) {
    this.#sandbox = sandbox
  }

  get id() {
    return this.#sandbox.sandboxId
  }

  async run(script: string, { env, cwd, timeoutMs, signal }: RunOptions): Promise<RunResult> {
    return this.#guard(async () => {
      try {
        const { exitCode, stdout, stderr } = await this.#sandbox.commands.run(script, {
          timeoutMs,
          requestTimeoutMs: REQUEST_TIMEOUT_MS,
          signal,
          ...(env && { envs: { ...env } }),
          ...(cwd !== undefined && { cwd }),
        })
        return { exitCode, stdout, stderr }
      } catch (thrown) {
        if (thrown instanceof CommandExitError) {
          return { exitCode: thrown.exitCode, stdout: thrown.stdout, stderr: thrown.stderr }
        }
        throw thrown
      }
    })
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
      if (cause instanceof SandboxNotFoundError) throw new SandboxGone('the sandbox is gone', { cause })
      const running = await this.#sandbox.isRunning({ requestTimeoutMs: 5_000 }).catch(() => null)
      if (running === false) throw new SandboxGone('the sandbox is gone', { cause })
      if (cause instanceof TimeoutError) fail('timeout', 'the sandbox did not answer in time; try again', { cause })
      throw cause
    }
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
