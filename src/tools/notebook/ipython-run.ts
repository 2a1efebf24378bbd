import { z } from 'zod'
import { fail } from '../../core/failure.ts'
import { IPYTHON_MS, MAX_CONSOLE_INPUT_CHARS, NOTEBOOK_CELL_MS } from '../../core/limits.ts'
import type { Result } from '../../core/outcome.ts'
import { requiredText, seconds, withDefault } from '../arguments.ts'
import { consoleNotes } from '../console-news.ts'
import { consoleReply } from '../console-reply.ts'
import { defineTool } from '../define.ts'
import { CellReply } from './cell-reply.ts'
import { extractCode } from './extract-code.ts'
import { keepImages } from './keep-images.ts'
import { type Output, outputText } from './outputs.ts'

/** From a cell's end to its answer. */
const SPARE_MS = 60_000

/**
 * Source: Lagent, actions/ipython_interpreter.py. Its kernel is not that of the notebook. Unlike there, `!` runs a command.
 */
export const ipythonRun = defineTool({
  name: 'ipython_run',
  description:
    'Run Python in a kernel of the session that keeps its variables and imports for the next call, and leaves no notebook. ' +
    'Returns what was printed and the value of the last expression; images, e.g. of matplotlib, as paths of PNG files. ' +
    'Code may stand between ``` lines. input() is disabled. An exception in the code is a result: error has the traceback.',
  effect: 'run',
  uses: ['consoles', 'turn', 'workspace'],
  input: z.object({
    command: requiredText.describe('Python code'),
    timeout: withDefault(seconds, IPYTHON_MS / 1000).describe(
      'Seconds until it is interrupted, at most 300. Default 60',
    ),
  }),

  async run({ command, timeout }, { ports: { consoles, turn, workspace } }) {
    const code = extractCode(command)
    if (code.length > MAX_CONSOLE_INPUT_CHARS) {
      fail(
        'limit_exceeded',
        `the code has ${code.length} characters; at most ${MAX_CONSOLE_INPUT_CHARS} are taken (MAX_CONSOLE_INPUT_CHARS). Put data into a file`,
      )
    }
    const limit = Math.min(timeout, NOTEBOOK_CELL_MS / 1000)
    const wait = (NOTEBOOK_CELL_MS + SPARE_MS / 2) / 1000
    const cell = { do: 'scratch', code, index: null, reset: false, seconds: limit, wait, run: null } as const
    const { reply, news } = await consoles.ask(cell, NOTEBOOK_CELL_MS + SPARE_MS)
    const done = consoleReply(CellReply, reply)
    if ('pending' in done) return fail('timeout', STILL_WAITING)
    const notes = consoleNotes(news)
    if ('reset' in done) return answer('', [], notes)
    notes.push(...done.notes)
    const error = errorOf(done)
    if (error !== null)
      return { text: [error, ...notes].join('\n'), data: { error, ...(notes.length > 0 && { notes }) } }
    const images = await keepImages(done.outputs, { turn, workspace })
    return answer(done.outputs.map(textOf).join(''), images.paths, [...notes, ...images.notes])
  },
})

/** @param text as it was printed: Lagent strips nothing */
function answer(text: string, images: readonly string[], notes: readonly string[]): Result {
  const result = [{ type: 'text', content: text }, ...images.map((content) => ({ type: 'image', content }))]
  const shown = [text.trimEnd(), ...images.map((path) => `image: ${path}`), ...notes].filter((line) => line !== '')
  return { text: shown.join('\n'), data: { result, ...(notes.length > 0 && { notes }) } }
}

/** An image that is shown stands for itself; the value of the last expression has its text as well. */
function textOf(output: Output): string {
  if (output.output_type === 'display_data' && 'image/png' in output.data) return ''
  if (output.output_type === 'execute_result' || output.output_type === 'display_data') {
    const plain = output.data['text/plain']
    return plain === undefined ? '' : String(plain)
  }
  return outputText(output)
}

function errorOf({ stopped, outputs, seconds: limit }: Extract<CellReply, { outputs: unknown }>): string | null {
  switch (stopped) {
    case 'timeout':
      return `Timeout. No response after ${limit} seconds.`
    case 'killed':
      return `Timeout. No response after ${limit} seconds. It did not stop when it was interrupted, so its variables are gone.`
    case 'reset':
      return 'The interpreter was reset before this was done; run it again.'
    case null: {
      const error = outputs.find((output) => output.output_type === 'error')
      return error ? error.traceback.join('\n') : null
    }
  }
}

const STILL_WAITING =
  'it waits for commands of this session that run longer than this call; try again when they are done'
