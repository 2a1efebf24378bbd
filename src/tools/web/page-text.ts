import { fail } from '../../core/failure.ts'
import { MAX_PAGE_TEXT_CHARS } from '../../core/limits/web.ts'
import type { Ports } from '../../ports/index.ts'
import type { PageLink } from '../../ports/reader.ts'
import { documentExtension, readCrawled } from './crawl-document.ts'
import { fetchPage } from './fetch-page.ts'
import { pageOf } from './page-of.ts'

type Outside = Pick<Ports, 'browser' | 'http' | 'reader'>

/**
 * Text of a page, or of a document behind a URL: its title and main content line by line, then its links, as `text
 * (address)`.
 * @throws FailureError as the http port does; `invalid_input` for content that cannot be read
 */
export async function pageText(url: string, { browser, http, reader }: Outside, signal: AbortSignal): Promise<string> {
  const answer = await fetchPage(http, url, signal)
  const extension = documentExtension(answer)
  if (extension === null) {
    const { page, notes } = await pageOf(answer, { browser, reader, keepImages: false, linksApart: true }, signal)
    return written(page.title, page.markdown, page.links, notes)
  }
  const { title, markdown, notes } = await readCrawled(answer, extension, reader, signal)
  return markdown === null ? fail('invalid_input', `${url}: ${notes.join('; ')}`) : written(title, markdown, [], notes)
}

/** Page as plain text. Blank lines go; cut text says so, and links are kept whatever is cut. */
function written(title: string, markdown: string, links: readonly PageLink[], notes: readonly string[]): string {
  const lines = [title, ...markdown.split('\n'), ...notes.map((note) => `[${note}]`)]
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
  const text =
    lines.length > MAX_PAGE_TEXT_CHARS
      ? `${lines.slice(0, MAX_PAGE_TEXT_CHARS).toWellFormed()}\n[cut here; the page has ${lines.length} characters]`
      : lines
  return links.length === 0
    ? text
    : `${text}\n\nLinks:\n${links.map((link) => `${link.text} (${link.url})\n`).join('')}`
}
