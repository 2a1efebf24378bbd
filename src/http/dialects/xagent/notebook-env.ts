import * as z from 'zod'
import { NOTEBOOK_CELL_MS } from '../../../core/limits/consoles.ts'
import type { Result } from '../../../core/outcome.ts'
import type { Env } from './tools.ts'

const Executed = z.object({
  cell_index: z.int().optional(),
  outputs: z.array(
    z.union([
      z.object({ output_type: z.literal('stream'), text: z.string() }),
      z.object({ output_type: z.string(), data: z.record(z.string(), z.unknown()) }),
    ]),
  ),
  error: z.object({ traceback: z.string() }).optional(),
  notes: z.array(z.string()).optional(),
})

type Shown = z.output<typeof Executed>['outputs'][number]

export const NOTEBOOK_ENV: Env = {
  name: 'PythonNotebook',
  description: 'Run Python in a notebook whose kernel keeps its variables. It is saved as python_notebook.ipynb.',
  tools: [
    {
      name: 'execute_cell',
      tool: 'notebook_execute',
      description:
        'Run Python code as a cell of the notebook, and return what it prints and its results.\nVariables are kept for the ' +
        'next cells. "!" before a line runs it as a shell command, e.g. "!pip install x".\n' +
        `The current directory is the root of the workspace. A cell is interrupted after ${NOTEBOOK_CELL_MS / 1000} seconds.`,
      parameters: [
        { name: 'code', type: 'string', description: 'The code of the cell.', as: 'code' },
        {
          name: 'cell_index',
          type: 'integer',
          description:
            'The cell to replace and run, from 0; negative from the end. Default: a cell is added at the end.',
          optional: true,
          as: 'cell_index',
        },
        {
          name: 'reset',
          type: 'boolean',
          description: 'True to start a new kernel first; the cells stay. Default: false.',
          optional: true,
          as: 'reset',
        },
        {
          name: 'wait_ms',
          type: 'integer',
          description: `Answer after so many milliseconds although the cell still runs; it goes on then. Default: ${NOTEBOOK_CELL_MS}.`,
          optional: true,
          hidden: true,
          as: 'wait_ms',
        },
        {
          name: 'timeout',
          type: 'integer',
          description: `Seconds until the cell is interrupted, at most ${NOTEBOOK_CELL_MS / 1000}. Default: ${NOTEBOOK_CELL_MS / 1000}.`,
          optional: true,
          hidden: true,
          as: 'timeout',
        },
        { name: 'run_id', type: 'string', description: 'Of a 450.', optional: true, hidden: true, as: 'run_id' },
      ],
      value: executed,
      failed: (answer) => ('result' in answer ? failure(answer.result) : undefined),
    },
    {
      name: 'print_notebook',
      tool: 'notebook_print',
      description: 'Show all cells of the notebook with what they put out.',
      parameters: [],
      value: ({ text }) => text,
    },
  ],
}

/** Answer of an executed cell: `cell_index` alone as text; with outputs a composite of it and them. */
function executed({ data }: Result): unknown {
  const { cell_index, outputs, notes = [] } = Executed.parse(data)
  const first = cell_index === undefined ? [] : [`cell_index: ${cell_index}`]
  const parts = [...first, ...outputs.map(shown), ...notes]
  return parts.length === 1 ? parts[0] : { type: 'composite', data: parts }
}

function failure({ data }: Result): unknown {
  const { cell_index, outputs, error, notes = [] } = Executed.parse(data)
  if (!error) return undefined
  const printed = outputs.map((output) => ('text' in output ? output.text : plain(output.data))).join('')
  const before = printed === '' || printed.endsWith('\n') ? printed : `${printed}\n`
  return [`cell_index: ${cell_index}\n${before}${error.traceback}`, ...notes].join('\n')
}

function shown(output: Shown): unknown {
  if ('text' in output) return output.text
  const hasPlain = 'text/plain' in output.data
  const parts = Object.entries(output.data)
    .filter(([mime]) => !(hasPlain && mime === 'text/html'))
    .map(([mime, value]) => (/^image\/(?!svg)/.test(mime) ? binary(mime, value) : value))
  return parts.length === 1 ? parts[0] : { type: 'composite', data: parts }
}

/** A binary value without a name: a client makes one up. */
const binary = (media_type: string, value: unknown) => ({
  type: 'binary',
  media_type,
  data: String(value).replaceAll('\n', ''),
})

const plain = (data: Readonly<Record<string, unknown>>) => ('text/plain' in data ? `${data['text/plain']}\n` : '')
