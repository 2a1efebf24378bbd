import { imageSource, sourcesOf } from '../markup-inline.ts'
import type { MarkupNode } from '../markup-node.ts'
import type { PageDocument, PageNode } from './dom.ts'

/** Makes of a page one that says by itself what its address and its scripts would add. */
export function preparePage(document: PageDocument, url: string): void {
  makeAbsolute(document, url)
  showEquations(document)
  for (const box of document.querySelectorAll('li input[type=checkbox]')) {
    box.replaceWith(box.getAttribute('checked') === null ? '[ ] ' : '[x] ')
  }
}

/**
 * Makes addresses absolute, also of images that scripts would load when they come into view. Links within the page stay
 * relative.
 */
function makeAbsolute(document: PageDocument, url: string): void {
  const base = URL.parse(document.querySelector('base[href]')?.getAttribute('href') ?? '', url)?.href ?? url
  const here = url.split('#')[0]
  for (const link of document.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? ''
    if (href.startsWith('#')) continue
    const target = URL.parse(href, base)
    const leads = target !== null && /^(?:https?|mailto):$/.test(target.protocol)
    const [page, place] = leads ? target.href.split('#') : []
    link.setAttribute('href', page === here && place ? `#${place}` : leads ? target.href : '')
  }
  const known = new Map<MarkupNode, MarkupNode[]>()
  const sources = (picture: MarkupNode) => {
    const found = known.get(picture) ?? sourcesOf(picture)
    known.set(picture, found)
    return found
  }
  for (const image of document.querySelectorAll('img')) {
    image.setAttribute('src', URL.parse(imageSource(image, sources), base)?.href ?? '')
    for (const name of ['srcset', 'data-srcset', 'data-src']) image.removeAttribute(name)
  }
}

/** Pages hide the equation that can be read behind one that can be looked at. */
function showEquations(document: PageDocument): void {
  for (const script of document.querySelectorAll('script[type^="math/tex"]')) {
    const tex = (script.textContent ?? '').trim()
    script.replaceWith(script.getAttribute('type')?.includes('display') ? `$$${tex}$$` : `$${tex}$`)
  }
  const equations = [...document.querySelectorAll('math')]
  if (equations.length > 0) showHidden(document, equations)
  for (const picture of document.querySelectorAll('img[class*="math-fallback"]')) picture.remove()
}

/**
 * Shows equations that styles hide. The hiding elements are found once: a selector that looks upwards takes the depth of
 * the page for each equation.
 */
function showHidden(document: PageDocument, equations: readonly PageNode[]): void {
  const unshown = new Set(document.querySelectorAll('[style*="display"],[aria-hidden]'))
  const mathematical = new Set(document.querySelectorAll('[class*="math"]'))
  for (const equation of equations) {
    const hidden = nearest(equation, unshown)
    if (hidden === null || nearest(hidden, mathematical) === null) continue
    hidden.removeAttribute('style')
    hidden.removeAttribute('aria-hidden')
    unshown.delete(hidden)
  }
}

/** The node itself if it is one of `some`, else its nearest ancestor among them. */
function nearest(node: PageNode, some: ReadonlySet<PageNode>): PageNode | null {
  for (let up: PageNode | null = node; up; up = up.parentNode) if (some.has(up)) return up
  return null
}
