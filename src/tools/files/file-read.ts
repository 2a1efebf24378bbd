import { z } from 'zod'
import { MAX_READ_CHARS } from '../../core/limits/workspace.ts'
import { absolutePath } from '../../core/workspace-path.ts'
import { flag, integer, optional, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { lineBreaksOf } from './line-breaks.ts'
import { readRange } from './line-range.ts'
import { splitLines } from './lines.ts'
import { linePrefix } from './numbered.ts'
import { readTextFile } from './text-file.ts'

/** Reads a file. Line numbers out of range are clamped, with a note, never an error. Source: Tool Server, tools/file_tools, FileReadTool. */
export const fileRead = defineTool({
  name: 'file_read',
  description:
    'Read a text file of the task, whole or a range of lines. Returns the text, with line numbers by choice, the number ' +
    'of lines, the encoding that was found (UTF-8, GBK, Big5, UTF-16, Latin-1 and others), and line_endings where they are not LF.',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({
    file_path: requiredText.describe('Path relative to the task root, e.g. "upload/config.json"'),
    start_line: optional(integer).describe(
      'First line to return, from 1; -20 returns the last 20 lines. Default: the first',
    ),
    end_line: optional(integer).describe('Last line to return, included; -1 is the last. Default: the last'),
    line_numbers: withDefault(flag, false).describe('Put its number before each line, "   12: text". Default false'),
    encoding: optional(z.string()).describe('How to decode the file, e.g. "gbk". Leave it out to have it detected'),
  }),

  async run({ file_path, start_line, end_line, line_numbers, encoding: encodingName }, { ports }) {
    const file = await readTextFile(ports.workspace, file_path, encodingName)
    const lines = splitLines(file.text)
    const { name: breaks } = lineBreaksOf(file.raw)
    const { first, last, notes } = readRange(start_line, end_line, lines.length)
    const chosen = lines.slice(first - 1, last)
    const shown = firstThatFit(line_numbers ? chosen.map((line, at) => `${linePrefix(first + at)}${line}`) : chosen)
    const lastShown = first + shown.lines - 1
    const whole = { text: shown.content || `${file_path} is empty`, data: {} }
    const { text, data } = shown.truncated ? cut(shown.content, first, lastShown, lines.length) : whole
    return {
      text: [text, ...notes].join('\n'),
      data: {
        content: shown.content,
        total_lines: lines.length,
        line_range: lines.length === 0 ? '1-0' : `${first}-${lastShown}`,
        file_path,
        container_path: absolutePath(file.path),
        detected_encoding: file.encoding.name,
        file_size: file.size,
        ...(breaks !== 'LF' && { line_endings: breaks }),
        ...data,
        ...(notes.length > 0 && { notes }),
      },
    }
  },
})

/** The first whole lines, as many as one answer may hold; of a first line that is longer, its beginning. */
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
