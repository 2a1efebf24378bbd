import * as z from 'zod'
import { decodeBase64Text } from '../../core/base64.ts'
import { fail } from '../../core/failure.ts'
import { CHANGE_CONTEXT_LINES } from '../../core/limits/edits.ts'
import { field, say } from '../../core/saying/saying.ts'
import { flag, givenText, integer, onePath, optional, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { changedLines } from './changed-lines.ts'
import { editedFile } from './edited-file.ts'
import { requireExpected } from './expected-lines.ts'
import { lineBreaksOf, withBreaks } from './line-breaks.ts'
import { rawLines, splitLines, universalNewlines } from './lines.ts'
import { readTextFile, type TextFile } from './text-file.ts'
import { writeTarget } from './write-target.ts'

/** Source: Tool Server, tools/file_tools, FileReplaceLinesTool. The line breaks of the file stay, which that one writes as LF. */
export const fileReplaceLines = defineTool({
  name: 'file_replace_lines',
  description:
    'Replace lines start_line to end_line of a text file of the task, counted from 1 as by file_read. To insert before line ' +
    'n: start_line n, end_line n - 1; n may be one past the last line. Give expected_content, so that nothing is replaced ' +
    'when the file has changed. The file keeps its encoding and line breaks. Runs without a sandbox. Returns changed_lines: ' +
    `the new lines with ${CHANGE_CONTEXT_LINES} around, numbered; the lines behind them have other numbers now. Without ` +
    'line numbers: file_edit.',
  effect: 'write',
  uses: ['workspace'],
  input: z
    .object({
      file_path: onePath.describe('Path relative to the task root'),
      start_line: integer.describe('First line to replace, from 1'),
      end_line: integer.describe('Last line to replace, included, from 1; start_line - 1 to insert'),
      new_content: givenText.describe(
        'The new lines; a line break is added at the end if there is none. "" deletes the lines',
      ),
      expected_content: optional(z.string()).describe(
        'What stands in the lines now, as plain text. If it does not, the call is refused and says what does. Default: anything',
      ),
      is_base64: withDefault(flag, false).describe('True when new_content is base64 of UTF-8 text. Default false'),
      encoding: optional(z.string()).describe('Write the whole file in this encoding. Default: the one it has'),
    })
    // The original takes 0 for "not given". Before line 1, end_line 0 is the place to insert.
    .refine(({ start_line, end_line }) => start_line !== 0 && (end_line !== 0 || start_line === 1), {
      params: {
        parts: say`${field('file_path')}, ${field('start_line')}, and ${field('end_line')} are required; lines count from 1`,
      },
    }),

  async run(
    { file_path, start_line, end_line, new_content, expected_content, is_base64, encoding: encodingName },
    { ports: { workspace } },
  ) {
    const target = writeTarget(workspace, file_path)
    const file = await readTextFile(workspace, file_path)
    const lines = splitLines(file.text)
    const range = { first: start_line, last: lines.length === 0 && start_line === 1 ? 0 : end_line }
    requireRange(file_path, range, lines.length, end_line)
    if (expected_content !== undefined) requireExpected(file_path, lines, range, expected_content)
    const given = universalNewlines(is_base64 ? decodeBase64Text(new_content, 'new_content') : new_content)
    const { raw, added } = withLines(file, lines, range, given)
    const { content, encoding, facts, notes } = editedFile(file, raw, encodingName)
    await workspace.commit([{ op: 'write', path: target, content }])
    const result = splitLines(universalNewlines(raw))
    const shown = changedLines(result, [{ first: start_line, last: start_line + added - 1 }])
    return {
      text: [
        `replaced lines ${start_line}-${end_line} of ${file_path} by ${added}; it now has ${result.length}:`,
        shown,
        ...notes,
      ].join('\n'),
      data: {
        file_path,
        replaced_lines: `${start_line}-${end_line}`,
        new_line_count: added,
        total_lines: result.length,
        was_base64: is_base64,
        original_encoding: file.encoding.name,
        write_encoding: encoding,
        ...facts,
        changed_lines: shown,
        ...(notes.length > 0 && { notes }),
      },
    }
  },
})

function requireRange(path: string, { first, last }: Range, total: number, given: number): void {
  const has = `${path} has ${total} lines`
  if (first < 1 || first > total + 1) fail('invalid_input', `Invalid start line: ${first}; ${has}`)
  if (first === total + 1 && last !== total) {
    fail(
      'invalid_input',
      say`Invalid start line: ${first}; ${has}; to add lines at the end give ${field('end_line')} ${total}`,
    )
  }
  if (last > total) fail('invalid_input', `Invalid end line: ${given}; ${has}`)
  if (given < 0)
    fail('invalid_input', `Invalid end line: ${given}; ${has}, which are counted from 1: the last is ${total}`)
  if (last < first - 1) {
    fail(
      'invalid_input',
      say`Invalid end line: ${given}; ${has}; to insert before line ${first} give ${field('end_line')} ${first - 1}`,
    )
  }
}

interface Range {
  readonly first: number
  readonly last: number
}

/**
 * A file's text with lines replaced. Other lines stay to the byte, but for a last line without a break that is no longer last; the
 * last line stays without one unless the new text says otherwise.
 */
function withLines({ raw, text }: TextFile, lines: readonly string[], { first, last }: Range, given: string) {
  const breaks = lineBreaksOf(raw)
  const rows = raw === text ? lines : rawLines(raw)
  const ended = given === '' || given.endsWith('\n') ? given : `${given}\n`
  const added = splitLines(ended).map((line, at) =>
    first + at <= last && lines[first - 1 + at] === line ? (rows[first - 1 + at] ?? '') : withBreaks(line, breaks),
  )
  const before = rows.slice(0, first - 1)
  const after = rows.slice(last)
  const wasUnended = text !== '' && !text.endsWith('\n')
  if (wasUnended && after.length === 0 && added.length > 0) {
    const end = before.pop()
    if (end !== undefined) before.push(first > lines.length ? `${end}${breaks.common}` : end)
    if (!given.endsWith('\n')) added.push((added.pop() ?? '').replace(/\r?\n$|\r$/, ''))
  }
  return { raw: [...before, ...added, ...after].join(''), added: added.length }
}
