import { z } from 'zod'
import { FILE_READ_CHARS } from '../../core/limits/answers.ts'
import { absolutePath } from '../../core/workspace-path.ts'
import { maxChars } from '../answer-budget.ts'
import { integer, optional, requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { splitLines } from './lines.ts'
import { shownPart } from './shown-part.ts'
import { readTextFile } from './text-file.ts'

/** Reads a file. Line numbers out of range are clamped, never an error. Source: Tool Server, tools/file_tools, FileReadTool. */
export const fileRead = defineTool({
  name: 'file_read',
  description:
    'Read a text file of the task, whole or a range of lines. Returns the plain text without line numbers, the number ' +
    'of lines, and the encoding that was found (UTF-8, GBK, Big5, UTF-16, Latin-1 and others). A long text comes cut ' +
    'after a line, with next_start_line to read on.',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({
    file_path: requiredText.describe('Path relative to the task root, e.g. "upload/config.json"'),
    start_line: optional(integer).describe('First line to return, from 1. Default: the first'),
    end_line: optional(integer).describe('Last line to return, included. Default: the last'),
    max_chars: maxChars(FILE_READ_CHARS, { of: 'text' }),
    encoding: optional(z.string()).describe('How to decode the file, e.g. "gbk". Leave it out to have it detected'),
  }),

  async run({ file_path, start_line, end_line, max_chars, encoding: encodingName }, { ports }) {
    const file = await readTextFile(ports.workspace, file_path, encodingName)
    const lines = splitLines(file.text)
    const first = clamp(start_line ?? 1, 1, lines.length)
    const last = clamp(end_line ?? lines.length, first, lines.length)
    const wanted = lines.slice(first - 1, last)
    const part = { first, total: lines.length, chars: max_chars, path: file_path }
    const { content, last: lastShown, text, more } = shownPart(wanted, part)
    return {
      text,
      data: {
        content,
        total_lines: lines.length,
        line_range: lines.length === 0 ? '1-0' : `${first}-${lastShown}`,
        file_path,
        container_path: absolutePath(file.path),
        detected_encoding: file.encoding.name,
        file_size: file.size,
        ...more,
      },
    }
  },
})

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high))
