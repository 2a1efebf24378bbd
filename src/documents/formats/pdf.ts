import { once } from '../../core/once.ts'
import { broken, PROTECTED } from '../broken.ts'
import type { Metadata, OpenDocument } from '../document.ts'
import { EdgeLines } from '../pdf/edge-lines.ts'
import { BEYOND, putBounds } from '../pdf/engine-bounds.ts'
import { engineClasses } from '../pdf/engine-classes.ts'
import { pageMarkdown } from '../pdf/page-markdown.ts'
import { type PdfPage, type PdfText, placedText } from '../pdf/placed-text.ts'

/** A PDF, page by page: reading order, headings, paragraphs and tables are found out from where its text stands. */
export async function openPdf(bytes: Uint8Array): Promise<OpenDocument> {
  const document = await load(bytes)
  const edges = new EdgeLines()
  const notes: string[] = []
  const bodySize = new BodySize()
  let empty = 0
  let read = 0
  return {
    unit: 'page',
    count: document.numPages,
    metadata: { pages: document.numPages, ...(await information(document)) },
    notes,
    async read(number) {
      const page = await pageOf(document, number)
      const content = await textOf(page, number)
      page.cleanup()
      read++
      if (typeof content === 'string') return content
      const text = placedText(content, page)
      if (text.pieces.length === 0) {
        empty++
        notes[0] =
          read === empty
            ? 'no page that was read has text: they are scans or drawings, and need optical character recognition, e.g. pdftoppm and tesseract by execute_shell'
            : `${empty} of ${read} pages have no text: they are scans, drawings or empty`
        return '(no text on this page: it is a scan, a drawing or empty)'
      }
      if (notes.length > 0) notes[0] = `${empty} of ${read} pages have no text: they are scans, drawings or empty`
      return pageMarkdown(text, {
        bodySize: bodySize.after(text.pieces),
        isRepeated: (line) => edges.isRepeated(number, line),
      })
    },
    close: () => document.loadingTask.destroy(),
  }
}

type PdfDocument = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>

async function load(bytes: Uint8Array): Promise<PdfDocument> {
  await boundedEngine()
  try {
    // pdf.js takes the bytes for itself, so it gets a copy.
    return await loadPdf(bytes.slice())
  } catch (thrown) {
    const name = thrown instanceof Error ? thrown.name : ''
    if (name === 'PasswordException') return broken(PROTECTED, { cause: thrown })
    return broken('it is damaged or not a PDF; check how it was made or uploaded', { cause: thrown })
  }
}

/** pdf.js with bounds in it, which are put there once. */
const boundedEngine = once(async () => {
  const classes = await engineClasses(async (bytes) => {
    const document = await loadPdf(bytes)
    await (await document.getPage(1)).getTextContent()
    await document.loadingTask.destroy()
  })
  putBounds(classes)
})

async function loadPdf(bytes: Uint8Array): Promise<PdfDocument> {
  const [{ getDocumentProxy }, { PackedCMaps }] = await Promise.all([import('unpdf'), import('../pdf/packed-cmaps.ts')])
  return getDocumentProxy(bytes, {
    BinaryDataFactory: PackedCMaps,
    cMapUrl: 'packed:/',
    cMapPacked: true,
    useWorkerFetch: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
  } as Parameters<typeof getDocumentProxy>[1]) // its types do not know BinaryDataFactory yet
}

/** Text of a page. @returns the text; a sentence in its place where the page cannot be read, so that the others can */
async function textOf(page: PdfPage, number: number): Promise<PdfText | string> {
  try {
    return await page.getTextContent()
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : ''
    const at = message.indexOf(BEYOND)
    return `(page ${number} was not read: ${at === -1 ? 'it is damaged' : message.slice(at + BEYOND.length)})`
  }
}

async function pageOf(document: PdfDocument, number: number): Promise<PdfPage> {
  try {
    return (await document.getPage(number)) as unknown as PdfPage // The type has only the used members.
  } catch (thrown) {
    return broken(`page ${number} is damaged; read the others by pages`, { cause: thrown })
  }
}

async function information(document: PdfDocument): Promise<Metadata> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} })) // a damaged one is none
  const entries = info as Readonly<Record<string, unknown>>
  const found: Record<string, string> = {}
  for (const [key, name] of FIELDS) {
    const value = entries[key]
    if (typeof value === 'string' && !NOTHING.test(value.trim())) found[name] = value.trim()
  }
  for (const [key, name] of DATES) {
    const date = /^D:(\d{4})(\d\d)?(\d\d)?/.exec(String(entries[key] ?? ''))
    if (date) found[name] = date.slice(1).filter(Boolean).join('-')
  }
  return found
}

const FIELDS = [
  ['Title', 'title'],
  ['Author', 'author'],
  ['Subject', 'subject'],
  ['Keywords', 'keywords'],
] as const
const DATES = [
  ['CreationDate', 'created'],
  ['ModDate', 'modified'],
] as const
/** Placeholders that libraries write for missing metadata. */
const NOTHING = /^(?:|\(?(?:anonymous|unspecified|untitled)\)?)$/i

/** A size that this share of all characters has is one of running text. */
const BODY_SHARE = 0.35

/** Estimator of the size of running text so far: larger text is a heading. */
class BodySize {
  readonly #chars = new Map<number, number>()

  after(pieces: readonly { readonly text: string; readonly size: number }[]): number {
    for (const { text, size } of pieces) {
      const rounded = Math.round(size * 2) / 2
      this.#chars.set(rounded, (this.#chars.get(rounded) ?? 0) + text.length)
    }
    const all = [...this.#chars.values()].reduce((sum, chars) => sum + chars, 0)
    const common = [...this.#chars].filter(([, chars]) => chars >= all * BODY_SHARE).map(([size]) => size)
    return Math.max(...common, 0) || Math.max(...this.#chars.keys())
  }
}
