import type { WorkspacePath } from '../core/workspace-path.ts'

/**
 * Runs commands over the session's workspace, in its sandbox: makes the machine when there is none, pushes what it
 * lacks, runs, pulls what changed and commits it. This is all that a tool sees of the sandbox.
 */
export interface Runner {
  /**
   * A non-zero exit code is an answer, not an error; so is a deadline (`timedOut`).
   * @throws FailureError `upstream` when no sandbox can be had or it ended while the command ran.
   */
  run(command: Command): Promise<CommandResult>
}

export interface Command {
  /** For bash. Runs in `cwd`, with the task's virtual environment first on its PATH. */
  readonly script: string
  /** Relative to the workspace root; made when it is not there. */
  readonly cwd: WorkspacePath
  /** For this command alone. Values never reach history or logs. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * What the command reads beside the workspace's files. Before it begins the stream is written into a file, whose path
   * the variable {@link INPUT_FILE} holds, and which goes with the command. Opened again where the machine was gone.
   */
  readonly input?: () => Promise<ReadableStream<Uint8Array>>
  /**
   * Wall clock. Soon after it the result comes, whatever goes on in the machine, with what was printed so far as far as
   * it could be had; all that the command started is ended then, and the next command waits for that.
   */
  readonly timeoutMs: number
  /** Longest time from the deadline to the result. Default DEADLINE_ANSWER_MS. */
  readonly answerMs?: number
  /** The machine stays awake for that long at least, for what goes on in it after the command. */
  readonly awakeMs?: number
  /** Texts that must not appear in what comes back: replaced by `***`. */
  readonly secrets?: readonly string[]
  /** Where the files of a capped output go: `logs/<label>-<call>.stdout.txt`. A word. */
  readonly label: string
}

/** Environment variable of a command that has an `input`. */
export const INPUT_FILE = 'TOOLYARD_INPUT'

export interface CommandResult {
  /** -1 when it was killed. 128 + signal when a signal ended it. */
  readonly exitCode: number
  readonly stdout: Output
  readonly stderr: Output
  readonly timedOut: boolean
  /** Time from the command's begin to its end as it was seen from outside, in milliseconds. */
  readonly ms?: number
  /** Files that were changed on both sides; the later change won, the other is kept in the workspace's history. */
  readonly conflicts: readonly WorkspacePath[]
  /** Files that were left in the sandbox and why, e.g. larger than MAX_FILE_BYTES. */
  readonly notes: readonly string[]
  /** How many machines this session has had; above 1 when one was replaced. */
  readonly generation: number
  /** Set on the first command of a machine that replaced another: what was put back. */
  readonly restored?: {
    readonly files: number
    readonly packages: readonly string[]
    readonly failed: readonly string[]
  }
}

export interface Output {
  /** Decoded as UTF-8; what is not UTF-8 is replaced. Head and tail, with a line between them, when it was capped. */
  readonly text: string
  /** Of the whole output. */
  readonly bytes: number
  /** The file that has the whole, when `text` has not. */
  readonly file?: WorkspacePath
}
