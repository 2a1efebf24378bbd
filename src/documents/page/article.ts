import { isProbablyReaderable, Readability } from '@mozilla/readability'
import type { PageDocument, PageNode } from './dom.ts'

/** Readability with its questions about each node in a cheaper order; its answers are the same. */
class Reader extends Readability<PageNode> {
  /** Readability's own measures the text of every node, which takes the depth of the page times its size. */
  _isValidByline(node: PageNode, names: string): boolean {
    const isNamed =
      node.getAttribute('rel') === 'author' ||
      node.getAttribute('itemprop')?.includes('author') === true ||
      BYLINE.test(names)
    const length = isNamed ? trimmedLength(node) : 0
    return length > 0 && length < MAX_BYLINE_CHARS
  }
}

/** Pattern of bylines, as in Readability. */
const BYLINE = /byline|author|dateline|writtenby|p-author/i
const MAX_BYLINE_CHARS = 100
/** A shorter paragraph says nothing of whether a page has an article. */
const MIN_PARAGRAPH_CHARS = 140

/** Whether a page seems to have an article; looks only. */
export function seemsReadable(document: PageDocument): boolean {
  // Lengths first: whether a node is shown, and which elements are around it, takes several times as long to find out.
  const visibilityChecker = (node: unknown) => {
    const page = node as PageNode
    return trimmedLength(page) >= MIN_PARAGRAPH_CHARS && isShown(page)
  }
  return isProbablyReaderable(document as never, { minContentLength: MIN_PARAGRAPH_CHARS, visibilityChecker })
}

/** The article of a page, which is taken apart for it. @returns null when it has none */
export const articleOf = (document: PageDocument) =>
  new Reader(document as never, { serializer: (node: unknown) => node as PageNode, keepClasses: true }).parse()

const trimmedLength = (node: PageNode): number => (node.textContent ?? '').trim().length

/** Whether a node is shown, as in Readability. */
const isShown = (node: PageNode): boolean =>
  (node as { style?: { display?: string } }).style?.display !== 'none' &&
  node.getAttribute('hidden') === null &&
  (node.getAttribute('aria-hidden') !== 'true' || (node.getAttribute('class') ?? '').includes('fallback-image'))
