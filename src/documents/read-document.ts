import { MAX_DOCUMENT_CHARS, PARSE_DOCUMENT_MS } from '../core/limits/documents.ts'
import type { Clock } from '../ports/clock.ts'
import type { DocumentText } from '../ports/reader.ts'
import type { OpenDocument } from './document.ts'
import { type Choice, chosenParts, writtenParts } from './page-choice.ts'

/** In a Worker the clock stands still until something is awaited. */
const BREATH_EVERY = 16

/**
 * Reads the chosen parts, as far as they fit the limits of size and time.
 * @param maxChars length of the content, in UTF-16 units
 */
export async function readDocument(
  document: OpenDocument,
  pages: string | undefined,
  clock: Clock,
  signal: AbortSignal,
  maxChars = MAX_DOCUMENT_CHARS,
): Promise<DocumentText> {
  const { unit, count, metadata } = document
  const { parts, piece } = chosenParts(pages, count, unit)
  const until = clock.now() + PARSE_DOCUMENT_MS
  const late: string[] = []
  let content = ''
  let done = 0
  let next: Choice | null = null
  for (const number of parts) {
    signal.throwIfAborted()
    if (done > 0 && clock.now() > until) {
      late.push(`stopped after ${PARSE_DOCUMENT_MS / 1000} seconds`)
      next = { parts: parts.slice(done), piece: 1 }
      break
    }
    const goesOn = parts[done - 1] === number - 1
    const part = marked(document, number, await document.read(number, goesOn))
    if (done > 0 && content.length + part.length > maxChars) {
      next = { parts: parts.slice(done), piece: 1 }
      break
    }
    if (done === 0 && (part.length > maxChars || piece > 1)) {
      const cut = pieceOf(part, piece, maxChars)
      content = cut.text
      next = cut.isLast ? null : { parts, piece: piece + 1 }
      if (next) break
    } else content += `${content === '' || (unit === 'part' && goesOn) ? '' : '\n\n'}${part}`
    done++
    if (done % BREATH_EVERY === 0) await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return {
    content,
    metadata: { ...metadata, ...(unit === 'part' && count > 1 && { parts: count }) },
    notes: [...(document.notes ?? []), ...late],
    ...(next && { truncated: true, next_pages: writtenParts(next) }),
  }
}

/** Piece of a part that is too long for one answer, cut at line ends. */
function pieceOf(part: string, piece: number, maxChars: number): { readonly text: string; readonly isLast: boolean } {
  let start = 0
  for (let number = 1; ; number++) {
    const latest = start + maxChars
    if (latest >= part.length) return { text: number === piece ? part.slice(start) : '', isLast: true }
    // In the second half of the piece alone: looking back to the beginning of the part would square the time.
    const half = start + Math.floor(maxChars / 2) + 1
    const line = part.slice(half, latest + 1).lastIndexOf('\n')
    const end = line === -1 ? latest : half + line
    if (number === piece) return { text: part.slice(start, end).toWellFormed(), isLast: false }
    start = part[end] === '\n' ? end + 1 : end
  }
}

/** Text behind a mark of its page. Sheets begin with their name, and documents without pages need no mark. */
function marked({ unit, count }: OpenDocument, number: number, text: string): string {
  const mark =
    unit === 'page' || unit === 'slide' || (unit === 'chapter' && count > 1) ? `<!-- ${unit} ${number} -->` : ''
  return mark === '' ? text : text === '' ? mark : `${mark}\n\n${text}`
}
