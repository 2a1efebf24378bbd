import { FailureError, fail } from '../core/failure.ts'
import { MAX_ATOM_BYTES } from '../core/limits/papers.ts'
import { API_MS } from '../core/limits/web.ts'
import { serviceUrl } from '../core/settings.ts'
import { child, childrenNamed, parseXml, textOf, type XmlElement } from '../documents/xml.ts'
import type { Arxiv, ArxivPaper } from '../ports/arxiv.ts'
import type { Http } from '../ports/http.ts'
import { provider } from './provider.ts'
import { refuseStatus } from './service-error.ts'

export const arxivAtom = provider({
  name: 'atom',
  port: 'arxiv',
  about: 'arXiv, or a mirror of it',
  settings: { ARXIV_BASE_URL: serviceUrl('https://export.arxiv.org') },
  needs: [],
  make: ({ ARXIV_BASE_URL }, { http }) => atomArxiv({ baseUrl: ARXIV_BASE_URL, http: http(ARXIV_BASE_URL) }),
})

/**
 * arXiv's own API, which speaks Atom. It reports errors by an entry, with 200 or 400.
 * @see https://info.arxiv.org/help/api/user-manual.html
 */
const atomArxiv = ({ http, baseUrl }: { readonly http: Http; readonly baseUrl: string }): Arxiv => ({
  async search(query, count, signal) {
    const searchParams = new URLSearchParams({ search_query: query, start: '0', max_results: `${count}` })
    const { status, body } = await http.fetch(
      {
        url: `${baseUrl}/api/query?${searchParams}`,
        headers: { Accept: 'application/atom+xml' },
        timeoutMs: API_MS,
        maxBytes: MAX_ATOM_BYTES,
      },
      signal,
    )
    if (status !== 400) refuseStatus(status, 'arXiv', null)
    const entries = childrenNamed(feedOf(body), 'entry')
    for (const entry of entries) {
      if (words(entry, 'id').includes('/api/errors')) {
        fail(
          'invalid_input',
          `arXiv does not take the query: ${words(entry, 'summary').slice(0, 200)}; use plain words`,
        )
      }
    }
    if (status !== 200) refuseStatus(status, 'arXiv', null)
    return entries.slice(0, count).map(paperOf)
  },
})

/** Parses a feed. An answer that declares entities is refused. */
function feedOf(body: Uint8Array): XmlElement {
  try {
    const feed = parseXml(new TextDecoder().decode(body))
    if (feed.name === 'feed') return feed
  } catch (thrown) {
    if (!(thrown instanceof FailureError)) throw thrown
  }
  return fail('upstream', 'arXiv gave an answer that is not understood; try again later')
}

const paperOf = (entry: XmlElement): ArxivPaper => ({
  title: words(entry, 'title'),
  authors: childrenNamed(entry, 'author').map((author) => words(author, 'name')),
  summary: textOf(child(entry, 'summary')).trim(),
  updated: words(entry, 'updated'),
})

/** Text of an element on one line: titles come with line ends in them. */
const words = (parent: XmlElement, name: string) => textOf(child(parent, name)).replace(/\s+/g, ' ').trim()
