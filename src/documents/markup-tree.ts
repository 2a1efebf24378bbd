import { MAX_MARKUP_NODES } from '../core/limits/documents.ts'
import { tooMuch } from './broken.ts'
import type { MarkupNode } from './markup-node.ts'

/** Reads HTML, however broken. Nothing is fetched and nothing runs. @throws FailureError `limit_exceeded` */
export async function readMarkup(text: string): Promise<MarkupNode> {
  if (hasManyNodes(text)) {
    tooMuch(`it has more than ${MAX_MARKUP_NODES} tags and character references (MAX_MARKUP_NODES); split it up`)
  }
  const { parseHTML } = await import('linkedom/worker')
  const { document } = parseHTML(/<html[\s>]/i.test(text.slice(0, 4096)) ? text : `<html><body>${text}</body></html>`)
  return document as unknown as MarkupNode // linkedom types its nodes as a browser's, which this program has not
}

/** True when it would become more than MAX_MARKUP_NODES: each `<` that ends nothing and each `&` may become one. */
export function hasManyNodes(text: string): boolean {
  let nodes = 0
  for (let at = 0; at < text.length && nodes <= MAX_MARKUP_NODES; at++) {
    const char = text[at]
    if (char === '&' || (char === '<' && text[at + 1] !== '/')) nodes++
  }
  return nodes > MAX_MARKUP_NODES
}

/** XHTML closes elements in a way that HTML reads as opening them: `<title/>`. */
export const asHtml = (xhtml: string): string =>
  xhtml.replace(/<([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/gi, (whole, name: string, rest: string) =>
    VOID_ELEMENTS.has(name.toLowerCase()) ? whole : `<${name}${rest}></${name}>`,
  )

/** Elements of HTML that have no end. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

export function* descendantsNamed(root: MarkupNode, name: string, depth = 0): Generator<MarkupNode, undefined> {
  if (depth > MAX_SEARCH_DEPTH) return undefined
  for (const node of root.childNodes) {
    if (node.nodeType !== 1) continue
    if (node.localName?.toLowerCase() === name) yield node
    yield* descendantsNamed(node, name, depth + 1)
  }
  return undefined
}

const MAX_SEARCH_DEPTH = 100
