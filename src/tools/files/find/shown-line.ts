import { MAX_SHOWN_LINE_CHARS } from '../../../core/limits/workspace.ts'

export interface Match {
  /** Number of the line, from 1. */
  readonly line_number: number
  readonly line_content: string
  /** Positions of the matches in the line, from 0, in UTF-16 units. */
  readonly match_positions: readonly number[]
  /** Position of `line_content` in the line, when only a part of the line is shown. */
  readonly content_offset?: number
  /** Lines before and behind, when they were requested. */
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

/** Match as shown: of a long line, the part around the first position. */
export function matchOf(line_number: number, line: string, match_positions: readonly number[]): Match {
  if (line.length <= MAX_SHOWN_LINE_CHARS) return { line_number, line_content: line, match_positions }
  const before = Math.floor(MAX_SHOWN_LINE_CHARS / 4)
  const content_offset = Math.max(0, (match_positions[0] ?? 0) - before)
  const shown = line.slice(content_offset, content_offset + MAX_SHOWN_LINE_CHARS).toWellFormed()
  return { line_number, line_content: shown, match_positions, content_offset }
}

/** A match with so many of the lines around it. @param lines all lines, without their breaks */
export function withContext(match: Match, lines: readonly string[], context: number): Match {
  if (context === 0) return match
  const at = match.line_number - 1
  return {
    ...match,
    before: lines.slice(Math.max(0, at - context), at).map(cut),
    after: lines.slice(at + 1, at + 1 + context).map(cut),
  }
}

/** Lines of a match for a reader: `12:line`, and `11-line` for those around it. @param path stands before each, where it is given */
export function printed({ line_number, line_content, before = [], after = [] }: Match, path?: string): string[] {
  const around = (lines: readonly string[], first: number) =>
    lines.map((line, index) => `${path === undefined ? '' : `${path}-`}${first + index}-${line}`)
  return [
    ...around(before, line_number - before.length),
    path === undefined ? `${line_number}: ${line_content}` : `${path}:${line_number}:${line_content}`,
    ...around(after, line_number + 1),
  ]
}

/** Characters that a match takes in an answer: as a field or as text, whichever is longer. */
export const charsOf = (match: Match, path?: string) =>
  1 + Math.max(JSON.stringify({ file_path: path, ...match }).length, printed(match, path).join('\n').length)

const cut = (line: string) => line.slice(0, MAX_SHOWN_LINE_CHARS).toWellFormed()
