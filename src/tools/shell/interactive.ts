import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_CONSOLE_COMMAND_MS } from '../../core/limits/consoles.ts'
import type { Pending, Result } from '../../core/outcome.ts'
import { field, say, tool } from '../../core/saying/saying.ts'
import type { ConsoleRequest, Consoles } from '../../ports/consoles.ts'
import { consoleNotes } from '../console-notices.ts'
import { consoleReply } from '../console-reply.ts'

/** Time that a call waits for the first output. */
export const INTERACTIVE_WAIT_MS = 500
export const MAX_INTERACTIVE_WAIT_MS = 60_000
/** Time that a program in the shell goes on without any call. */
export const SHELL_AWAKE_MS = MAX_CONSOLE_COMMAND_MS + 60_000

const Reply = z.union([
  z.object({ text: z.string(), gone: z.int(), ended: z.string().nullable() }),
  z.object({ text: z.string(), new: z.boolean(), exit: z.int().nullable() }),
])

/** Asks the interactive shell. @returns pending when there is no output and `untilOutput` */
export async function askInteractive(
  consoles: Consoles,
  request: Extract<ConsoleRequest, { do: 'write' | 'read' }>,
  untilOutput: boolean,
): Promise<Result | Pending> {
  const { reply, notices } = await consoles.ask(request, SHELL_AWAKE_MS)
  const shellReply = consoleReply(Reply, reply)
  const notes = consoleNotes(notices).map((note) => `[${note}]\n`)
  if ('gone' in shellReply) {
    const why =
      shellReply.ended === null
        ? `It ended with exit code ${shellReply.gone}`
        : 'Its command ran for too long (MAX_CONSOLE_COMMAND_MS)'
    fail(
      'conflict',
      say`Shell is not running! ${why}. Call ${tool('shell_write')} with ${field('restart')}=true for a new one`,
      {
        data: { exit_code: shellReply.gone, output: shellReply.text },
      },
    )
  }
  const { text, exit } = shellReply
  const ended = exit === null ? '' : `\n[the shell ended with exit code ${exit}]`
  if (text === '' && ended === '' && untilOutput) {
    const message = 'no output yet; read on until there is some'
    return {
      soFar: { text: message, data: { message } },
      next: { tool: 'shell_read', args: { probe: true } },
      retryAfterMs: 1_000,
    }
  }
  const shown = `${notes.join('')}${text}${ended}`
  return { text: shown, data: { output: shown, ...(exit !== null && { exit_code: exit }) } }
}
