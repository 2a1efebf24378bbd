import { MAX_SHEET_CELLS } from '../core/limits/documents.ts'
import { blocks, codeSpan, table } from './markdown.ts'
import { attribute, isSkipped, type MarkupNode, nameOf } from './markup-node.ts'

const MAX_SPAN = 100
/** Cells beyond stand alone, whatever they claim to span. */
const MAX_COLUMNS = 300

/** Markdown of a table's rows, with cells that span several put where they begin. @param flow Markdown of a cell's content */
export function grid(node: MarkupNode, flow: (cell: MarkupNode) => string): string {
  const rows: string[][] = []
  const carried: number[] = []
  let caption = ''
  let nested = false
  let headed = false
  let count = 0
  for (const row of rowsOf(node, (text) => {
    caption = flow(text)
  })) {
    const cells: string[] = []
    const skipCarried = () => {
      while ((carried[cells.length] ?? 0) > 0) {
        carried[cells.length] = (carried[cells.length] ?? 0) - 1
        cells.push('')
      }
    }
    for (const cell of row.childNodes) {
      const name = nameOf(cell)
      if ((name !== 'td' && name !== 'th') || isSkipped(cell) || isGutter(cell)) continue
      skipCarried()
      const text = flow(cell)
      headed ||= name === 'th' && rows.length === 0
      nested ||= text.includes('\n| --- |')
      // Spans make many cells out of few characters.
      const room = count > MAX_SHEET_CELLS ? 1 : Math.max(1, MAX_COLUMNS - cells.length)
      const wide = Math.min(room, span(cell, 'colspan'))
      const high = room > 1 ? span(cell, 'rowspan') - 1 : 0
      for (let extra = 0; extra < wide; extra++) {
        carried[cells.length] = high
        cells.push(extra === 0 ? text : '')
      }
    }
    skipCarried()
    count += cells.length
    if (cells.some((text) => text !== '')) rows.push(cells)
  }
  // A table that lays out a page, or that has only one cell in a row and no header, is no table to a reader.
  const layout =
    nested || attribute(node, 'role') === 'presentation' || (rows.every((row) => row.length < 2) && !headed)
  return blocks([caption, layout ? blocks(rows.flat()) : table(rows.map((row) => row.map(cellText)))])
}

/** A cell is one line of Markdown, so code in it stands line by line. */
function cellText(text: string): string {
  if (!text.includes('```')) return text
  const lines: string[] = []
  let fence: string | null = null
  for (const line of text.split('\n')) {
    const opened: string | undefined = fence === null ? /^(`{3,})[^`]*$/.exec(line)?.[1] : undefined
    if (opened !== undefined) fence = opened
    else if (line === fence) fence = null
    else lines.push(fence === null ? line : codeSpan(line))
  }
  return fence === null ? lines.join('\n') : text
}

/** Line numbers beside code. */
const isGutter = (cell: MarkupNode) =>
  /(?:^|\s)(?:gutter|(?:rouge-)?gutter|linenos?|lineno|blob-num|hljs-ln-numbers)(?:\s|$)/.test(attribute(cell, 'class'))

const span = (cell: MarkupNode, name: string) =>
  Math.min(MAX_SPAN, Math.max(1, Number.parseInt(attribute(cell, name) || '1', 10) || 1))

function* rowsOf(node: MarkupNode, onCaption: (caption: MarkupNode) => void): Generator<MarkupNode> {
  for (const part of node.childNodes) {
    const name = nameOf(part)
    if (name === 'tr' && !isSkipped(part)) yield part
    else if (name === 'caption') onCaption(part)
    else if (/^(?:thead|tbody|tfoot)$/.test(name) && !isSkipped(part)) yield* rowsOf(part, onCaption)
  }
}
