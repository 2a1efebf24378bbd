import { decodeText } from '../decode.ts'
import type { OpenDocument } from '../document.ts'
import { detectEncoding, encodingNamed, tryDecode } from '../encoding.ts'
import { markdownOf } from '../markup.ts'
import { attribute, type MarkupNode } from '../markup-node.ts'
import { descendantsNamed, readMarkup } from '../markup-tree.ts'
import { inParts } from '../parts.ts'

/** Opens a page: its main content, without navigation. */
export async function openHtml(bytes: Uint8Array): Promise<OpenDocument> {
  const text = htmlText(bytes)
  const root = await readMarkup(text)
  const title = (descendantsNamed(root, 'title').next().value?.textContent ?? '').replace(/\s+/g, ' ').trim()
  return inParts(markdownOf(mainOf(root)), { ...(title && { title }), ...describedBy(root), lines: lineCount(text) })
}

/** Text of a page, by its byte order mark, else by the encoding that it declares. */
function htmlText(bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 4096))
  const declared = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1]
  if (declared && detectEncoding(bytes)?.codec !== 'utf8') {
    try {
      const text = tryDecode(bytes, encodingNamed(declared, bytes))
      if (text !== null) return text
    } catch {
      // An unknown name: the bytes decide.
    }
  }
  return decodeText(bytes).text
}

const lineCount = (text: string) => text.split('\n').length

function describedBy(root: MarkupNode): Record<string, string> {
  const found: Record<string, string> = {}
  for (const node of descendantsNamed(root, 'meta')) {
    const name = attribute(node, 'name').toLowerCase()
    const content = attribute(node, 'content').trim()
    if ((name === 'author' || name === 'description' || name === 'keywords') && content !== '') found[name] = content
  }
  return found
}

/** At least this share of the page's text makes an element its main one. */
const MAIN_SHARE = 0.25

function mainOf(root: MarkupNode): MarkupNode {
  const body = descendantsNamed(root, 'body').next().value ?? root
  const whole = textLength(body)
  const articles = [...descendantsNamed(body, 'article')]
  const named =
    descendantsNamed(body, 'main').next().value ??
    withRole(body, 'main') ??
    (articles.length === 1 ? articles[0] : undefined)
  return named && textLength(named) >= whole * MAIN_SHARE ? named : body
}

function withRole(body: MarkupNode, role: string): MarkupNode | undefined {
  for (const node of descendantsNamed(body, 'div')) if (attribute(node, 'role') === role) return node
  return undefined
}

const textLength = (node: MarkupNode) => (node.textContent ?? '').length
