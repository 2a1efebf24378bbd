import { z } from 'zod'
import {
  MAX_MATCHES_PER_LINE,
  MAX_SEARCH_CHARS,
  MAX_SEARCH_MATCHES,
  MAX_SHOWN_LINE_CHARS,
} from '../../core/limits/workspace.ts'
import { flag, optional, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { splitLines, withoutBreak } from './lines.ts'
import { readTextFile } from './text-file.ts'

interface Match {
  /** Number of the line, from 1. */
  readonly line_number: number
  readonly line_content: string
  /** Positions of the matches in the line, from 0, in UTF-16 units, overlapping ones included. */
  readonly match_positions: readonly number[]
  /** Position of `line_content` in the line, when only a part of the line is shown. */
  readonly content_offset?: number
}

/** Source: Tool Server of October 2025, tools/file_tools, FileSearchTool. */
export const fileSearch = defineTool({
  name: 'file_search',
  description:
    'Find a text in a text file of the task: the lines that have it, with their numbers and the places in them. It is ' +
    'plain text and no regular expression. To search many files use execute_shell: grep -rn.',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({
    file_path: requiredText.describe('Path relative to the task root'),
    search_text: requiredText
      .pipe(z.string().max(MAX_SEARCH_CHARS, `has more than ${MAX_SEARCH_CHARS} characters (MAX_SEARCH_CHARS)`))
      .describe('What to find, within one line'),
    case_sensitive: withDefault(flag, false).describe('True to tell "A" from "a". Default false'),
    encoding: optional(z.string()).describe('How to decode the file, e.g. "gbk". Leave it out to have it detected'),
  }),

  async run({ file_path, search_text, case_sensitive, encoding: encodingName }, { ports: { workspace } }) {
    const { text, encoding } = await readTextFile(workspace, file_path, encodingName)
    const comparable = (words: string) => (case_sensitive ? words : words.toLowerCase())
    const wanted = comparable(search_text)
    const lines = splitLines(text)
    const matches: Match[] = []
    let total = 0
    for (const [index, line] of lines.entries()) {
      const content = withoutBreak(line)
      const positions = positionsOf(wanted, comparable(content))
      if (positions.length === 0) continue
      total += 1
      if (total <= MAX_SEARCH_MATCHES) matches.push(matchOf(index + 1, content, positions))
    }
    const rest = total - matches.length
    return {
      text: [
        ...matches.map(({ line_number, line_content }) => `${line_number}: ${line_content}`),
        ...(total === 0 ? [`${file_path} does not have ${JSON.stringify(search_text)}`] : []),
        ...(rest > 0 ? [`[and ${rest} more lines]`] : []),
      ].join('\n'),
      data: {
        file_path,
        search_text,
        case_sensitive,
        total_matches: total,
        total_lines: lines.length,
        matches,
        detected_encoding: encoding.name,
        ...(rest > 0 && { truncated: true }),
      },
    }
  },
})

function positionsOf(wanted: string, line: string): number[] {
  const found: number[] = []
  let at = line.indexOf(wanted)
  while (at !== -1 && found.length < MAX_MATCHES_PER_LINE) {
    found.push(at)
    at = line.indexOf(wanted, at + 1)
  }
  return found
}

/** Match as shown: of a long line, the part around the first position. */
function matchOf(line_number: number, line: string, match_positions: readonly number[]): Match {
  if (line.length <= MAX_SHOWN_LINE_CHARS) return { line_number, line_content: line, match_positions }
  const before = Math.floor(MAX_SHOWN_LINE_CHARS / 4)
  const content_offset = Math.max(0, (match_positions[0] ?? 0) - before)
  const shown = line.slice(content_offset, content_offset + MAX_SHOWN_LINE_CHARS).toWellFormed()
  return { line_number, line_content: shown, match_positions, content_offset }
}
