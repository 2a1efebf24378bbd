import { oneLine } from '../markdown.ts'
import type { MarkupNode } from '../markup-node.ts'

/** Of the DOM, what is used here; linkedom types its nodes as those of a browser, which a Worker's types do not have. */
export interface PageNode extends MarkupNode {
  readonly parentNode: PageNode | null
  readonly isConnected: boolean
  readonly childNodes: Iterable<PageNode>
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  querySelector(selector: string): PageNode | null
  querySelectorAll(selector: string): Iterable<PageNode>
  closest(selector: string): PageNode | null
  append(...nodes: (PageNode | string)[]): void
  replaceChildren(...nodes: PageNode[]): void
  replaceWith(...nodes: (PageNode | string)[]): void
  remove(): void
}

export interface PageDocument extends PageNode {
  readonly head: PageNode
  readonly body: PageNode
}

/** Text as it is shown: lines and spaces are one space. Null when there is none. */
export const clean = (text: string | null | undefined): string | null => (text && oneLine(text).trim()) || null

/** Longer than any title that a person wrote. */
const MAX_LINE_CHARS = 300
/** What is not shown, and what turns the direction of all that follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** What a page or a document says of itself, as one line that can pretend to be nothing else. Null when there is none. */
export const headLine = (text: string | null | undefined): string | null =>
  clean(text?.replace(UNSEEN, ' '))?.slice(0, MAX_LINE_CHARS).toWellFormed() ?? null

const UNSHOWN = 'script,noscript,style'

/** Of what can be read in an element. */
export function textLength(node: PageNode): number {
  let length = clean(node.textContent)?.length ?? 0
  for (const inner of outermost(node.querySelectorAll(UNSHOWN))) length -= clean(inner.textContent)?.length ?? 0
  return Math.max(0, length)
}

/** Of its text outside of links: menus have next to none. */
export function proseLength(node: PageNode): number {
  let length = textLength(node)
  for (const link of outermost(node.querySelectorAll('a[href]'))) length -= clean(link.textContent)?.length ?? 0
  return Math.max(0, length)
}

/** Those that are not inside of another one of them. */
export function outermost(nodes: Iterable<PageNode>): PageNode[] {
  const all = new Set(nodes)
  const isInside = (node: PageNode) => {
    for (let up = node.parentNode; up; up = up.parentNode) if (all.has(up)) return true
    return false
  }
  return [...all].filter((node) => !isInside(node))
}
