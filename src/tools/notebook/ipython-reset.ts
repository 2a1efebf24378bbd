import * as z from 'zod'
import { CELL_INTERRUPT_MS } from '../../core/limits/consoles.ts'
import { consoleNotes } from '../console-notices.ts'
import { defineTool } from '../define.ts'
import { sessionIdInput, sessionKernel } from './kernels.ts'

const WAIT_MS = 2 * CELL_INTERRUPT_MS

/** Resets the kernel. Source: Lagent, actions/ipython_interpreter.py, reset, which Lagent's program calls and no model. */
export const ipythonReset = defineTool({
  name: 'ipython_reset',
  description:
    'Forget all variables and imports of ipython_run, or of ipython_session_run with that session_id, and end what runs ' +
    'there in the sandbox. Files stay. Returns reset: true.',
  effect: 'run',
  uses: ['consoles'],
  input: z.object({
    session_id: sessionIdInput.describe('As given to ipython_session_run. Default: the kernel of ipython_run'),
  }),

  async run({ session_id }, { ports: { consoles } }) {
    const cell = { code: '', reset: true, seconds: 1, wait: WAIT_MS / 1000, value: false, run: null }
    const { notices } = await consoles.ask({ do: 'scratch', ...cell, kernel: sessionKernel(session_id) }, WAIT_MS)
    const notes = consoleNotes(notices)
    return {
      text: ['the variables are gone', ...notes].join('\n'),
      data: { reset: true, ...(notes.length > 0 && { notes }) },
    }
  },
})
