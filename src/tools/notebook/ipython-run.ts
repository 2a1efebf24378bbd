import * as z from 'zod'
import { IPYTHON_MS, NOTEBOOK_CELL_MS } from '../../core/limits/consoles.ts'
import type { Result } from '../../core/outcome.ts'
import { requiredText, seconds, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { keepImages } from './keep-images.ts'
import { type Output, outputText } from './outputs.ts'
import { type DoneCell, failedAnswer, runScratch, STOPPING, WAS_RESET } from './scratch.ts'

/**
 * Runs code in a kernel apart from the notebook's. Source: Lagent, actions/ipython_interpreter.py. Unlike there, `!` runs a
 * command.
 */
export const ipythonRun = defineTool({
  name: 'ipython_run',
  description:
    'Run Python in a kernel in the sandbox that keeps its variables and imports for the next call, and leaves no notebook. ' +
    'Code may stand between ``` lines. input() is disabled. Returns what was printed and the value of the last expression; ' +
    'images, e.g. of matplotlib, as paths of PNG files. An exception in the code is a result: error has the traceback.',
  effect: 'run',
  uses: ['consoles', 'turn', 'workspace'],
  input: z.object({
    command: requiredText.describe('Python code'),
    timeout: withDefault(seconds, IPYTHON_MS / 1000).describe(
      `Seconds until it is interrupted, at most ${NOTEBOOK_CELL_MS / 1000}. Default ${IPYTHON_MS / 1000}`,
    ),
  }),

  async run({ command, timeout }, { ports: { consoles, turn, workspace } }) {
    const done = await runScratch({ command, seconds: timeout, kernel: null, value: false }, consoles)
    const { notes } = done
    const text = done.outputs.map(textOf).join('')
    const error = stopOf(done) ?? tracebackOf(done)
    if (error !== null)
      return failedAnswer(text === '' || text.endsWith('\n') ? text + error : `${text}\n${error}`, notes)
    const images = await keepImages(done.outputs, { turn, workspace })
    return answer(text, images.paths, [...notes, ...images.notes])
  },
})

/**
 * Answer of a cell.
 * @param text as it was printed: Lagent strips nothing
 */
function answer(text: string, images: readonly string[], notes: readonly string[]): Result {
  const result = [{ type: 'text', content: text }, ...images.map((content) => ({ type: 'image', content }))]
  const shown = [text.trimEnd(), ...images.map((path) => `image: ${path}`), ...notes].filter((line) => line !== '')
  return { text: shown.join('\n'), data: { result, ...(notes.length > 0 && { notes }) } }
}

/**
 * Text of an output. A displayed image stands for itself; the value of the last expression has its text as well. An error
 * comes last.
 */
function textOf(output: Output): string {
  if (output.output_type === 'error') return ''
  if (output.output_type === 'display_data' && 'image/png' in output.data) return ''
  if (output.output_type === 'execute_result' || output.output_type === 'display_data') {
    const plain = output.data['text/plain']
    return plain === undefined ? '' : String(plain)
  }
  return outputText(output)
}

/** Why the cell did not come to its end; null when it did. */
function stopOf({ stopped, died, seconds: limit }: DoneCell): string | null {
  switch (stopped) {
    case 'timeout':
      return `Timeout. No response after ${limit} seconds.`
    case 'stopping':
      return `Timeout. No response after ${limit} seconds. ${STOPPING}`
    case 'killed':
      return `Timeout. No response after ${limit} seconds. It did not stop when it was interrupted, so its variables are gone.`
    case 'reset':
      return WAS_RESET
    case null:
      return died
  }
}

function tracebackOf({ outputs }: DoneCell): string | null {
  const error = outputs.find((output) => output.output_type === 'error')
  return error ? error.traceback.join('\n') : null
}
