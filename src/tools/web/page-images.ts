import { FailureError } from '../../core/failure.ts'
import { FETCH_MS, MAX_IMAGE_BYTES, MAX_PAGE_IMAGE_BYTES, MAX_PAGE_IMAGES } from '../../core/limits/web.ts'
import type { Http } from '../../ports/http.ts'
import { mediaType } from './content-type.ts'
import { fileNameOf } from './file-name.ts'

export interface PageImage {
  /** Place of the image among the page's images. */
  readonly index: number
  readonly name: string
  readonly content: Uint8Array
}

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/svg+xml', 'svg'],
  ['image/avif', 'avif'],
  ['image/bmp', 'bmp'],
  ['image/x-icon', 'ico'],
])

/** Fetches a page's images, as many as the limits allow, one after the other. One that cannot be fetched is left out. */
export async function fetchImages(http: Http, urls: readonly string[], signal: AbortSignal): Promise<PageImage[]> {
  const images: PageImage[] = []
  let bytes = 0
  for (const [index, url] of urls.slice(0, MAX_PAGE_IMAGES).entries()) {
    const left = MAX_PAGE_IMAGE_BYTES - bytes
    if (left <= 0) break
    const image = await fetchImage(http, url, Math.min(MAX_IMAGE_BYTES, left), signal)
    if (!image) continue
    bytes += image.content.length
    images.push({ index, ...image })
  }
  return images
}

async function fetchImage(http: Http, url: string, maxBytes: number, signal: AbortSignal) {
  try {
    const { status, headers, body, url: from } = await http.fetch({ url, timeoutMs: FETCH_MS, maxBytes }, signal)
    const extension = EXTENSIONS.get(mediaType(headers))
    if (status !== 200 || extension === undefined) return null
    return { name: `${fileNameOf(headers, from).replace(/\.[a-z0-9]{2,5}$/i, '')}.${extension}`, content: body }
  } catch (thrown) {
    if (thrown instanceof FailureError && !signal.aborted) return null
    throw thrown
  }
}
