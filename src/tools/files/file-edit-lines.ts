import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_NUMBERED_CHARS } from '../../core/limits/workspace.ts'
import { field, say } from '../../core/saying/saying.ts'
import { type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import { type Encoding, encodeFile, UTF8, writable } from '../../documents/encoding.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { flag, givenText, integer, onePath, optional, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { isKeptOut } from './kept-out.ts'
import { type LineBreaks, lineBreaksOf, withBreaks } from './line-breaks.ts'
import { universalNewlines } from './lines.ts'
import { lineList, numbered, rawLineList } from './numbered.ts'
import { readTextFile } from './text-file.ts'
import { writeTarget } from './write-target.ts'

/**
 * Edits a file by lines. Afterwards every line of the file ends with a line break; those that it has stay, and new ones are like most of
 * them. Source: XAgent ToolServer,
 * core/envs/filesystem.py, write_to_file.
 */
export const fileEditLines = defineTool({
  name: 'file_edit_lines',
  description:
    'Put lines into a text file of the task: at its end, before a line, or over the lines from there on. Makes the file and ' +
    'its directories when they are not there. Runs without a sandbox. Returns the whole file with line numbers, at most ' +
    `${MAX_NUMBERED_CHARS} characters of it.`,
  effect: 'write',
  uses: ['workspace'],
  input: z.object({
    file_path: onePath.describe('Path relative to the task root'),
    content: givenText.describe('The lines'),
    line_number: optional(integer).describe(
      'Insert before this line, from 1; 0 is the top, -1 is before the last line. Default: at the end',
    ),
    overwrite: withDefault(flag, false).describe(
      'Replace as many lines as content has, from line_number on. Default false: insert',
    ),
    truncating: withDefault(flag, false).describe('Empty the file first. Default false'),
  }),

  async run({ file_path, content, line_number, overwrite, truncating }, { ports: { workspace } }) {
    if (isKeptOut(workspacePath(file_path))) {
      fail('invalid_input', `File ${file_path} is not within workspace. It is in a directory that programs keep`)
    }
    const target = targetOf(workspace, file_path, line_number)
    const { lines, breaks, encoding } = await before(workspace, target, truncating)
    const added = lineList(universalNewlines(content)).map((line) => withBreaks(line, breaks))
    const at = placeOf(line_number, lines.length)
    const replaced = overwrite ? added.length : 0
    const result = [...lines.slice(0, at), ...added, ...lines.slice(at + replaced)].map((line) => ended(line, breaks))
    await workspace.commit([{ op: 'write', path: target, content: encodeFile(result.join(''), encoding) }])
    const { text, truncated } = numbered(result.map(universalNewlines))
    return { text, data: { file_path, content: text, total_lines: result.length, ...(truncated && { truncated }) } }
  },
})

/** Path to write to. A line number needs an existing file. */
function targetOf(workspace: Workspace, given: string, lineNumber: number | undefined): WorkspacePath {
  if (workspace.stat(workspacePath(given))?.kind === 'directory') fail('invalid_input', `File ${given} is not a file.`)
  const target = writeTarget(workspace, workspacePath(given)) // a leading / is cut, whatever follows
  if (!workspace.stat(target) && (lineNumber ?? 0) !== 0 && lineNumber !== 1) {
    fail('not_found', say`File ${given} not found in workspace. Leave ${field('line_number')} out to make it`)
  }
  return target
}

async function before(
  workspace: Workspace,
  target: WorkspacePath,
  truncating: boolean,
): Promise<{ readonly lines: string[]; readonly breaks: LineBreaks; readonly encoding: Encoding }> {
  if (truncating || !workspace.stat(target)) return { lines: [], breaks: lineBreaksOf(''), encoding: UTF8 }
  const { raw, encoding } = await readTextFile(workspace, target)
  return { lines: rawLineList(raw), breaks: lineBreaksOf(raw), encoding: writable(encoding) }
}

/** Line index of a line number: negative numbers count from the end, and one past either end is that end. */
function placeOf(lineNumber: number | undefined, total: number): number {
  if (lineNumber === undefined) return total
  const at = lineNumber < 0 ? total + lineNumber : Math.max(lineNumber - 1, 0)
  return Math.min(Math.max(at, 0), total)
}

const ended = (line: string, { common }: LineBreaks) => (/[\n\r]$/.test(line.slice(-1)) ? line : `${line}${common}`)
