import { FailureError, messageParts } from '../../core/failure.ts'
import { NAMELESS, worded } from '../../core/saying/worded.ts'
import { headLine } from '../../documents/page/head-line.ts'
import type { HttpResponse } from '../../ports/http.ts'
import type { Reader } from '../../ports/reader.ts'
import { mediaType } from './content-type.ts'
import { fileNameOf } from './file-name.ts'

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const TYPES: ReadonlyMap<string, string> = new Map([
  ['application/pdf', '.pdf'],
  ['application/x-pdf', '.pdf'],
  [`${OFFICE}.wordprocessingml.document`, '.docx'],
  [`${OFFICE}.presentationml.presentation`, '.pptx'],
  [`${OFFICE}.spreadsheetml.sheet`, '.xlsx'],
  ['application/vnd.ms-excel', '.xls'],
  ['application/epub+zip', '.epub'],
  ['application/x-ipynb+json', '.ipynb'],
  ['text/csv', '.csv'],
  ['text/tab-separated-values', '.tsv'],
])
/** Types that do not say what a file is: its name does. */
const UNSPECIFIC = /^(?:|text\/plain|(?:application|binary)\/(?:octet-stream|zip|force-download|x-download))$/
const NAMES = /\.(?:pdf|docx|pptx|xlsx|xls|epub|ipynb|csv|tsv)$/i

/** Kind of document that an answer is, by its first bytes, its type or its name. @returns null for a page */
export function documentExtension({ headers, url, body }: HttpResponse): string | null {
  if (new TextDecoder('latin1').decode(body.subarray(0, 5)) === '%PDF-') return '.pdf'
  const type = mediaType(headers)
  const named = UNSPECIFIC.test(type) ? NAMES.exec(fileNameOf(headers, url))?.[0].toLowerCase() : undefined
  return TYPES.get(type) ?? named ?? null
}

/** Document behind a URL. */
export interface CrawledDocument {
  /** Name of the file, with the extension that parse_document goes by. */
  readonly name: string
  readonly title: string
  readonly byline: string | null
  readonly date: string | null
  /** Numbers of pages, slides, sheets or chapters, by these names. */
  readonly counts: Readonly<Record<string, number>>
  /** Text as Markdown; null when the document cannot be read: the notes say why. */
  readonly markdown: string | null
  readonly notes: readonly string[]
  /** Pages beyond `markdown`, as parse_document takes them. */
  readonly nextPages: string | null
}

/** Reads a document as parse_document does, as much of it as fits into one answer. */
export async function readCrawled(
  answer: HttpResponse,
  extension: string,
  reader: Reader,
  signal: AbortSignal,
): Promise<CrawledDocument> {
  const stem = fileNameOf(answer.headers, answer.url).replace(NAMES, '')
  const unread = { name: `${stem}${extension}`, title: stem, byline: null, date: null, counts: {}, nextPages: null }
  try {
    const options = { name: unread.name, extension }
    const found = await reader.read({ kind: 'document', options, bytes: answer.body }, signal)
    const { content, metadata, notes, next_pages } = found
    const metadataLine = (name: string) => headLine(typeof metadata[name] === 'string' ? metadata[name] : null)
    return {
      ...unread,
      title: metadataLine('title') ?? stem,
      byline: metadataLine('author'),
      date: metadataLine('date') ?? metadataLine('created'),
      counts: Object.fromEntries(COUNTED.flatMap((name) => numberIn(metadata, name))),
      markdown: content,
      notes,
      nextPages: next_pages ?? null,
    }
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof FailureError)) throw thrown
    return {
      ...unread,
      markdown: null,
      notes: [`its text could not be read: ${worded(messageParts(thrown.failure), NAMELESS)}`],
    }
  }
}

const COUNTED = ['pages', 'slides', 'sheets', 'chapters'] as const

function numberIn(metadata: Readonly<Record<string, string | number>>, name: string): [string, number][] {
  const value = metadata[name]
  return typeof value === 'number' ? [[name, value]] : []
}
