import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { CELL_INTERRUPT_MS, MAX_CONSOLE_INPUT_CHARS, NOTEBOOK_CELL_MS } from '../../core/limits/consoles.ts'
import type { Pending, Result } from '../../core/outcome.ts'
import type { ConsoleRequest } from '../../ports/consoles.ts'
import { flag, integer, optional, seconds, withDefault } from '../arguments.ts'
import { consoleNotes } from '../console-notices.ts'
import { consoleReply } from '../console-reply.ts'
import { defineTool } from '../define.ts'
import { environmentInput, environmentOf } from '../environment.ts'
import { CellReply } from './cell-reply.ts'
import { outputText } from './outputs.ts'

const NAME = 'notebook_execute'
/** Time from a cell's end to its answer. */
const SPARE_MS = 60_000

/**
 * Runs a cell of the notebook. Source: XAgent ToolServer, core/envs/pycoding.py, execute_cell. Unlike there a replaced cell
 * is the one that runs, output printed before an error is kept, and a cell that takes too long leaves a kernel that can be
 * used.
 */
export const notebookExecute = defineTool({
  name: NAME,
  description:
    'Run Python code as a cell of the notebook python_notebook.ipynb, in a kernel in the sandbox, with the task root as the ' +
    'current directory. Variables stay for the next cells. Adds a cell, or replaces the one at cell_index. Returns what the ' +
    'cell printed and its results. Cells run one after another.',
  effect: 'run',
  uses: ['consoles'],
  secretArgs: ['env'],
  input: z.object({
    code: withDefault(z.string(), '').describe(
      'Python; "!" before a line runs it as a command. Required, except with run_id or reset',
    ),
    cell_index: optional(integer).describe(
      'Index of the cell to replace, from 0, or negative from the end. Default: a new cell at the end',
    ),
    reset: withDefault(flag, false).describe(
      'Start a new kernel first, also when a cell runs; cells stay. Default false',
    ),
    timeout: withDefault(seconds, NOTEBOOK_CELL_MS / 1000).describe(
      `Seconds until the cell is interrupted, at most ${NOTEBOOK_CELL_MS / 1000}. Default ${NOTEBOOK_CELL_MS / 1000}`,
    ),
    env: environmentInput('cell'),
    wait_ms: withDefault(integer.pipe(z.int().min(0)), NOTEBOOK_CELL_MS).describe(
      `Milliseconds that this call waits, at most ${NOTEBOOK_CELL_MS + SPARE_MS / 2}; then the cell goes on, and the answer says how to wait for it. Default ${NOTEBOOK_CELL_MS}`,
    ),
    run_id: optional(z.string()).describe(
      'Of an answer that was not done: waits on for that cell. Default: runs a new one',
    ),
  }),

  async run(
    { code, cell_index, reset, timeout, env, wait_ms, run_id },
    { ports: { consoles } },
  ): Promise<Result | Pending> {
    if (run_id === undefined && code.trim() === '' && !reset) fail('invalid_input', 'code is required')
    if (code.length > MAX_CONSOLE_INPUT_CHARS) {
      fail(
        'limit_exceeded',
        `the code has ${code.length} characters; at most ${MAX_CONSOLE_INPUT_CHARS} are taken (MAX_CONSOLE_INPUT_CHARS). Put data into a file`,
      )
    }
    const request: ConsoleRequest = {
      do: 'cell',
      code,
      index: cell_index ?? null,
      reset,
      seconds: Math.min(timeout, NOTEBOOK_CELL_MS / 1000),
      wait: Math.min(wait_ms, NOTEBOOK_CELL_MS + SPARE_MS / 2) / 1000,
      run: run_id ?? null,
      ...environmentOf(env),
    }
    const { reply, notices } = await consoles.ask(request, NOTEBOOK_CELL_MS + SPARE_MS)
    return answer(consoleReply(CellReply, reply), consoleNotes(notices), wait_ms)
  },
})

function answer(reply: CellReply, notices: readonly string[], waitMs: number): Result | Pending {
  if ('reset' in reply) {
    const note = 'the kernel is a new one; the cells of the notebook are kept'
    return { text: note, data: { outputs: [], notes: [...notices, note] } }
  }
  const { cell_index } = reply
  if ('pending' in reply) {
    const state = reply.queued ? 'waits for the cells before it' : 'runs'
    const next = { code: '', run_id: reply.pending, wait_ms: waitMs }
    const message = `cell ${cell_index} ${state}; call ${NAME} with run_id="${reply.pending}" to wait for it`
    return {
      soFar: { text: message, data: { cell_index, run_id: reply.pending, message } },
      next: { tool: NAME, args: next },
      retryAfterMs: 1_000,
    }
  }
  const outputs = reply.outputs.filter(({ output_type }) => output_type !== 'error')
  const error = reply.outputs.find((output) => output.output_type === 'error')
  const notes = [...notices, ...reply.notes, ...(reply.died === null ? [] : [reply.died])]
  const why = reply.stopped && STOPPED[reply.stopped](reply.seconds)
  const traceback = [...(error ? error.traceback : []), ...(why ? [why] : [])].join('\n')
  const shown = [...outputs.map(outputText), traceback].filter((text) => text !== '').map((text) => text.trimEnd())
  return {
    text: [`cell ${cell_index}`, ...shown, ...notes].join('\n'),
    data: {
      cell_index,
      outputs,
      ...(traceback !== '' && { error: { name: why ? 'TimeoutError' : (error?.ename ?? ''), traceback } }),
      ...(notes.length > 0 && { notes }),
    },
  }
}

const STOPPED = {
  timeout: (limit: number) =>
    `TimeoutError: the cell was interrupted after ${limit} seconds (NOTEBOOK_CELL_MS); variables are kept. Do less in one cell, or start a program in the background`,
  stopping: (limit: number) =>
    `TimeoutError: the cell was interrupted after ${limit} seconds (NOTEBOOK_CELL_MS) and has not stopped yet; if it does not within ${CELL_INTERRUPT_MS / 1000} seconds its kernel is ended, with the variables, and the next cell says so`,
  killed: (limit: number) =>
    `TimeoutError: the cell did not stop when it was interrupted after ${limit} seconds (NOTEBOOK_CELL_MS), so its kernel was ended; variables are gone`,
  reset: () => 'KernelReset: the kernel was reset before this cell was done; run it again',
}
