import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { FILE_READ_CHARS } from '../../core/limits/answers.ts'
import { MAX_EDIT_BYTES } from '../../core/limits/workspace.ts'
import { say, tool } from '../../core/saying/saying.ts'
import { absolutePath } from '../../core/workspace-path.ts'
import { maxChars } from '../answer-budget.ts'
import { flag, integer, onePath, optional, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { momentArgument } from '../moment-argument.ts'
import { lineBreaksOf } from './line-breaks.ts'
import { readRange } from './line-range.ts'
import { splitLines } from './lines.ts'
import { linePrefix } from './numbered.ts'
import { shownPart } from './shown-part.ts'
import { readTextFile, textFileAt } from './text-file.ts'

const HISTORY = say`${tool('workspace_history')} with its path names the commits that changed it`

/** Reads a file. Line numbers out of range are clamped, with a note, never an error. Source: Tool Server, tools/file_tools, FileReadTool. */
export const fileRead = defineTool({
  name: 'file_read',
  description:
    `Read a text file of the task, of at most ${MAX_EDIT_BYTES / 1024 ** 2} MiB, whole or a range of lines. Runs without a ` +
    'sandbox. Returns content, total_lines, detected_encoding (UTF-8, GBK, UTF-16 and others), and line_endings where they ' +
    'are not LF. A long text is cut after a line, with next_start_line to read on. For PDF and Office documents use ' +
    'parse_document, for pictures image_read.',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({
    file_path: onePath.describe('Path relative to the task root, e.g. "upload/config.json"'),
    start_line: optional(integer).describe('First line to return, from 1; -20: the last 20 lines. Default: the first'),
    end_line: optional(integer).describe('Last line to return, included, from 1; -1 is the last. Default: the last'),
    line_numbers: withDefault(flag, false).describe('Put its number before each line, "   12: text". Default false'),
    max_chars: maxChars(FILE_READ_CHARS, { of: 'text' }),
    as_of: optional(momentArgument).describe(
      'Number of a commit, as workspace_history lists them, or name of a snapshot: the file as it was then. Default: now',
    ),
    encoding: optional(z.string()).describe('How to decode the file, e.g. "gbk". Default: detected'),
  }),

  async run({ file_path, start_line, end_line, line_numbers, max_chars, as_of, encoding: encodingName }, { ports }) {
    const file =
      as_of === undefined
        ? await readTextFile(ports.workspace, file_path, encodingName)
        : ((await textFileAt(ports.workspace.at(as_of), file_path, encodingName)) ??
          fail('not_found', say`there was no file ${file_path} as of ${as_of}; ${HISTORY}`))
    const lines = splitLines(file.text)
    const { name: breaks } = lineBreaksOf(file.raw)
    const range = readRange(start_line, end_line, lines.length)
    const { first } = range
    const chosen = lines.slice(first - 1, range.last)
    const wanted = line_numbers ? chosen.map((line, at) => `${linePrefix(first + at)}${line}`) : chosen
    const shown = shownPart(wanted, { first, total: lines.length, chars: max_chars, path: file_path })
    const notes = [...range.notes, ...shown.notes]
    return {
      text: [shown.text, ...notes].join('\n'),
      data: {
        content: shown.content,
        total_lines: lines.length,
        line_range: lines.length === 0 ? '1-0' : `${first}-${shown.last}`,
        file_path,
        container_path: absolutePath(file.path),
        detected_encoding: file.encoding.name,
        file_size: file.size,
        ...(as_of !== undefined && { as_of }),
        ...(breaks !== 'LF' && { line_endings: breaks }),
        ...shown.more,
        ...(notes.length > 0 && { notes }),
      },
    }
  },
})
