import { z } from 'zod'
import { CELL_INTERRUPT_MS } from '../../core/limits.ts'
import { consoleNotes } from '../console-news.ts'
import { defineTool } from '../define.ts'

const WAIT_MS = 2 * CELL_INTERRUPT_MS

/** Source: Lagent, actions/ipython_interpreter.py, reset, which Lagent's program calls and no model. */
export const ipythonReset = defineTool({
  name: 'ipython_reset',
  description: 'Forget all variables and imports of ipython_run, and end what runs there. Files stay.',
  effect: 'run',
  uses: ['consoles'],
  input: z.object({}),

  async run(_input, { ports: { consoles } }) {
    const cell = { code: '', index: null, reset: true, seconds: 1, wait: WAIT_MS / 1000, run: null }
    const { news } = await consoles.ask({ do: 'scratch', ...cell }, WAIT_MS)
    const notes = consoleNotes(news)
    return {
      text: ['the variables are gone', ...notes].join('\n'),
      data: { reset: true, ...(notes.length > 0 && { notes }) },
    }
  },
})
