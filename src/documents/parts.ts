import { DOCUMENT_PART_CHARS } from '../core/limits/documents.ts'
import type { Metadata, OpenDocument } from './document.ts'

/** Document without pages of its own: it is cut into parts, between blocks where possible. */
export function inParts(content: string, metadata: Metadata): OpenDocument {
  const parts = cutAtBlocks(content)
  return { unit: 'part', count: parts.length, metadata, read: (part, goesOn) => cutFrom(parts[part - 1], goesOn) }
}

function cutAtBlocks(content: string): string[] {
  const parts: string[] = []
  let rest = 0
  while (content.length - rest > DOCUMENT_PART_CHARS) {
    const latest = rest + DOCUMENT_PART_CHARS
    const earliest = rest + DOCUMENT_PART_CHARS / 2
    const cut =
      [content.lastIndexOf('\n\n', latest), content.lastIndexOf('\n', latest)].find((at) => at > earliest) ?? latest
    parts.push(content.slice(rest, cut).toWellFormed())
    rest = cut
  }
  parts.push(content.slice(rest))
  return parts
}

/** Document of one long table, in parts: each begins with the table's header, so that it can be read alone. */
export function inTableParts(content: string, metadata: Metadata): OpenDocument {
  const body = content.indexOf('\n', content.indexOf('\n') + 1)
  const head = content.slice(0, body + 1)
  const parts = cutAtBlocks(content)
  const read = (part: number, goesOn: boolean) =>
    `${part === 1 || goesOn ? '' : head}${cutFrom(parts[part - 1], goesOn)}`
  return { unit: 'part', count: parts.length, metadata, read }
}

/** A part keeps the line breaks that it was cut at, for the part before it. */
const cutFrom = (part: string | undefined, goesOn: boolean) =>
  goesOn ? (part ?? '') : (part ?? '').replace(/^\n+/, '')
