import type { MarkupNode } from '../markup-node.ts'
import { clean } from './head-line.ts'

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
