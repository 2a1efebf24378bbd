import type { WorkspacePath } from '../core/workspace-path.ts'

/**
 * Runner of commands over the session's workspace, in its sandbox: makes the sandbox when there is none, pushes the files
 * that it lacks, runs, pulls the changes and commits them. A tool sees nothing else of the sandbox.
 */
export interface Runner {
  /**
   * Runs a command. A non-zero exit code is an answer, not an error; so is a deadline (`timedOut`).
   * @throws FailureError `upstream` when no sandbox can be had or it ended while the command ran.
   */
  run(command: Command): Promise<CommandResult>
}

export interface Command {
  /** Bash script. It runs in `cwd`, with the task's virtual environment first on its PATH. */
  readonly script: string
  /** Working directory, relative to the workspace root; made when it is not there. */
  readonly cwd: WorkspacePath
  /** Environment variables of this command alone. Values never reach history or logs. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * Input besides the workspace's files. Before the command begins the stream is written into a file, whose path the variable
   * {@link INPUT_FILE} holds, and which is removed with the command. Opened again where the sandbox was gone.
   */
  readonly input?: () => Promise<ReadableStream<Uint8Array>>
  /**
   * Deadline in wall-clock milliseconds. The result comes soon after it, whatever goes on in the sandbox, with as much
   * output as could be fetched; all processes of the command are ended then, and the next command waits for that.
   */
  readonly timeoutMs: number
  /** Length of each output in the result, in UTF-16 units; what is longer is cut. Default: the MAX_OUTPUT_BYTES that are fetched. */
  readonly maxChars?: number
  /** Longest time from the deadline to the result. Default DEADLINE_ANSWER_MS. */
  readonly answerMs?: number
  /** Least time that the sandbox stays awake, for processes that go on after the command. */
  readonly awakeMs?: number
  /** Texts to mask in the result: replaced by `***`. */
  readonly secrets?: readonly string[]
  /** True for a command whose output is for the call's client, which may follow it while it runs. */
  readonly isShown?: true
  /**
   * Answers calls of the command's program: it writes each as a line to the descriptor that the variable {@link CALLS_VARIABLE} holds,
   * and reads an answer as a line there. Lines are hostile, at most MAX_CODE_CALLS_AT_ONCE at once, and
   * empty where they were longer than MAX_CODE_CALL_BYTES. The variable is missing where the
   * sandbox has no way for calls. Never rejects.
   */
  readonly calls?: (line: string, hasFiles: HasFiles) => Promise<string>
  /**
   * Part of the tool's answer that is not in the result (`Tool.answerOf`), as JSON and without secrets, where this is its one command: one
   * that may last longer than LASTING_COMMAND_MS is answered so when a restart has cut it off from its call.
   */
  readonly answer?: object
  /** Word in the file names of a capped output: `logs/<label>-<call>.stdout.txt`. */
  readonly label: string
}

/** Environment variable of a command that has an `input`. */
export const INPUT_FILE = 'TOOLYARD_INPUT'

/** Whether the workspace has all changes that the sandbox had when a call was made there: no look at the sandbox is needed then. */
export type HasFiles = () => boolean

/** Environment variable of a command whose program may make `calls`, and the descriptor that it names. */
export const CALLS_VARIABLE = 'TOOLYARD_CALLS'
export const CALLS_DESCRIPTOR = 3

/** A piece of what a running command prints. `skipped`: bytes before it that came faster than they are followed. */
export interface LivePiece {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
  readonly skipped?: number
}

/** Somebody who follows what a call prints while it runs. */
export interface LiveFollower {
  readonly print: (piece: LivePiece) => void
  /** Seconds for which something runs before the follower hears of it: 0 from its beginning on. */
  readonly afterSeconds: number
}

export interface CommandResult {
  /** Exit code: -1 when the command was killed; 128 + signal when a signal ended it. */
  readonly exitCode: number
  readonly stdout: Output
  readonly stderr: Output
  readonly timedOut: boolean
  /** Time from the command's begin to its end as seen from outside, in milliseconds. */
  readonly ms?: number
  /** Files changed on both sides; the later change won, the other is kept in the workspace's history. */
  readonly conflicts: readonly WorkspacePath[]
  /** Files that the command changed; left out when there are none, or when they are taken over after the answer. */
  readonly changed?: ChangedFiles
  /** Files left in the sandbox and why, e.g. larger than MAX_FILE_BYTES. */
  readonly notes: readonly string[]
  /** Number of sandboxes that this session has had; above 1 when one was replaced. */
  readonly generation: number
  /** Restored content: set on the first command of a sandbox that replaced another. */
  readonly restored?: {
    readonly files: number
    readonly packages: readonly string[]
    readonly failed: readonly string[]
  }
}

/** Files and links that changed while a command ran. Directories that are kept out of the workspace, such as code_env, are not looked at. */
export interface ChangedFiles {
  readonly files: readonly FileChange[]
  /** Number of further files, which are not named. */
  readonly more: number
  /** Number of files below directories `.git`, which are neither named nor among `more`. */
  readonly inGit?: number
  /** True when other commands or background processes ran meanwhile: their changes are among these. */
  readonly isShared: boolean
}

export interface FileChange {
  readonly path: WorkspacePath
  readonly change: 'created' | 'modified' | 'deleted'
  /** Size in bytes; left out for a deleted file. */
  readonly size?: number
}

export interface Output {
  /** Output decoded as UTF-8, other bytes replaced. Of a long one its head and tail, with a line between them. */
  readonly text: string
  /** Size of the whole output. */
  readonly bytes: number
  /** True when `text` is not the whole output. */
  readonly isCut?: true
  /** File with the whole output, when `text` is cut. */
  readonly file?: WorkspacePath
}
