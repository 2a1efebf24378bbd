import { fail } from '../../core/failure.ts'
import { MAX_PAGE_BYTES } from '../../core/limits/web.ts'
import { say, tool } from '../../core/saying/saying.ts'
import type { Browser } from '../../ports/browser.ts'
import type { HttpResponse } from '../../ports/http.ts'
import type { PageOptions, PageText, Reader } from '../../ports/reader.ts'
import { mediaType } from './content-type.ts'
import { fileNameOf } from './file-name.ts'

/** Length of text below which a page with scripts shows its content only in a browser. */
const NEARLY_EMPTY_CHARS = 200

const TEXT_TYPES = /^(?:|text\/.*|application\/(?:.*\+)?(?:xml|json|x-ndjson|yaml|x-yaml|toml|(?:x-)?javascript))$/

/** Options of reading a page, and the browser for a page that scripts write. */
interface Options extends Pick<PageOptions, 'keepImages'> {
  readonly browser: Browser
  readonly reader: Reader
  readonly linksApart?: boolean
}

/**
 * Reads an answer as a page, by a browser where needed.
 * @throws FailureError `invalid_input` for an answer that is no page, `limit_exceeded`, and as the reader does
 */
export async function pageOf(
  { body, headers, url }: HttpResponse,
  { browser, reader, keepImages, linksApart = false }: Options,
  signal: AbortSignal,
): Promise<{ readonly page: PageText; readonly notes: readonly string[] }> {
  const type = mediaType(headers)
  if (!TEXT_TYPES.test(type)) {
    fail('invalid_input', say`${url} is ${type} and no page; get it with ${tool('download_file_from_url')}`)
  }
  if (body.length > MAX_PAGE_BYTES) {
    fail(
      'limit_exceeded',
      say`the page has ${body.length} bytes, more than ${MAX_PAGE_BYTES} (MAX_PAGE_BYTES); get it with ${tool('download_file_from_url')}`,
    )
  }
  const contentType = headers.get('content-type') ?? ''
  const options: PageOptions = { url, type, contentType, name: fileNameOf(headers, url), keepImages, linksApart }
  const page = await reader.read({ kind: 'page', options, bytes: body }, signal)
  if (page.textLength >= NEARLY_EMPTY_CHARS) return { page, notes: [] }
  if (!page.hasScripts) return { page, notes: page.markdown === '' ? ['there is no text in this page'] : [] }
  const rendered = await browser.render(url, signal)
  if (rendered === null) {
    return { page, notes: ['there is little text in this page; perhaps it needs a browser that runs its scripts'] }
  }
  const bytes = new TextEncoder().encode(rendered)
  const asHtml = { ...options, type: 'text/html', contentType: 'text/html; charset=utf-8' }
  return { page: await reader.read({ kind: 'page', options: asHtml, bytes }, signal), notes: [] }
}
