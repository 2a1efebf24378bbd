import * as z from 'zod'
import { IPYTHON_INTERACTIVE_MS, MAX_INTERACTIVE_CHARS, NOTEBOOK_CELL_MS } from '../../core/limits/consoles.ts'
import { requiredText, seconds, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { INTERACTIVE_KERNEL } from './kernels.ts'
import type { Output } from './outputs.ts'
import { failedAnswer, runScratch, stopOf, textAnswer } from './scratch.ts'

/**
 * Runs code in an interactive kernel. Source: Lagent, actions/ipython_interactive.py. There the code runs in Lagent's own
 * process.
 */
export const ipythonInteractiveRun = defineTool({
  name: 'ipython_interactive_run',
  description:
    'Run Python in a kernel in the sandbox that keeps its variables. Returns one thing only: the value of the last ' +
    'expression, or else the last line that was printed. A printed line with Error or Traceback in it is taken for a ' +
    'failure: error has it and what follows. To see all that is printed use ipython_run.',
  effect: 'run',
  uses: ['consoles'],
  input: z.object({
    command: requiredText.describe('Python code'),
    timeout: withDefault(seconds, IPYTHON_INTERACTIVE_MS / 1000).describe(
      `Seconds until it is interrupted, at most ${NOTEBOOK_CELL_MS / 1000}. Default ${IPYTHON_INTERACTIVE_MS / 1000}`,
    ),
  }),

  async run({ command, timeout }, { ports: { consoles } }) {
    const cell = { command, seconds: timeout, kernel: INTERACTIVE_KERNEL, value: true }
    const done = await runScratch(cell, consoles)
    const stopped = stopOf(done)
    if (stopped !== null) return failedAnswer(stopped, done.notes)
    if (done.value !== null) return textAnswer(shown(done.value), done.notes)
    const lines = done.outputs.map(printedBy).join('').trim().split('\n')
    const isRaised = done.outputs.some(({ output_type }) => output_type === 'error')
    const at = lines.findIndex((line) => /Error|Traceback/.test(line))
    // A raised error may have neither word in it, as KeyboardInterrupt.
    if (at !== -1 || isRaised) return failedAnswer(shown(lines.slice(Math.max(at, 0)).join('\n')), done.notes)
    return textAnswer(shown(lines.at(-1)?.trim() ?? ''), done.notes)
  },
})

const shown = (text: string) => text.slice(0, MAX_INTERACTIVE_CHARS)

/** Text of an output on the terminal's stdout, where Lagent has tracebacks and displayed values, too. */
function printedBy(output: Output): string {
  switch (output.output_type) {
    case 'stream':
      return output.name === 'stdout' ? output.text : ''
    case 'error':
      return `\n${output.traceback.join('\n')}\n`
    case 'display_data':
      return `${String(output.data['text/plain'] ?? '')}\n`
    case 'execute_result':
      return ''
  }
}
