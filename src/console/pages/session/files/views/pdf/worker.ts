import { getDocument, type PageViewport, type PDFDocumentProxy, type PDFPageProxy } from 'unpdf/pdfjs'
import { IMAGE_PIXELS_MAX, PAGE_PIXELS_MAX, TEXT_CHARS_MAX, TEXT_PIECES_MAX } from './limits.ts'
import type { DrawnPage, PdfAnswer, PdfRequest, PlacedText } from './messages.ts'

/** Canvases of a worker. */
class Canvases {
  create(width: number, height: number) {
    const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height))
    return { canvas, context: canvas.getContext('2d') }
  }
  reset({ canvas }: { readonly canvas: OffscreenCanvas }, width: number, height: number): void {
    canvas.width = Math.max(1, width)
    canvas.height = Math.max(1, height)
  }
  destroy({ canvas }: { readonly canvas: OffscreenCanvas }): void {
    canvas.width = canvas.height = 0
  }
}

/** Filters are drawn by elements of a page, of which a worker has none: without them a mask or two looks plainer. */
class NoFilters {
  addFilter = () => 'none'
  addHCMFilter = () => 'none'
  addAlphaFilter = () => 'none'
  addLuminosityFilter = () => 'none'
  addKnockoutFilter = () => 'none'
  addHighlightHCMFilter = () => 'none'
  addSelectionHCMFilter = () => 'none'
  addSelectionFilter = () => 'none'
  createSelectionStyle = () => null
  destroy = () => {}
}

/** Character maps of Adobe's Chinese, Japanese and Korean collections. Nothing else is given, and nothing is fetched. */
class CharacterMaps {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    if (kind !== 'cMapUrl') throw new Error('there is no such file')
    const { default: table } = await import('../../../../../../documents/pdf/cmaps.json')
    const maps: Readonly<Record<string, string>> = table.maps
    const name = filename.replace(/\.bcmap$/, '')
    const packed = Object.hasOwn(maps, name) ? maps[name] : undefined
    if (packed === undefined) throw new Error('there is no such character map')
    return Uint8Array.from(atob(packed), (character) => character.charCodeAt(0))
  }
}

const answer = (answered: PdfAnswer, moved: Transferable[] = []) => postMessage(answered, { transfer: moved })

let opened: PDFDocumentProxy | null = null

/** Opens a document. Its scripts, forms and links are not looked at; nothing of it leads to a request. */
async function open(bytes: ArrayBuffer): Promise<number> {
  const options = {
    data: new Uint8Array(bytes),
    ownerDocument: { fonts: (self as unknown as { readonly fonts: FontFaceSet }).fonts },
    CanvasFactory: Canvases,
    FilterFactory: NoFilters,
    BinaryDataFactory: CharacterMaps,
    cMapUrl: 'packed:/',
    cMapPacked: true,
    useWorkerFetch: false,
    useSystemFonts: true,
    useWasm: false,
    enableXfa: false,
    maxImageSize: IMAGE_PIXELS_MAX,
    canvasMaxAreaInBytes: 4 * IMAGE_PIXELS_MAX,
    verbosity: 0,
  }
  // Its types do not know all of these yet.
  opened = await getDocument(options as unknown as Parameters<typeof getDocument>[0]).promise
  return opened.numPages
}

async function draw(document: PDFDocumentProxy, number: number, width: number): Promise<DrawnPage> {
  const page = await document.getPage(number)
  const natural = page.getViewport({ scale: 1 })
  if (!(natural.width > 0 && natural.height > 0)) throw new Error('the page has no size')
  const fitting = Math.sqrt(PAGE_PIXELS_MAX / (natural.width * natural.height))
  const viewport = page.getViewport({ scale: Math.min(width / natural.width, fitting) })
  const canvas = new OffscreenCanvas(within(viewport.width), within(viewport.height))
  const context = canvas.getContext('2d') as unknown as CanvasRenderingContext2D
  await page.render({ canvasContext: context, canvas: null, viewport, annotationMode: ANNOTATIONS_OFF }).promise
  const text = await textOf(page, viewport)
  page.cleanup()
  return { picture: canvas.transferToImageBitmap(), aspect: viewport.width / viewport.height, text }
}

/** Forms and comments of a page are not drawn: they may be scripted, and are not what was printed. */
const ANNOTATIONS_OFF = 0

const within = (pixels: number) => Math.max(1, Math.min(PAGE_PIXELS_MAX, Math.round(pixels)))

const measure = new OffscreenCanvas(1, 1).getContext('2d')
const MEASURED_PX = 100
/** Part of a font's size that is above the line on which its letters stand. */
const ASCENT = 0.8

async function textOf(page: PDFPageProxy, viewport: PageViewport): Promise<readonly PlacedText[]> {
  const reader = page.streamTextContent().getReader()
  const placed: PlacedText[] = []
  let chars = 0
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return placed
    for (const item of value.items as readonly TextItem[]) {
      if (!item.str) continue
      chars += item.str.length
      if (placed.length >= TEXT_PIECES_MAX || chars > TEXT_CHARS_MAX) {
        await reader.cancel(new Error('enough'))
        return placed
      }
      placed.push(placeOf(item, viewport))
    }
  }
}

interface TextItem {
  readonly str: string
  readonly width: number
  readonly transform: readonly number[]
}

function placeOf({ str, width, transform }: TextItem, { transform: to, width: wide, height, scale }: PageViewport) {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform
  const [ta = 1, tb = 0, tc = 0, td = 1, te = 0, tf = 0] = to as readonly number[]
  const angle = Math.atan2(tb * a + td * b, ta * a + tc * b)
  const size = Math.hypot(ta * c + tc * d, tb * c + td * d)
  const [x, y] = [ta * e + tc * f + te, tb * e + td * f + tf]
  if (measure) measure.font = `${MEASURED_PX}px sans-serif`
  const own = ((measure?.measureText(str).width ?? 0) / MEASURED_PX) * size
  return {
    text: str,
    left: (x + size * ASCENT * Math.sin(angle)) / wide,
    top: (y - size * ASCENT * Math.cos(angle)) / height,
    size: size / wide,
    angle,
    stretch: own > 0 ? (width * scale) / own : 1,
  }
}

async function work(request: PdfRequest): Promise<void> {
  const number = request.kind === 'draw' ? request.number : null
  try {
    if (request.kind === 'open') answer({ kind: 'opened', pages: await open(request.bytes) })
    else if (opened) {
      const drawn = await draw(opened, request.number, request.width)
      answer({ kind: 'drawn', number: request.number, ...drawn }, [drawn.picture])
    }
  } catch (thrown) {
    const isProtected = thrown instanceof Error && thrown.name === 'PasswordException'
    answer({ kind: 'failed', number, why: isProtected ? 'protected' : 'damaged' })
  }
}

// One after the other: no two pages are drawn at once.
let last = Promise.resolve()
addEventListener('message', ({ data }: MessageEvent<PdfRequest>) => {
  last = last.then(() => work(data))
})
answer({ kind: 'ready' })
