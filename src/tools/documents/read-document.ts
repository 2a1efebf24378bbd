import { MAX_DOCUMENT_CHARS, PARSE_DOCUMENT_MS } from '../../core/limits.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Metadata, OpenDocument } from './document.ts'
import { chosenParts, writtenParts } from './page-choice.ts'

export interface ReadDocument {
  readonly content: string
  readonly metadata: Metadata
  readonly notes: readonly string[]
  /** Set when parts that were asked for are not in `content`. */
  readonly truncated?: true
  /** The parts to ask for next, as `pages`. */
  readonly next_pages?: string
}

/** In a Worker the clock stands still until something is waited for. */
const BREATH_EVERY = 16

/** The parts that were asked for, as long as they fit the limits of size and time. */
export async function readDocument(
  document: OpenDocument,
  pages: string | undefined,
  clock: Clock,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const { unit, count, metadata } = document
  const chosen = chosenParts(pages, count, unit)
  const until = clock.now() + PARSE_DOCUMENT_MS
  const notes: string[] = []
  let content = ''
  let done = 0
  for (const number of chosen) {
    signal.throwIfAborted()
    if (done > 0 && clock.now() > until) {
      notes.push(`stopped after ${PARSE_DOCUMENT_MS / 1000} seconds`)
      break
    }
    const goesOn = chosen[done - 1] === number - 1
    const part = marked(document, number, await document.read(number, goesOn))
    if (done > 0 && content.length + part.length > MAX_DOCUMENT_CHARS) break
    content += `${content === '' || (unit === 'part' && goesOn) ? '' : '\n\n'}${part}`
    done++
    if (done % BREATH_EVERY === 0) await new Promise((resolve) => setTimeout(resolve, 0))
  }
  if (content.length > MAX_DOCUMENT_CHARS) {
    content = content.slice(0, MAX_DOCUMENT_CHARS).toWellFormed()
    notes.push(`${unit} ${chosen[0]} alone is longer than ${MAX_DOCUMENT_CHARS} characters and was cut`)
  }
  const all = { ...metadata, ...(unit === 'part' && count > 1 && { parts: count }) }
  const isCut = done < chosen.length || notes.some((note) => note.endsWith('was cut'))
  return {
    content,
    metadata: all,
    notes: [...(document.notes ?? []), ...notes],
    ...(isCut && { truncated: true }),
    ...(done < chosen.length && { next_pages: writtenParts(chosen.slice(done)) }),
  }
}

/** Says where a page begins. Sheets begin with their name, and what has no pages needs no mark. */
function marked({ unit, count }: OpenDocument, number: number, text: string): string {
  const mark =
    unit === 'page' || unit === 'slide' || (unit === 'chapter' && count > 1) ? `<!-- ${unit} ${number} -->` : ''
  return mark === '' ? text : text === '' ? mark : `${mark}\n\n${text}`
}
