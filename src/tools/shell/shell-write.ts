import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_CONSOLE_INPUT_CHARS } from '../../core/limits/consoles.ts'
import { flag, integer, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { askInteractive, INTERACTIVE_WAIT_MS, MAX_INTERACTIVE_WAIT_MS } from './interactive.ts'

/**
 * Writes to the shell. Source: XAgent ToolServer, core/envs/shell.py, write_stdin. Unlike there a shell that ended can be
 * started again.
 */
export const shellWrite = defineTool({
  name: 'shell_write',
  description:
    'Write a line to the interactive bash in the sandbox, which begins in the task root and keeps its directory and ' +
    'variables. Returns what it prints at once; what comes later is read by shell_read.',
  effect: 'run',
  uses: ['consoles'],
  input: z.object({
    content: z.string().describe('A command, or a line for the program that runs; the line break is added'),
    restart: withDefault(flag, false).describe(
      'End the shell with all that it runs, and start a new one. Default false',
    ),
    wait_ms: withDefault(integer.pipe(z.int().min(0)), INTERACTIVE_WAIT_MS).describe(
      `Milliseconds to wait for output, at most ${MAX_INTERACTIVE_WAIT_MS}. Default ${INTERACTIVE_WAIT_MS}`,
    ),
  }),

  async run({ content, restart, wait_ms }, { ports: { consoles } }) {
    if (content.length > MAX_CONSOLE_INPUT_CHARS) {
      fail(
        'limit_exceeded',
        `content has ${content.length} characters; at most ${MAX_CONSOLE_INPUT_CHARS} are taken (MAX_CONSOLE_INPUT_CHARS)`,
      )
    }
    const wait = Math.min(wait_ms, MAX_INTERACTIVE_WAIT_MS) / 1000
    return askInteractive(consoles, { do: 'write', text: content, restart, wait }, true)
  },
})
