import { FailureError, fail } from '../../core/failure.ts'
import { MAX_PAGE_BYTES } from '../../core/limits/web.ts'
import { fenced } from '../../documents/markdown.ts'
import { decodePage } from '../../documents/page/charset.ts'
import { type Page, readPage } from '../../documents/page/read-page.ts'
import type { Browser } from '../../ports/browser.ts'
import type { HttpResponse } from '../../ports/http.ts'
import { mediaType } from './content-type.ts'
import { fileNameOf } from './file-name.ts'

/** Below this, a page with scripts shows its content only in a browser. */
const NEARLY_EMPTY_CHARS = 200

const TEXT_TYPES = /^(?:|text\/.*|application\/(?:.*\+)?(?:xml|json|x-ndjson|yaml|x-yaml|toml|(?:x-)?javascript))$/

/** As {@link readPage} takes them, and what renders a page that scripts write. */
interface PageOptions {
  readonly browser: Browser
  readonly keepImages: boolean
  readonly linksApart?: boolean
}

/** @throws FailureError `invalid_input` for what is no page, `limit_exceeded` */
export async function pageOf(
  answer: HttpResponse,
  { browser, keepImages, linksApart = false }: PageOptions,
  signal: AbortSignal,
) {
  const type = mediaType(answer.headers)
  const { body, url } = answer
  if (!TEXT_TYPES.test(type)) {
    fail('invalid_input', `${url} is ${type} and no page; get it with download_file_from_url`)
  }
  if (body.length > MAX_PAGE_BYTES) {
    fail(
      'limit_exceeded',
      `the page has ${body.length} bytes, more than ${MAX_PAGE_BYTES} (MAX_PAGE_BYTES); get it with download_file_from_url`,
    )
  }
  const text = decodePage(body, answer.headers.get('content-type') ?? '')
  if (!isMarkup(type, text)) return { page: plainPage(text, type, answer), notes: [] }
  const page = await readable(text, url, { keepImages, linksApart })
  if (page.textLength >= NEARLY_EMPTY_CHARS) return { page, notes: [] }
  if (!/<script/i.test(text)) return { page, notes: page.markdown === '' ? ['there is no text in this page'] : [] }
  const rendered = await browser.render(url, signal)
  if (rendered !== null) return { page: await readable(rendered, url, { keepImages, linksApart }), notes: [] }
  return { page, notes: ['there is little text in this page; perhaps it needs a browser that runs its scripts'] }
}

/** Markup may be nested so deep that no parser takes it. */
async function readable(
  html: string,
  url: string,
  { keepImages, linksApart }: { readonly keepImages: boolean; readonly linksApart: boolean },
): Promise<Page> {
  try {
    return await readPage(html, url, keepImages, linksApart)
  } catch (thrown) {
    if (thrown instanceof FailureError) throw thrown
    return fail('invalid_input', `the markup of ${url} cannot be read; get it with download_file_from_url`, {
      cause: thrown,
    })
  }
}

const isMarkup = (type: string, text: string) =>
  /^$|html/.test(type) || (/xml/.test(type) && /<html[\s>]/i.test(text.slice(0, 2_048)))

/** Data stands as it came, as code. */
const plainPage = (text: string, type: string, { headers, url }: HttpResponse): Page => ({
  title: fileNameOf(headers, url),
  byline: null,
  date: null,
  canonicalUrl: null,
  markdown: languageOf(type) === null ? text : fenced(text, languageOf(type) ?? ''),
  images: [],
  links: [],
  textLength: text.length,
})

const languageOf = (type: string): string | null =>
  /json|xml|yaml|javascript|css/.exec(type)?.[0].replace('javascript', 'js') ?? null
