import * as z from 'zod'
import { IPYTHON_SESSION_MS, MAX_IPYTHON_KERNELS, NOTEBOOK_CELL_MS } from '../../core/limits/consoles.ts'
import { requiredText, seconds, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { sessionIdInput, sessionKernel } from './kernels.ts'
import type { Output } from './outputs.ts'
import { type DoneCell, failedAnswer, runScratch, stopOf, textAnswer } from './scratch.ts'

/** Source: Lagent, actions/ipython_interpreter.py, AsyncIPythonInterpreter. Unlike there, `!` runs a command. */
export const ipythonSessionRun = defineTool({
  name: 'ipython_session_run',
  description:
    'Run Python in a kernel in the sandbox that keeps its variables, one for each session_id, of which the last ' +
    `${MAX_IPYTHON_KERNELS} are kept. Returns the value of the last expression, or else what was printed; no images. An ` +
    'exception in the code is a result: error has the traceback.',
  effect: 'run',
  uses: ['consoles'],
  input: z.object({
    command: requiredText.describe('Python code'),
    timeout: withDefault(seconds, IPYTHON_SESSION_MS / 1000).describe(
      `Seconds until it is interrupted, at most ${NOTEBOOK_CELL_MS / 1000}. Default ${IPYTHON_SESSION_MS / 1000}`,
    ),
    session_id: sessionIdInput.describe('Which kernel, by any name. Default: that of ipython_run'),
  }),

  async run({ command, timeout, session_id }, { ports: { consoles } }) {
    const cell = { command, seconds: timeout, kernel: sessionKernel(session_id), value: false }
    const done = await runScratch(cell, consoles)
    const error = stopOf(done) ?? tracebackOf(done.outputs)
    return error === null ? textAnswer(textOf(done), done.notes) : failedAnswer(error, done.notes)
  },
})

function textOf({ outputs }: DoneCell): string {
  const value = outputs.findLast((output) => output.output_type === 'execute_result')?.data['text/plain']
  if (value !== undefined && value !== '') return String(value)
  const printed = outputs.filter((output) => output.output_type === 'stream' && output.name === 'stdout')
  return printed
    .map((output) => ('text' in output ? output.text : ''))
    .join('')
    .trim()
}

/** Traceback among the outputs, without the line of dashes, as Lagent shows it; null without one. */
function tracebackOf(outputs: readonly Output[]): string | null {
  const error = outputs.find((output) => output.output_type === 'error')
  if (!error) return null
  const lines = error.traceback.join('\n').split('\n')
  return (/^-+$/.test(lines[0] ?? '') ? lines.slice(1) : lines).join('\n')
}
