import { blocks, heading, table } from '../markdown.ts'
import { readingGroups } from './columns.ts'
import { LABEL, type Line, linesOf } from './lines.ts'
import type { PlacedText } from './placed-text.ts'
import { tableRuns } from './table-runs.ts'

export interface PageContext {
  /** Body font size: the size of most of the document's characters, in points. */
  readonly bodySize: number
  /** Whether a line at the page's edge stood on the pages before too. */
  readonly isRepeated: (line: string) => boolean
}

/** Share of the page's height, above and below, where running heads and page numbers stand. */
const EDGE = 0.09

export function pageMarkdown(page: PlacedText, context: PageContext): string {
  const repeated = repeatedHeights(page, context)
  const pieces = page.pieces.filter(({ y }) => !repeated.some((height) => Math.abs(height - y) < 1.5))
  const groups = readingGroups(pieces).map((group) => groupMarkdown(linesOf(group), context.bodySize))
  return blocks([...groups, page.turned.join(' ')])
}

function repeatedHeights(page: PlacedText, { isRepeated }: PageContext): number[] {
  const atEdge = page.pieces.filter(({ y }) => y < page.height * EDGE || y > page.height * (1 - EDGE))
  return linesOf(atEdge)
    .filter((line) => isRepeated(textOf(line)))
    .map(({ y }) => y)
}

const textOf = ({ cells }: Line) => cells.map(({ text }) => text).join(' ')

function groupMarkdown(lines: readonly Line[], bodySize: number): string {
  const parts: string[] = []
  let paragraph: Line[] = []
  const right = lines.reduce((most, line) => Math.max(most, line.right), 0)
  const left = lines.reduce((least, line) => Math.min(least, line.x), Number.POSITIVE_INFINITY)
  const pitch = usualPitch(lines)
  const endParagraph = () => {
    if (paragraph.length > 0) parts.push(paragraphMarkdown(paragraph, { left, right, bodySize }))
    paragraph = []
  }
  for (const run of tableRuns(lines)) {
    if (run.kind === 'table') {
      endParagraph()
      parts.push(table(run.rows))
      continue
    }
    const before = paragraph.at(-1)
    if (before && beginsParagraph(run.line, before, pitch)) endParagraph()
    paragraph.push(run.line)
  }
  endParagraph()
  return blocks(parts)
}

/** Usual distance between lines of the same paragraph. */
function usualPitch(lines: readonly Line[]): number {
  const gaps = lines
    .slice(1)
    .map((line, at) => line.y - (lines[at]?.y ?? 0))
    .filter((gap) => gap > 1)
    .sort((one, two) => one - two)
  return gaps[Math.floor(gaps.length * 0.4)] ?? 0
}

function beginsParagraph(line: Line, before: Line, pitch: number): boolean {
  const gap = line.y - before.y
  if (gap > Math.max(pitch * 1.3, line.size * 1.25)) return true
  if (Math.abs(line.size - before.size) > before.size * 0.1) return true
  return LABEL.test(firstWord(line))
}

const firstWord = (line: Line) => {
  const text = textOf(line)
  const space = text.indexOf(' ')
  return space === -1 ? text : text.slice(0, space)
}

const MAX_HEADING_CHARS = 160

function paragraphMarkdown(
  lines: readonly Line[],
  { left, right, bodySize }: { left: number; right: number; bodySize: number },
): string {
  const size = Math.max(...lines.map((line) => line.size))
  const text = joined(lines, left, right)
  const level = headingLevel(size / bodySize)
  if (level !== null && text.length <= MAX_HEADING_CHARS && lines.length <= 3 && /\p{L}/u.test(text)) {
    return headings(level, lines, (right - left) * WRAPPED_SHARE)
  }
  // A dash begins an item of a nested list where it is indented, and speech in a novel where it is not.
  if (/^[–-] /.test(text) && (lines[0]?.x ?? left) - left > bodySize) return text.replace(/^[–-] /, '  * ')
  return /^[•●○◦▪■] ?/.test(text) ? text.replace(/^[•●○◦▪■] ?/, '* ') : text
}

/** Share of the text's width from which a title's line may continue in the next one. */
const WRAPPED_SHARE = 0.55

function headings(level: number, lines: readonly Line[], wrappedWidth: number): string {
  const titles: string[] = []
  let goesOn = false
  for (const line of lines) {
    if (goesOn) titles.push(`${titles.pop()} ${textOf(line)}`)
    else titles.push(textOf(line))
    goesOn = line.right - line.x >= wrappedWidth
  }
  return blocks(titles.map((title) => heading(level, title)))
}

function headingLevel(ratio: number): number | null {
  if (ratio >= 1.55) return 1
  if (ratio >= 1.3) return 2
  return ratio >= 1.13 ? 3 : null
}

/** Lines joined into a paragraph. A line that ends well before the edge ends there on purpose; others continue in the next. */
function joined(lines: readonly Line[], left: number, right: number): string {
  let text = ''
  let wasFull = false
  for (const line of lines) {
    const next = textOf(line)
    if (text === '') text = next
    else if (!wasFull) text += `\n${next}`
    else if (/\p{L}[-\u00ad\u2010]$/u.test(text) && /^\p{Ll}/u.test(next)) text = text.slice(0, -1) + next
    else text += isUnspaced(text, next) ? next : ` ${next}`
    wasFull = line.right >= right - (right - left) * FULL_SLACK
  }
  return text
}

const FULL_SLACK = 0.17

/** Chinese and Japanese have no spaces between words. */
const isUnspaced = (text: string, next: string) => CJK.test(text.slice(-1)) && CJK.test(next.slice(0, 1))
const CJK = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/
