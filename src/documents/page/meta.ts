import { MAX_URL_CHARS } from '../../core/limits/web.ts'
import type { PageDocument } from './dom.ts'
import { clean, headLine } from './head-line.ts'

/** Greatest length of a byline: longer than the names of a few authors. */
const MAX_BYLINE_CHARS = 150

export interface PageMeta {
  readonly title: string | null
  readonly author: string | null
  readonly date: string | null
  readonly canonicalUrl: string | null
}

/** Metadata of a page. */
export function metaOf(document: PageDocument, url: string): PageMeta {
  const textOf = (selector: string) => clean(document.querySelector(selector)?.textContent)
  const attributeOf = (selector: string, name: string) => clean(document.querySelector(selector)?.getAttribute(name))
  const meta = (...names: string[]) =>
    names
      .map((name) => attributeOf(`meta[property="${name}"],meta[name="${name}"],meta[itemprop="${name}"]`, 'content'))
      .find((content) => content !== null) ?? null
  const address = attributeOf('link[rel~=canonical]', 'href')
  const canonical = address === null ? null : URL.parse(address, url)
  const author = meta('author', 'article:author')
  return {
    title: meta('og:title') ?? textOf('title') ?? textOf('h1'),
    // A profile's address is no name.
    author:
      bylineOf(author?.startsWith('http') ? null : author) ??
      bylineOf(textOf('[itemprop=author] [itemprop=name]') ?? textOf('[rel~=author]')),
    date:
      meta('article:published_time', 'date', 'dc.date', 'datePublished') ??
      attributeOf('[itemprop=datePublished][datetime]', 'datetime') ??
      attributeOf('time[datetime]', 'datetime'),
    canonicalUrl: canonical && isAddress(canonical) ? canonical.href : null,
  }
}

const isAddress = ({ protocol, href }: URL) => /^https?:$/.test(protocol) && href.length <= MAX_URL_CHARS

/** Names in a byline: `By Ada Lovelace` is by Ada Lovelace. */
export function bylineOf(text: string | null | undefined): string | null {
  const name = headLine(text)?.replace(/^(?:written\s+)?by:?\s+/i, '')
  return name && name.length <= MAX_BYLINE_CHARS ? name : null
}
