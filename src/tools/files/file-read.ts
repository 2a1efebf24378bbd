import { z } from 'zod'
import { MAX_READ_CHARS } from '../../core/limits/workspace.ts'
import { absolutePath } from '../../core/workspace-path.ts'
import { integer, optional, requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { splitLines } from './lines.ts'
import { readTextFile } from './text-file.ts'

/** Reads a file. Line numbers out of range are clamped, never an error. Source: Tool Server, tools/file_tools, FileReadTool. */
export const fileRead = defineTool({
  name: 'file_read',
  description:
    'Read a text file of the task, whole or a range of lines. Returns the plain text without line numbers, the number ' +
    'of lines, and the encoding that was found (UTF-8, GBK, Big5, UTF-16, Latin-1 and others).',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({
    file_path: requiredText.describe('Path relative to the task root, e.g. "upload/config.json"'),
    start_line: optional(integer).describe('First line to return, from 1. Default: the first'),
    end_line: optional(integer).describe('Last line to return, included. Default: the last'),
    encoding: optional(z.string()).describe('How to decode the file, e.g. "gbk". Leave it out to have it detected'),
  }),

  async run({ file_path, start_line, end_line, encoding: encodingName }, { ports }) {
    const file = await readTextFile(ports.workspace, file_path, encodingName)
    const lines = splitLines(file.text)
    const first = clamp(start_line ?? 1, 1, lines.length)
    const last = clamp(end_line ?? lines.length, first, lines.length)
    const shown = firstThatFit(lines.slice(first - 1, last))
    const lastShown = first + shown.lines - 1
    const whole = { text: shown.content || `${file_path} is empty`, data: {} }
    const { text, data } = shown.truncated ? cut(shown.content, first, lastShown, lines.length) : whole
    return {
      text,
      data: {
        content: shown.content,
        total_lines: lines.length,
        line_range: lines.length === 0 ? '1-0' : `${first}-${lastShown}`,
        file_path,
        container_path: absolutePath(file.path),
        detected_encoding: file.encoding.name,
        file_size: file.size,
        ...data,
      },
    }
  },
})

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high))

/** As many whole lines as one answer may hold; of a first line that is longer, its beginning. */
function firstThatFit(lines: readonly string[]) {
  let chars = 0
  const over = lines.findIndex((line) => {
    chars += line.length
    return chars > MAX_READ_CHARS
  })
  if (over === -1) return { content: lines.join(''), lines: lines.length, truncated: false }
  if (over > 0) return { content: lines.slice(0, over).join(''), lines: over, truncated: true }
  return { content: (lines[0] ?? '').slice(0, MAX_READ_CHARS).toWellFormed(), lines: 1, truncated: true }
}

function cut(content: string, first: number, last: number, total: number) {
  const next = last < total ? { next_start_line: last + 1 } : {}
  const how = last < total ? `; read on with start_line ${last + 1}` : ''
  return { text: `${content}\n[lines ${first}-${last} of ${total}, cut${how}]`, data: { truncated: true, ...next } }
}
