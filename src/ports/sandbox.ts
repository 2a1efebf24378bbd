/**
 * Linux machines that run untrusted code, each with bash, python3 and tar, and a home at `SANDBOX_HOME` that is its own
 * user's. `src/adapters/providers.ts` has those who give them; `test/contract/sandbox.ts` is what each must do.
 */
export interface SandboxHost {
  /**
   * Cannot be cut short: a machine that nobody waits for would be nobody's.
   * @throws FailureError `upstream` when no machine can be had now, `rate_limited` when the account is full.
   */
  create(options: SandboxOptions): Promise<Sandbox>
  /** Wakes a paused one, and keeps it from pausing for `idleMs`. @returns null when it is gone. @throws as {@link create} */
  connect(id: string, idleMs: number, signal: AbortSignal): Promise<Sandbox | null>
  /** Stops it, with what its processes hold in memory, until {@link connect}. @returns false when it is gone. */
  pause(id: string, signal: AbortSignal): Promise<boolean>
  /** Ends all its processes and starts it again with its files. @returns null when it is gone, or cannot do that. */
  reboot(id: string, signal: AbortSignal): Promise<Sandbox | null>
  /** Ends it, with all that runs in it. Ending what is gone already is not an error. */
  kill(id: string): Promise<void>
  /** Ends all that were created with these labels, and perhaps others: for one that was asked for and whose id never came. */
  killLabelled(labels: Readonly<Record<string, string>>): Promise<void>
}

export interface SandboxOptions {
  /** For people who look at the account, and for {@link SandboxHost.killLabelled}: never a secret. */
  readonly labels: Readonly<Record<string, string>>
  /** Pauses itself after this long without a request. */
  readonly idleMs: number
  readonly internet: boolean
}

/**
 * One machine. Any method may find it gone: then it throws {@link SandboxGone}, and a new one must be made.
 * Paths are absolute, inside the machine.
 */
export interface Sandbox {
  readonly id: string
  /**
   * Runs `script` in bash and waits for it. What commands left in the machine's home, such as a `.bash_profile` or a
   * program called `tar`, is not used: PATH names the machine's own directories, and {@link COMMAND_PATH} holds the
   * one that commands should have. Output is text and held in memory: let scripts cap what they print.
   * A non-zero exit code is an answer, not an error.
   * @throws FailureError `timeout` at `timeoutMs`; the script's own process is killed, what it started may live on.
   */
  run(script: string, options: RunOptions): Promise<RunResult>
  /** Writes small files whole. Directories on the way are made. */
  write(files: readonly SandboxFile[], signal: AbortSignal): Promise<void>
  /** Writes one file of any size. */
  writeStream(path: string, content: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void>
  /** @returns null when there is no such file. */
  read(path: string, signal: AbortSignal): Promise<Uint8Array | null>
  /** @returns null when there is no such file. */
  readStream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null>
  /** Keeps it from pausing for this long from now. */
  extend(idleMs: number): Promise<void>
  /** As {@link run}, for a script that goes on whoever watches, and reads what {@link Watched.write} gives it. */
  begin(script: string, options: WatchOptions): Promise<Watched>
  /** Watches one that was begun, from now on. @returns null when it has ended. */
  watch(pid: number, options: WatchOptions): Promise<Watched | null>
}

/** A script that goes on, as somebody watches it. */
export interface Watched {
  readonly pid: number
  /** Into its stdin, whole. @returns false when it has ended, or reads no more: nothing of it arrived then. */
  write(text: string, signal: AbortSignal): Promise<boolean>
  /** Opens a way into its stdin that costs less for each text. It ends with the watching. */
  input(): ProcessInput
  /** It goes on without. */
  leave(): void
}

/** A stream of texts into a script's stdin, in their order. Nobody says whether one arrived. */
export interface ProcessInput {
  /** @returns false when the stream takes nothing now: nothing of the text was sent */
  write(text: string): boolean
  close(): void
}

export interface WatchOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** On stdout. */
  readonly printed: (text: string) => void
  /** It ended, or cannot be watched any more. @param why the machine does not run; null when it does, or nobody can tell @param isBroken the connection ended before the script */
  readonly ended: (why: SandboxGone | null, isBroken?: boolean) => void
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface RunResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface SandboxFile {
  readonly path: string
  readonly content: Uint8Array
}

/** The shell variable that holds the PATH for commands. */
export const COMMAND_PATH = 'TOOLYARD_COMMAND_PATH'

/** The machine's own directories: what code of a task may have put on its PATH is for its own commands. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * The machine ended (crash, kill, time-out of its host), or does not do as it should: it takes no more processes, its
 * files cannot be listed. The message says which, for a model to read.
 */
export class SandboxGone extends Error {
  override readonly name: string = 'SandboxGone'
}

/**
 * The machine does not run, and it did not say that it began with what was asked. When its host does not know it any
 * more, that can be asked of another.
 */
export class SandboxNotThere extends SandboxGone {
  override readonly name = 'SandboxNotThere'
}
