import { z } from 'zod'
import { decodeBase64Text } from '../../core/base64.ts'
import { fail } from '../../core/failure.ts'
import { field, say } from '../../core/saying/saying.ts'
import { encodeFile, encodingNamed, writable } from '../../documents/encoding.ts'
import { flag, givenText, integer, optional, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { splitLines, universalNewlines } from './lines.ts'
import { readTextFile } from './text-file.ts'
import { writeTarget } from './write-target.ts'

/** Source: Tool Server, tools/file_tools, FileReplaceLinesTool. */
export const fileReplaceLines = defineTool({
  name: 'file_replace_lines',
  description:
    'Replace a range of lines in a text file. Empty new_content deletes the lines; end_line = start_line - 1 inserts ' +
    'before start_line. Line numbers are those of file_read. The file keeps its encoding.',
  effect: 'write',
  uses: ['workspace'],
  input: z
    .object({
      file_path: requiredText.describe('Path relative to the task root'),
      start_line: integer.describe('First line to replace, from 1'),
      end_line: integer.describe('Last line to replace, included'),
      new_content: givenText.describe(
        'The new lines; a line break is added at the end if there is none. "" deletes the lines',
      ),
      is_base64: withDefault(flag, false).describe('True when new_content is base64 of UTF-8 text. Default false'),
      encoding: optional(z.string()).describe('Write the whole file in this encoding. Default: the one it has'),
    })
    // The original takes 0 for "not given".
    .refine(({ start_line, end_line }) => start_line !== 0 && end_line !== 0, {
      params: {
        parts: say`${field('file_path')}, ${field('start_line')}, and ${field('end_line')} are required; lines count from 1`,
      },
    }),

  async run(
    { file_path, start_line, end_line, new_content, is_base64, encoding: encodingName },
    { ports: { workspace } },
  ) {
    const file = await readTextFile(workspace, file_path)
    const lines = splitLines(file.text)
    const total = `${file_path} has ${lines.length} lines`
    if (start_line < 1 || start_line > lines.length)
      fail('invalid_input', `Invalid start line: ${start_line}; ${total}`)
    if (end_line < start_line - 1 || end_line > lines.length) {
      fail('invalid_input', `Invalid end line: ${end_line}; ${total}`)
    }
    const added = splitLines(endedLine(is_base64 ? decodeBase64Text(new_content, 'new_content') : new_content))
    const result = [...lines.slice(0, start_line - 1), ...added, ...lines.slice(end_line)]
    const encoding = encodingName ? encodingNamed(encodingName) : writable(file.encoding)
    const content = encodeFile(result.join(''), encoding)
    await workspace.commit([{ op: 'write', path: writeTarget(workspace, file_path), content }])
    return {
      text: `replaced lines ${start_line}-${end_line} of ${file_path} by ${added.length}; it now has ${result.length}`,
      data: {
        file_path,
        replaced_lines: `${start_line}-${end_line}`,
        new_line_count: added.length,
        total_lines: result.length,
        was_base64: is_base64,
        original_encoding: file.encoding.name,
        write_encoding: encoding.name,
      },
    }
  },
})

function endedLine(content: string): string {
  const lines = universalNewlines(content)
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`
}
