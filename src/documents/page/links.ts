import { MAX_PAGE_LINKS } from '../../core/limits/web.ts'
import type { PageLink } from '../../ports/reader.ts'
import type { PageDocument, PageNode } from './dom.ts'
import { clean } from './head-line.ts'

/** The links of a page in their order, menus included, each pair of text and address once. Call it once they are absolute. */
export function linksOf(document: PageDocument): PageLink[] {
  const links = new Map<string, PageLink>()
  for (const node of document.querySelectorAll('a[href]')) {
    const text = linkText(node)
    const url = node.getAttribute('href') ?? ''
    if (text !== null && /^https?:/.test(url)) links.set(`${text} ${url}`, { text, url })
    if (links.size === MAX_PAGE_LINKS) break
  }
  return [...links.values()]
}

/** A whole page may stand in a link, and in a hundred around it. */
const linkText = (node: PageNode): string | null =>
  clean(node.textContent?.slice(0, 10 * MAX_LINK_CHARS))
    ?.slice(0, MAX_LINK_CHARS)
    .toWellFormed() ?? null

/** Greatest length of a link: longer than people click at. */
const MAX_LINK_CHARS = 500

/** Links stand as their text then. */
export function withoutTargets(main: PageNode): void {
  for (const link of main.querySelectorAll('a[href]')) link.removeAttribute('href')
}
