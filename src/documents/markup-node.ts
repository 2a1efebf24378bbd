/** Node of a document tree, with the members used here; linkedom's nodes have them. */
export interface MarkupNode {
  readonly nodeType: number
  readonly localName?: string | null
  readonly childNodes: Iterable<MarkupNode>
  readonly textContent: string | null
  readonly parentNode: MarkupNode | null
  getAttribute?(name: string): string | null
}

export const TEXT = 3
export const ELEMENT = 1

export const attribute = (node: MarkupNode, name: string): string => node.getAttribute?.(name) ?? ''

/** Start of an attribute that is read of all nodes around it: a page may make it megabytes long. */
export const shortAttribute = (node: MarkupNode, name: string): string =>
  attribute(node, name).slice(0, MAX_ATTRIBUTE_CHARS)

const MAX_ATTRIBUTE_CHARS = 1_000

/** Name in lower case; empty for a node that is no element. */
export const nameOf = (node: MarkupNode): string =>
  node.nodeType === ELEMENT ? (node.localName ?? '').toLowerCase() : ''

/** The first nodes, at most `count` of them; the others are not read. */
export function firstOf(nodes: Iterable<MarkupNode>, count: number): MarkupNode[] {
  const found: MarkupNode[] = []
  for (const node of nodes) {
    if (found.length === count) break
    found.push(node)
  }
  return found
}

/** White space as a browser shows it. */
export const collapsed = (text: string): string => text.replace(/[\t\n\f\r ]+/g, ' ')

export const BLOCKS: ReadonlySet<string> = new Set(
  (
    'html body main article section div p h1 h2 h3 h4 h5 h6 ul ol dl dt dd table pre blockquote hr figure figcaption ' +
    'details summary address header footer aside form fieldset center li'
  ).split(' '),
)

const SKIPPED = new Set(
  'script style noscript template head title nav button select option input textarea svg iframe object canvas audio video dialog'.split(
    ' ',
  ),
)
const SKIPPED_ROLES = new Set([
  'navigation',
  'search',
  'banner',
  'contentinfo',
  'menu',
  'menubar',
  'toolbar',
  'tablist',
  'dialog',
])
const HIDDEN = /display\s*:\s*none|visibility\s*:\s*hidden/i

/** Whether a node operates the page, or is hidden. */
export function isSkipped(node: MarkupNode): boolean {
  const name = nameOf(node)
  if (SKIPPED.has(name) || SKIPPED_ROLES.has(attribute(node, 'role'))) return true
  if (node.getAttribute === undefined || name === 'math') return false
  if (name === 'label' && attribute(node, 'for') !== '') return true
  if (node.getAttribute('hidden') !== null || attribute(node, 'aria-hidden') === 'true') return true
  // MathML for screen readers stands hidden beside the picture of the same equation.
  return HIDDEN.test(attribute(node, 'style')) && !/math/i.test(attribute(node, 'class'))
}
