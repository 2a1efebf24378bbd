import type { MarkupNode } from '../markup-node.ts'
import { clean } from './head-line.ts'

/** Node of the DOM, with the members used here; linkedom types its nodes as those of a browser, which a Worker's types lack. */
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

/** Length of an element's readable text. */
export function textLength(node: PageNode): number {
  let length = clean(node.textContent)?.length ?? 0
  for (const inner of outermost(node.querySelectorAll(UNSHOWN))) length -= clean(inner.textContent)?.length ?? 0
  return Math.max(0, length)
}

/** Length of an element's text outside of links: menus have next to none. */
export function proseLength(node: PageNode): number {
  let length = textLength(node)
  for (const link of outermost(node.querySelectorAll('a[href]'))) length -= clean(link.textContent)?.length ?? 0
  return Math.max(0, length)
}

/** Outermost nodes only: drops every node inside of another one in the list. */
export function outermost(nodes: Iterable<PageNode>): PageNode[] {
  const all = new Set(nodes)
  const isInside = (node: PageNode) => {
    for (let up = node.parentNode; up; up = up.parentNode) if (all.has(up)) return true
    return false
  }
  return [...all].filter((node) => !isInside(node))
}
