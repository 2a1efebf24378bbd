import { MAX_MARKUP_DEPTH, MAX_MARKUP_NODES } from '../core/limits/documents.ts'
import { tooMuch } from './broken.ts'
import { ELEMENT, type MarkupNode, TEXT } from './markup-node.ts'

/** Reads HTML, however broken. Nothing is fetched and nothing runs. @throws FailureError `limit_exceeded` */
export async function readMarkup(text: string): Promise<MarkupNode> {
  if (hasManyNodes(text)) {
    tooMuch(`it has more than ${MAX_MARKUP_NODES} tags and character references (MAX_MARKUP_NODES); split it up`)
  }
  const { BoundedParser } = await import('./markup-parser.ts')
  const root = new MarkupElement('', {}, null)
  let open = root
  const handler = {
    onopentag(name: string, attributes: Readonly<Record<string, string>>) {
      const element = new MarkupElement(name, attributes, open)
      open.childNodes.push(element)
      open = element
    },
    onclosetag() {
      open = open.parentNode ?? root
    },
    ontext: (data: string) => open.addText(data),
  }
  new BoundedParser(text, handler, MAX_MARKUP_DEPTH).parse()
  return root
}

class MarkupElement implements MarkupNode {
  readonly nodeType = ELEMENT
  readonly localName: string
  readonly parentNode: MarkupElement | null
  readonly childNodes: (MarkupElement | MarkupText)[] = []
  readonly #attributes: Readonly<Record<string, string>>

  constructor(localName: string, attributes: Readonly<Record<string, string>>, parentNode: MarkupElement | null) {
    this.localName = localName
    this.#attributes = attributes
    this.parentNode = parentNode
  }

  getAttribute(name: string): string | null {
    return Object.hasOwn(this.#attributes, name) ? (this.#attributes[name] ?? null) : null
  }

  /** The parser tells of a text in pieces, one for each character reference. */
  addText(data: string): void {
    const last = this.childNodes.at(-1)
    if (last instanceof MarkupText) last.textContent += data
    else this.childNodes.push(new MarkupText(data, this))
  }

  get textContent(): string {
    let text = ''
    for (const node of this.childNodes) text += node.textContent
    return text
  }
}

class MarkupText implements MarkupNode {
  readonly nodeType = TEXT
  readonly childNodes: readonly MarkupNode[] = []
  readonly parentNode: MarkupNode
  textContent: string

  constructor(textContent: string, parentNode: MarkupNode) {
    this.textContent = textContent
    this.parentNode = parentNode
  }
}

/** Whether parsing may make more than MAX_MARKUP_NODES: each `<` that ends nothing and each `&` may become a node. */
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
const VOID_ELEMENTS: ReadonlySet<string> = new Set(
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
