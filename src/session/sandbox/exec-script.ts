import { randomOfCallId } from '../../core/ids.ts'
import { MAX_OUTPUT_BYTES, MAX_OUTPUT_FILE_BYTES } from '../../core/limits/sandbox.ts'
import { bashLine } from '../../core/shell-quote.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { SANDBOX_ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import { COMMAND, KILL, PROCESSES, REPORT } from '../../guest/bash/programs.ts'
import { bashCall } from '../../guest/bash-program.ts'
import { COMMAND_PATH } from '../../ports/sandbox.ts'
import { HOST_AT_WORK_MARK, HOST_MARK, LEFT_BEHIND } from './marks.ts'
import { STATE_DIRECTORY } from './place.ts'
import type { Sweep } from './running-commands.ts'

/** One command for the sandbox, as the supervisor takes it, and as {@link wrap} makes bash of it. */
export interface Wrapped {
  readonly callId: string
  /** Bash; or the file in the sandbox with it, when it is too long for an argument. */
  readonly script: string | { readonly file: string }
  readonly cwd: WorkspacePath
  /** Files for whole outputs when they are capped; null to keep none. */
  readonly logs: { readonly stdout: WorkspacePath; readonly stderr: WorkspacePath } | null
  /** Size from which on the whole of an output is kept there. */
  readonly keptAboveBytes: number
  /** Port of the watcher; null when the watcher cannot be relied on. */
  readonly watchPort: number | null
  /** Count of the watcher at the last listing that was applied. */
  readonly watched: string | null
  /** Output files of earlier calls that can go. */
  readonly sweep: Sweep
}

/** A command's end, with the output that an answer needs. */
export interface Ended {
  readonly exitCode: number
  readonly stdout: Captured
  readonly stderr: Captured
  /** True when processes that the command started live on. */
  readonly background: boolean
  /** False when nothing in the workspace changed since the last listing before it began. */
  readonly changed: boolean
  /** Count of the watcher at the command's end. */
  readonly watched?: string
  /** True when an output of the command grew to MAX_COMMAND_OUTPUT_BYTES, or the sandbox's limit of a file, and the command was ended. */
  readonly flooded?: true
  /** Number of the signal that ended the command's own shell, where that is known. */
  readonly signal?: number
  /** Set when memory ran out and a process was killed for it: memory of the sandbox in MiB, 0 when unknown. */
  readonly memoryMb?: number
  /** Set when a file grew to the limit of a file: that limit in MiB, 0 when unknown. */
  readonly fileMb?: number
}

export interface Captured {
  /** Head and tail are apart when `capped`. */
  readonly head: string
  readonly tail: string
  readonly bytes: number
  readonly capped: boolean
  /** True when the rest could not be fetched: `bytes` is a lower bound then. */
  readonly isPart?: true
}

/**
 * Longest script given inline; longer ones go into a file: Linux takes 128 KiB per argument, and quoting can quadruple a text.
 */
export const MAX_INLINE_SCRIPT_CHARS = 24 * 1024

export const outputFiles = (callId: string) =>
  [`${STATE_DIRECTORY}/${callId}.out`, `${STATE_DIRECTORY}/${callId}.err`] as const

/**
 * Bash that runs one command where no supervisor does: with its output in files, of which it prints what an answer needs, and one
 * line for {@link readEnd} at the end of stderr. Starting programs is its main cost, so it uses builtins all the way when little
 * was printed. The deadline is kept from outside: {@link wrapUp} follows then.
 */
export function wrap(wrapped: Wrapped): string {
  const { callId, script, cwd, sweep } = wrapped
  const [out, err] = outputFiles(callId)
  const begun = [callId, SANDBOX_ROOT, cwd === '' ? '.' : `./${cwd}`, STATE_DIRECTORY, out, err, mark(callId)]
  // All on one line, so that bash counts the lines of the command from 1.
  const begin = [
    ...(sweep.files.length > 0 ? [`rm -f ${sweep.files.join(' ')}`] : []),
    'exec 3>&2 2>/dev/null',
    `eval ${bashLine(COMMAND)}`,
    ...(sweep.before === null ? [] : [bashCall('remove_old_output', STATE_DIRECTORY, sweep.before)]),
    bashCall('begin_command', ...begun),
    `( ${bashCall('enter_environment', `${SANDBOX_ROOT}/${VENV_DIR}`, COMMAND_PATH)}; ${wordFor(script)}`,
  ]
  return `${begin.join('; ')}
) </dev/null >${out} 2>${err} 3>&-
code=$?
${report(wrapped, '$code')}`
}

/** Bash of one line that runs a script, whose lines count from 1. */
const wordFor = (script: Wrapped['script']) =>
  typeof script === 'string' ? `eval ${bashLine(script)}` : `read -rd '' <${script.file}; eval "unset REPLY; $REPLY"`

/**
 * Bash that kills all processes of a command, then reports as {@link wrap} does: for a command whose deadline came, or whose
 * wrapper or supervisor was lost. Prints nothing that {@link readEnd} can read when some process still runs.
 * @param by the supervisor, where one was asked to run the command: a command that has not begun by now does not begin any more
 */
export function wrapUp(wrapped: Wrapped, by: { readonly pid: number | null } | null): string {
  const { callId } = wrapped
  // The process that creates the output file runs the command: see the supervisor.
  const claim = `set -C; : >${outputFiles(callId)[0]} && ${bashCall('finish_command', callId, 'unbegun')}; set +C`
  return `exec 3>&2 2>/dev/null
${COMMAND}${by ? claim : ''}
${KILL}${killMarked(callId)} || exit 1
${by?.pid ? `kill -CONT ${by.pid}` : ''}
cd ${SANDBOX_ROOT} || ${bashCall('finish_command', callId, 'gone')}
${report(wrapped, '137')}`
}

/** Bash that kills all processes of a command. It ends with 0 when none of them runs any more. */
export const killScript = (callId: string) => `exec 2>/dev/null
${KILL}${killMarked(callId)}`

const killMarked = (callId: string) => bashCall('kill_marked', mark(callId), HOST_MARK, HOST_AT_WORK_MARK)

/** @param code bash for the command's exit code */
function report({ callId, logs, keptAboveBytes, watchPort }: Wrapped, code: string): string {
  const [out, err] = outputFiles(callId)
  const kept = (log: WorkspacePath | undefined) => (log === undefined ? '/dev/null' : `${SANDBOX_ROOT}/${log}`)
  const files = [SANDBOX_ROOT, out, err, kept(logs?.stdout), kept(logs?.stderr)]
  const limits = [MAX_OUTPUT_BYTES, keptAboveBytes, MAX_OUTPUT_FILE_BYTES]
  return `${PROCESSES}${REPORT}report_command ${callId} ${code} ${bashCall('', ...files, ...limits, LEFT_BEHIND, watchPort ?? '')}`
}

/**
 * Mark of all processes of a call: the limit on file locks, which the kernel hands on to every child and no process can
 * raise again. Linux has not enforced this limit since 2.4, so it limits nothing. A process can empty its environment, and
 * leave its session and its parent; the mark stays.
 */
export const mark = randomOfCallId

/**
 * Reason why a command did not begin: no task directory, no place for its output, no such directory to run in; or its runner had
 * not begun when the command was ended.
 */
export type Unable = 'gone' | 'full' | 'cwd' | 'unbegun'

/**
 * Parses the output of a wrapped command.
 * @returns null without the last line: the wrapper itself was killed
 */
export function readEnd(
  printed: { readonly stdout: string; readonly stderr: string },
  wrapped: Wrapped,
): Ended | Unable | null {
  const mark = `\n@${wrapped.callId} `
  const at = printed.stderr.lastIndexOf(mark)
  if (at === -1) return null
  const [word, ...fields] = printed.stderr
    .slice(at + mark.length)
    .trim()
    .split(' ')
  if (word === 'gone' || word === 'full' || word === 'cwd' || word === 'unbegun') return word
  const [exitCode = -1, outBytes = 0, errBytes = 0, background = 0] = fields.map(Number)
  return {
    exitCode,
    stdout: captured(printed.stdout, outBytes, mark),
    stderr: captured(printed.stderr.slice(0, at), errBytes, mark),
    background: background > 0,
    changed: fields[4] === undefined || fields[4] !== wrapped.watched,
    ...(fields[4] !== undefined && { watched: fields[4] }),
  }
}

function captured(text: string, bytes: number, mark: string): Captured {
  const cut = bytes > MAX_OUTPUT_BYTES ? text.indexOf(`${mark}cut\n`) : -1
  if (cut === -1) return { head: text, tail: '', bytes, capped: false }
  const tail = tailOf(text.slice(cut + mark.length + 'cut\n'.length))
  return { head: headOf(text.slice(0, cut)), tail, bytes, capped: true }
}

// A character may have been cut in two.
export const headOf = (text: string) => text.replace(/\ufffd{1,3}$/, '')
export const tailOf = (text: string) => text.replace(/^\ufffd{1,3}/, '')
