import { FailureError, fail } from '../../core/failure.ts'
import type { PageOptions, PageText } from '../../ports/reader.ts'
import { fenced } from '../markdown.ts'
import { decodePage } from './charset.ts'
import { readPage } from './read-page.ts'

/**
 * Reads a web page: the readable part of HTML, and any other text unchanged.
 * @throws FailureError `invalid_input`, `limit_exceeded`
 */
export async function readWebPage(body: Uint8Array, options: PageOptions): Promise<PageText> {
  const { type, url, keepImages, linksApart } = options
  const text = decodePage(body, options.contentType)
  if (!isMarkup(type, text)) return plainPage(text, options)
  try {
    const page = await readPage(text, url, keepImages, linksApart)
    return { ...page, hasScripts: /<script/i.test(text) }
  } catch (thrown) {
    if (thrown instanceof FailureError) throw thrown
    return fail('invalid_input', `the markup of ${url} cannot be read; download it as a file instead`, {
      cause: thrown,
    })
  }
}

const isMarkup = (type: string, text: string) =>
  /^$|html/.test(type) || (/xml/.test(type) && /<html[\s>]/i.test(text.slice(0, 2_048)))

/** Page of plain text. Data is shown unchanged, as code. */
const plainPage = (text: string, { name, type }: PageOptions): PageText => ({
  title: name,
  byline: null,
  date: null,
  canonicalUrl: null,
  markdown: languageOf(type) === null ? text : fenced(text, languageOf(type) ?? ''),
  images: [],
  links: [],
  textLength: text.length,
  hasScripts: false,
})

const languageOf = (type: string): string | null =>
  /json|xml|yaml|javascript|css/.exec(type)?.[0].replace('javascript', 'js') ?? null
