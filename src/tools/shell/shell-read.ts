import * as z from 'zod'
import { flag, integer, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { askInteractive, INTERACTIVE_WAIT_MS, MAX_INTERACTIVE_WAIT_MS } from './interactive.ts'

/**
 * Reads from the shell. Source: XAgent ToolServer, core/envs/shell.py, read_stdout. Unlike there stderr stands where it was
 * printed.
 */
export const shellRead = defineTool({
  name: 'shell_read',
  description:
    'Read what the interactive bash in the sandbox printed since it was last asked; shell_write starts it. Returns stdout ' +
    'and stderr, in the order in which they came.',
  effect: 'run',
  uses: ['consoles'],
  input: z.object({
    probe: withDefault(flag, false).describe(
      'Where there is no output, answer that it is not there yet. Default false: answer with nothing',
    ),
    wait_ms: withDefault(integer.pipe(z.int().min(0)), INTERACTIVE_WAIT_MS).describe(
      `Milliseconds to wait for output, at most ${MAX_INTERACTIVE_WAIT_MS}. Default ${INTERACTIVE_WAIT_MS}`,
    ),
  }),

  run: ({ probe, wait_ms }, { ports: { consoles } }) =>
    askInteractive(consoles, { do: 'read', wait: Math.min(wait_ms, MAX_INTERACTIVE_WAIT_MS) / 1000 }, probe),
})
