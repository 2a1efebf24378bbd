import { MAX_MARKUP_DEPTH } from '../core/limits/documents.ts'
import { blocks, emphasised, fenced, heading, item, MAX_INDENTED_CHARS } from './markdown.ts'
import { codeOf, languageOf } from './markup-code.ts'
import { inline, targetOf } from './markup-inline.ts'
import { attribute, BLOCKS, collapsed, ELEMENT, isSkipped, type MarkupNode, nameOf } from './markup-node.ts'
import { grid } from './markup-table.ts'

/** HTML as Markdown: headings, lists, tables, links, code, quotes and equations are kept, what operates a page is not. */
export const markdownOf = (root: MarkupNode): string => flow(root, 0)

/** Blocks inside an element; text between them is a paragraph of its own. */
function flow(parent: MarkupNode, depth: number): string {
  if (depth > MAX_MARKUP_DEPTH) return collapsed(parent.textContent ?? '').trim()
  const parts: string[] = []
  let line: MarkupNode[] = []
  const endLine = () => {
    if (line.length > 0) parts.push(tidied(inline(line, depth + 1)))
    line = []
  }
  for (const node of parent.childNodes) {
    if (node.nodeType === ELEMENT && !isSkipped(node) && isBlock(node)) {
      endLine()
      parts.push(block(node, depth + 1))
    } else line.push(node)
  }
  endLine()
  return blocks(parts)
}

/** Inline elements: their text stays within a line though there are blocks in it. */
const INLINE = new Set('b strong i em del s strike code kbd samp tt q sup sub math'.split(' '))

/** An inline element with blocks inside, e.g. a link around a heading, is a block. */
function isBlock(node: MarkupNode): boolean {
  const name = nameOf(node)
  if (BLOCKS.has(name)) return true
  if (INLINE.has(name)) return false
  for (const inner of node.childNodes) if (BLOCKS.has(nameOf(inner))) return true
  return false
}

const tidied = (line: string) =>
  line
    .replace(/^(\s*\[[ x]\]) +/, '$1 ')
    .split('\n')
    .map((one) => plain(one.trim().replace(/ {2,}/g, ' ')))
    .join('\n')
    .trim()

/** Text that would be a heading, or begin code that never ends. Other marks do no harm to a reader. */
const plain = (line: string) => line.replace(/^(?=#{1,6} |`{3,}[^`]*$|~{3,}[^~]*$)/, '\\')

function block(node: MarkupNode, depth: number): string {
  const name = nameOf(node)
  switch (name) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return heading(Number(name[1]), flow(node, depth))
    case 'ul':
    case 'ol':
      return list(node, depth)
    case 'li':
      return item(0, '*', flow(node, depth))
    case 'dt':
      return emphasised(flow(node, depth).replaceAll('**', ''), '**')
    case 'table':
      return grid(node, (cell) => flow(cell, depth + 1))
    case 'pre':
      return fenced(codeOf(node, MAX_MARKUP_DEPTH - depth), languageOf(node))
    case 'blockquote':
      return quoted(flow(node, depth))
    case 'hr':
      return '---'
    case 'a':
      return linked(flow(node, depth), targetOf(node))
    default:
      return flow(node, depth)
  }
}

const quoted = (text: string) =>
  text === '' || text.length > MAX_INDENTED_CHARS
    ? text
    : text
        .split('\n')
        .map((line) => `> ${line}`.trimEnd())
        .join('\n')

/** Longest text of a link: a longer one is a part of the page in a link that was left open. */
const MAX_LINKED_CHARS = 100_000

/** Blocks that are a link together: its heading is it then, else its first text, else its image. */
function linked(text: string, target: string): string {
  if (target === '' || text.length > MAX_LINKED_CHARS) return text
  const lines = text.split('\n')
  const at = [/^#/, /^[^|>`~!*#]/, /^!\[/].map((kind) => lines.findIndex((line) => kind.test(line)))
  const chosen = at.find((index) => index !== -1) ?? -1
  const [, mark = '', words = ''] = /^(#{1,6} |)(.*)$/.exec(lines[chosen] ?? '') ?? []
  const hasLink = words.includes('](') && !/^!\[[^\]]*\]\([^)]*\)$/.test(words)
  if (words === '' || hasLink) return text
  return [...lines.slice(0, chosen), `${mark}[${words}](${target})`, ...lines.slice(chosen + 1)].join('\n')
}

/** Items of an inner list follow the text of theirs without an empty line. */
const tight = (text: string) => text.replace(/\n\n(?= *(?:\*|\d+\.) )/g, '\n')

function list(node: MarkupNode, depth: number): string {
  let number = Number.parseInt(attribute(node, 'start') || '1', 10) || 1
  const ordered = nameOf(node) === 'ol'
  const lines: string[] = []
  for (const entry of node.childNodes) {
    if (entry.nodeType !== ELEMENT || isSkipped(entry) || leadsToTranslation(entry)) continue
    const name = nameOf(entry)
    // Lists directly in lists are how older programs write a deeper level.
    const text = name === 'ul' || name === 'ol' ? list(entry, depth + 1) : flow(entry, depth + 1)
    if (text === '') continue
    if (name === 'ul' || name === 'ol') lines.push(text.length > MAX_INDENTED_CHARS ? text : text.replace(/^/gm, '  '))
    else lines.push(item(0, ordered ? `${number++}.` : '*', tight(text)))
  }
  return lines.join('\n')
}

/** The same page in another language: an item with nothing but such a link. */
function leadsToTranslation(entry: MarkupNode): boolean {
  const [only, ...more] = [...entry.childNodes].filter((node) => node.nodeType === ELEMENT)
  return only !== undefined && more.length === 0 && nameOf(only) === 'a' && attribute(only, 'hreflang') !== ''
}
