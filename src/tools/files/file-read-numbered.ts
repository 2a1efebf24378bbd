import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_NUMBERED_CHARS } from '../../core/limits/workspace.ts'
import { workspacePath } from '../../core/workspace-path.ts'
import { integer, onePath, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { isKeptOut } from './kept-out.ts'
import { lineList, numbered } from './numbered.ts'
import { textFileAt } from './text-file.ts'

/**
 * Reads a file with line numbers. Source: XAgent ToolServer, core/envs/filesystem.py, read_from_file. Unlike there the
 * numbers of the last lines are right, an empty file can be read, and a long one says that it was cut.
 */
export const fileReadNumbered = defineTool({
  name: 'file_read_numbered',
  description:
    'Read a text file of the task with line numbers, from a line on, or its last lines. Runs without a sandbox. Returns the ' +
    `numbered lines, at most ${MAX_NUMBERED_CHARS} characters of them, and total_lines.`,
  effect: 'read',
  uses: ['workspace'],
  input: z.object({
    file_path: onePath.describe('Path relative to the task root'),
    start_line: withDefault(integer, 1).describe(
      'First line to return, from 1; -3 returns the last three lines. Default 1',
    ),
  }),

  async run({ file_path, start_line }, { ports: { workspace } }) {
    const path = workspacePath(file_path)
    const missing = () => fail('not_found', `File ${file_path} not found in workspace.`)
    if (workspace.stat(path)?.kind === 'directory' || isKeptOut(path)) return missing()
    const { text: whole } = (await textFileAt(workspace, path)) ?? missing()
    const lines = lineList(whole)
    const first = start_line < 0 ? lines.length + start_line + 1 : Math.max(start_line, 1)
    if (first < 1 || first > Math.max(lines.length, 1)) {
      fail('invalid_input', `Line number ${start_line} is out of range. ${file_path} has ${lines.length} lines`)
    }
    const { text, truncated } = numbered(lines, first)
    return { text, data: { file_path, content: text, total_lines: lines.length, ...(truncated && { truncated }) } }
  },
})
