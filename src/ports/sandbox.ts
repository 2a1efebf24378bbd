import type { Internet } from '../core/internet.ts'
import type { SandboxPlan } from '../core/limits/sandbox-plans.ts'

/**
 * Host of Linux machines that run untrusted code, each with bash, python3 and tar, and a home at `SANDBOX_HOME` that
 * belongs to its own user. `src/adapters/providers.ts` lists the providers; `test/contract/sandbox.ts` has each one's
 * duties.
 */
export interface SandboxHost {
  /** Limits of the account; null where nothing is known to limit it. A longer `idleMs` than its longest run is cut to that. */
  readonly plan: SandboxPlan | null
  /**
   * Creates a machine. This cannot be aborted: a machine without a waiting caller would have no owner.
   * @throws FailureError `upstream` when no machine can be had now, `rate_limited` when the account is full.
   */
  create(options: SandboxOptions): Promise<Sandbox>
  /**
   * Wakes a paused machine, and keeps it from pausing for `idleMs`; one that runs, for as long as it was told before at least.
   * @returns null when it is gone.
   * @throws as {@link create}
   */
  connect(id: string, idleMs: number, signal: AbortSignal): Promise<Sandbox | null>
  /**
   * Stops a machine, keeping what its processes hold in memory, until {@link connect}.
   * @returns false when it is gone.
   */
  pause(id: string, signal: AbortSignal): Promise<boolean>
  /** Whether a machine is paused, asked without waking it. False for one that is gone. */
  isPaused(id: string, signal: AbortSignal): Promise<boolean>
  /**
   * Ends all processes of a machine and starts it again with its files.
   * @returns null when it is gone, or cannot do that.
   */
  reboot(id: string, signal: AbortSignal): Promise<Sandbox | null>
  /** Ends a machine, with all that runs in it. Ending a machine that is gone already is not an error. */
  kill(id: string): Promise<void>
  /** Ends all machines that were created with these labels, and perhaps others: for a requested one whose id never came. */
  killLabelled(labels: Readonly<Record<string, string>>): Promise<void>
}

export interface SandboxOptions {
  /** Labels for people who look at the account, and for {@link SandboxHost.killLabelled}: never a secret. */
  readonly labels: Readonly<Record<string, string>>
  /** Time without a request after which the machine pauses itself. */
  readonly idleMs: number
  /** Policy for all that runs in the machine. Code in it, as any user, cannot go around it. */
  readonly internet: Internet
}

/**
 * One machine. Any method may find it gone: then it throws {@link SandboxGone}, and a new one must be made. Paths are absolute,
 * inside the machine.
 */
export interface Sandbox {
  readonly id: string
  /**
   * Runs `script` in bash and waits for it. Nothing that commands left in the machine's home, such as a `.bash_profile` or
   * a program called `tar`, is used: PATH names the machine's own directories, and {@link COMMAND_PATH} holds the one that
   * commands should have. Output is text and held in memory: let scripts cap what they print. A non-zero exit code is an
   * answer, not an error.
   * @throws FailureError `timeout` at `timeoutMs`; the script's own process is killed, and processes that it started may
   * live on.
   */
  run(script: string, options: RunOptions): Promise<RunResult>
  /** Writes small files whole. Directories on the way are made. */
  write(files: readonly SandboxFile[], signal: AbortSignal): Promise<void>
  /** Writes one file of any size. */
  writeStream(path: string, content: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void>
  /**
   * Content of a file.
   * @returns null when there is no such file.
   */
  read(path: string, signal: AbortSignal): Promise<Uint8Array | null>
  /**
   * Content of a file as a stream.
   * @returns null when there is no such file.
   */
  readStream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null>
  /** Keeps the machine from pausing for this long from now, and no longer, whatever it was told before. */
  extend(idleMs: number): Promise<void>
  /**
   * Starts a script that goes on whether or not it is watched, and reads the input of {@link Watched.write}; otherwise as
   * {@link run}.
   */
  begin(script: string, options: WatchOptions): Promise<Watched>
  /**
   * Watches a started script, from now on.
   * @returns null when it has ended.
   */
  watch(pid: number, options: WatchOptions): Promise<Watched | null>
}

/** A running script, as one watcher sees it. */
export interface Watched {
  readonly pid: number
  /**
   * Writes the whole text into the script's stdin.
   * @returns false when the script has ended, or reads no more: nothing of it arrived then.
   */
  write(text: string, signal: AbortSignal): Promise<boolean>
  /**
   * Opens a stream into the script's stdin that costs less for each text. It ends with the watching.
   * @returns null while no connection can be spared for it
   */
  input(): ProcessInput | null
  /** Stops watching; the script goes on. */
  leave(): void
}

/** A stream of texts into a script's stdin, in their order. Arrival is not confirmed. */
export interface ProcessInput {
  /**
   * Sends a text.
   * @returns false when the stream takes nothing now: nothing of the text was sent
   */
  write(text: string): boolean
  close(): void
}

export interface WatchOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Called with the script's output on stdout. */
  readonly printed: (text: string) => void
  /**
   * Called when the script ended, or cannot be watched any more.
   * @param why the machine does not run; null when it does, or nobody can tell
   * @param isBroken the connection ended before the script
   */
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

/**
 * Directories of the machine's own programs. A directory that code of a task puts on its PATH serves the task's own
 * commands only.
 */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Error for a machine that ended (crash, kill, time-out of its host), or is broken: it takes no more processes, its files cannot
 * be listed. The message says which, for a model to read.
 */
export class SandboxGone extends Error {
  override readonly name: string = 'SandboxGone'
}

/** Error for a machine whose disk has no room for what it was given. One that was new will have none the next time. */
export class SandboxFull extends SandboxGone {
  override readonly name: string = 'SandboxFull'
}

/**
 * Error for a machine that does not run and did not confirm that it began the request. When its host does not know it any more,
 * another machine can take the request.
 */
export class SandboxNotThere extends SandboxGone {
  override readonly name: string = 'SandboxNotThere'
}
