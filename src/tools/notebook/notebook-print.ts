import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_EDIT_BYTES, MAX_READ_CHARS } from '../../core/limits/workspace.ts'
import { workspacePath } from '../../core/workspace-path.ts'
import { defineTool } from '../define.ts'
import { NotebookFile, outputText } from './outputs.ts'

const NOTEBOOK = workspacePath('python_notebook.ipynb')

/** Source: XAgent ToolServer, core/envs/pycoding.py, print_notebook. */
export const notebookPrint = defineTool({
  name: 'notebook_print',
  description:
    'Show the notebook python_notebook.ipynb, which notebook_execute fills. Runs without a sandbox. Returns its cells with ' +
    'what they put out; images are only named.',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({}),

  async run(_input, { ports: { workspace } }) {
    const entry = workspace.stat(NOTEBOOK)
    if (!entry) return { text: '', data: { notebook: '', cells: 0 } }
    if (entry.kind !== 'file' || entry.size > MAX_EDIT_BYTES) {
      fail(
        'limit_exceeded',
        `python_notebook.ipynb is larger than ${MAX_EDIT_BYTES} bytes (MAX_EDIT_BYTES); download it`,
      )
    }
    const { cells } = parseNotebook((await workspace.read(NOTEBOOK)) ?? new Uint8Array())
    const notebook = cells.map(cellText).join('')
    const shown =
      notebook.length > MAX_READ_CHARS
        ? `${notebook.slice(0, MAX_READ_CHARS)}\n[… ${notebook.length - MAX_READ_CHARS} more characters]`
        : notebook
    return { text: shown, data: { notebook: shown, cells: cells.length } }
  },
})

function cellText({ source, outputs = [] }: z.output<typeof NotebookFile>['cells'][number], at: number): string {
  const shown = outputs.map((output) => outputText(output).replace(/\n$/, '')).join('\n')
  return `= Cell ${at} =\n${source}\n${shown === '' ? '' : `= Output ${at} =\n${shown}\n`}`
}

function parseNotebook(bytes: Uint8Array): z.output<typeof NotebookFile> {
  try {
    return NotebookFile.parse(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return fail(
      'invalid_input',
      'python_notebook.ipynb is not a notebook of format 4; look at it as text, or move it away',
    )
  }
}
