import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_CONSOLE_COMMAND_MS, MAX_CONSOLE_INPUT_CHARS, SHELL_COMMAND_MS } from '../../core/limits/consoles.ts'
import type { Pending, Result } from '../../core/outcome.ts'
import { field, say } from '../../core/saying/saying.ts'
import { flag, integer, optional, seconds, withDefault } from '../arguments.ts'
import { consoleNotes } from '../console-notices.ts'
import { consoleReply } from '../console-reply.ts'
import { defineTool } from '../define.ts'
import { SHELL_AWAKE_MS } from './interactive.ts'

const NAME = 'shell_command'
const ASYNC_WAIT_MS = 5_000
const SPARE_MS = 60_000

/**
 * Runs a command in a shell. Source: XAgent ToolServer, core/tools/shell.py, shell_command_executor. Unlike there both
 * output streams are kept, a shell that exited says so, and an empty command reads on.
 */
export const shellCommand = defineTool({
  name: NAME,
  description:
    'Run a bash command in a shell of its own in the sandbox, in the task root, and wait for its end; or with ' +
    'run_async=true start it, and read on, write to it or kill it later by its shell_id. Returns exit_code, stdout and ' +
    'stderr, or shell_id while it runs.',
  effect: 'run',
  uses: ['consoles'],
  input: z.object({
    command: withDefault(z.string(), '').describe('Bash. Required without shell_id'),
    run_async: withDefault(flag, false).describe('Do not wait for the end; the shell stays. Default false'),
    shell_id: optional(integer).describe(
      'Number of a shell that runs, from 0: it gets the command; alone, what it printed so far is read at once. Default: a new shell',
    ),
    keep: withDefault(flag, false).describe(
      'Wait for the end of the command, and keep the shell with its directory and variables for more, by its shell_id. While a command runs, another one is input for it. Default false',
    ),
    interrupt: withDefault(flag, false).describe(
      'Interrupt what the shell of shell_id runs, as Ctrl-C does; with keep the shell stays. Default false',
    ),
    kill: withDefault(flag, false).describe('End the shell with all that it started. Default false'),
    timeout: optional(seconds).describe(
      `Seconds that are waited for the end, at most ${SHELL_COMMAND_MS / 1000}. Default ${SHELL_COMMAND_MS / 1000}`,
    ),
    wait_ms: optional(integer.pipe(z.int().min(0))).describe(
      `Milliseconds that this call waits, at most ${SHELL_COMMAND_MS}; then the command goes on, and the answer says how to wait for it. Default ${SHELL_COMMAND_MS}, with run_async ${ASYNC_WAIT_MS}`,
    ),
  }),

  async run(
    { command, run_async, shell_id, keep, interrupt, kill, timeout, wait_ms },
    { ports: { consoles } },
  ): Promise<Result | Pending> {
    if (command.length > MAX_CONSOLE_INPUT_CHARS) {
      fail(
        'limit_exceeded',
        `the command has ${command.length} characters; at most ${MAX_CONSOLE_INPUT_CHARS} are taken (MAX_CONSOLE_INPUT_CHARS). Write it into a file, and run that`,
      )
    }
    if (interrupt && shell_id === undefined)
      fail('invalid_input', say`${field('interrupt')} is for a shell that runs: give its ${field('shell_id')}`)
    const limitMs = Math.min((timeout ?? SHELL_COMMAND_MS / 1000) * 1000, SHELL_COMMAND_MS)
    // A shell that is only named is read: whoever waits for its end says how long.
    const isRead =
      shell_id !== undefined &&
      command === '' &&
      !kill &&
      !keep &&
      !interrupt &&
      timeout === undefined &&
      wait_ms === undefined
    const isAsync = (run_async && !keep) || isRead
    const readMs = isAsync && !isRead ? ASYNC_WAIT_MS : isRead ? 0 : limitMs
    const waitMs = Math.min(wait_ms ?? readMs, SHELL_COMMAND_MS)
    const { reply, notices } = await consoles.ask(
      {
        do: 'command',
        command,
        shell_id: shell_id ?? null,
        run_async: isAsync,
        kill,
        keep,
        ...(interrupt && { interrupt }),
        // What a kept shell runs has no deadline of its call.
        seconds: keep ? MAX_CONSOLE_COMMAND_MS / 1000 : limitMs / 1000,
        wait: waitMs / 1000,
      },
      isAsync || keep ? SHELL_AWAKE_MS : SHELL_COMMAND_MS + SPARE_MS,
    )
    const shellReply = consoleReply(Reply, reply)
    if ('pending' in shellReply)
      return waiting(shellReply, { ...(timeout !== undefined && { timeout }), wait_ms: waitMs, ...(keep && { keep }) })
    return answer(shellReply, { isAsync, keep }, consoleNotes(notices))
  },
})

const Reply = z.union([
  z.object({ unknown: z.literal(true) }),
  z.object({ closed: z.literal(true) }),
  z.object({
    shell_id: z.int(),
    pending: z.literal(true),
    stdout: z.string().optional(),
    stderr: z.string().optional(),
  }),
  z.object({
    shell_id: z.int(),
    code: z.int().nullable(),
    ended: z.string().nullable(),
    stdout: z.string(),
    stderr: z.string(),
    killed: z.boolean().optional(),
    timeout: z.boolean().optional(),
    ignored: z.boolean().optional(),
    passed: z.boolean().optional(),
  }),
])
type Reply = z.output<typeof Reply>
type CommandReply = Exclude<Reply, { pending: true }>

function waiting(
  { shell_id: id, stdout = '', stderr = '' }: Extract<Reply, { pending: true }>,
  { timeout, wait_ms, keep }: { timeout?: number; wait_ms: number; keep?: true },
): Pending {
  const message = `the command runs in shell ${id}; call ${NAME} with shell_id=${id} to wait for its end`
  const longer = timeout !== undefined && timeout * 1000 < SHELL_COMMAND_MS ? { timeout } : {}
  return {
    soFar: {
      text: [shownOutput(stdout, stderr), message].filter(Boolean).join('\n'),
      data: { shell_id: id, message, ...(keep && { stdout, stderr }) },
    },
    next: { tool: NAME, args: { shell_id: id, wait_ms, ...(keep ? { keep } : longer) } },
    retryAfterMs: 1_000,
  }
}

interface Manner {
  readonly isAsync: boolean
  readonly keep: boolean
}

function answer(shellReply: CommandReply, { isAsync, keep }: Manner, notes: readonly string[]): Result {
  if ('unknown' in shellReply) fail('not_found', 'Shell not found or has been closed.', { data: { closed: true } })
  if ('closed' in shellReply) fail('conflict', 'Shell has been closed.', { data: { closed: true } })
  const { shell_id, code, stdout, stderr, killed, timeout, ignored, ended } = shellReply
  if (timeout) {
    const rest = killed
      ? ' Shell has been killed.'
      : say` It goes on in shell ${shell_id}; read on with ${field('shell_id')}=${shell_id} and ${field('run_async')}=true, or end it with ${field('kill')}=true.`
    fail('timeout', say`Timeout while executing command.${rest}`, { data: { shell_id, stdout, stderr } })
  }
  const status = statusOf(shellReply, keep)
  const more = [
    ...notes,
    ...(ignored ? ['the shell had ended, so the command was not run'] : []),
    ...(ended ? ['its command ran for longer than an hour (MAX_CONSOLE_COMMAND_MS) and was ended'] : []),
  ]
  const shown = [shownOutput(stdout, stderr), status, ...more]
  return {
    text: shown.filter(Boolean).join('\n'),
    data: {
      ...((isAsync || keep || killed || ignored) && { shell_id, status }),
      ...(code !== null && !killed && { exit_code: code }),
      stdout,
      stderr,
      ...(more.length > 0 && { notes: more }),
    },
  }
}

const shownOutput = (stdout: string, stderr: string): string =>
  [stdout.trimEnd(), stderr.trim() && `stderr:\n${stderr.trimEnd()}`].filter(Boolean).join('\n')

function statusOf({ code, killed, passed }: Extract<CommandReply, { shell_id: number }>, keep: boolean): string {
  if (passed) return 'passed on to what the shell runs'
  if (killed) return 'shell thread has been killed'
  if (code === null && keep) return 'shell waits for its next command'
  return code === null ? 'shell still running, no return code' : `shell exited with return code ${code}`
}
