import { MAX_MARKUP_DEPTH } from '../core/limits/documents.ts'
import { codeSpan, emphasised } from './markdown.ts'
import {
  attribute,
  BLOCKS,
  collapsed,
  ELEMENT,
  firstOf,
  isSkipped,
  type MarkupNode,
  nameOf,
  TEXT,
} from './markup-node.ts'

const MARKS: ReadonlyMap<string, string> = new Map([
  ['strong', '**'],
  ['b', '**'],
  ['em', '*'],
  ['i', '*'],
  ['del', '~~'],
  ['s', '~~'],
  ['strike', '~~'],
])

/** Text within a line, or lines where `<br>` breaks it. Neighbours with the same mark are one: `<b>Wo</b><b>rd</b>`. */
export function inline(nodes: Iterable<MarkupNode>, depth: number): string {
  let text = ''
  let marked = ''
  let mark = ''
  for (const node of nodes) {
    const own = isSkipped(node) ? '' : (MARKS.get(nameOf(node)) ?? '')
    if (own !== mark) {
      text += withMark(marked, mark)
      marked = ''
      mark = own
    }
    if (own === '') text += inlineNode(node, depth)
    else marked += depth > MAX_MARKUP_DEPTH ? collapsed(node.textContent ?? '') : inline(node.childNodes, depth + 1)
  }
  return text + withMark(marked, mark)
}

const withMark = (text: string, mark: string) =>
  mark === '' ? text : emphasised(mark === '**' ? text.replaceAll('**', '') : text, mark)

function inlineNode(node: MarkupNode, depth: number): string {
  if (node.nodeType === TEXT) return collapsed(node.textContent ?? '')
  if (node.nodeType !== ELEMENT) return ''
  const name = nameOf(node)
  if (name === 'script') return texScript(node)
  if (name === 'input') return checkbox(node)
  if (isSkipped(node)) return ''
  if (depth > MAX_MARKUP_DEPTH) return collapsed(node.textContent ?? '')
  const text = () => inline(node.childNodes, depth + 1)
  switch (name) {
    case 'br':
      return '\n'
    case 'img':
      return image(node)
    case 'math':
      return equation(node)
    case 'a':
      return anchor(node, text())
    case 'code':
    case 'kbd':
    case 'samp':
    case 'tt':
      return code(node)
    case 'q':
      return `"${text()}"`
    case 'sup':
      return superscript(node, text())
    case 'rt':
      return `(${text()})`
    case 'rp':
      return ''
    default:
      return BLOCKS.has(name) ? ` ${text()} ` : text()
  }
}

/** A name that is a link as a whole stays one. */
function code(node: MarkupNode): string {
  const text = collapsed(node.textContent ?? '')
  const [only, ...more] = node.childNodes
  return only && more.length === 0 && nameOf(only) === 'a' ? anchor(only, codeSpan(text)) : codeSpan(text)
}

/** A power would become part of its number without a mark, and a note part of its word. */
function superscript(node: MarkupNode, text: string): string {
  const shown = text.trim()
  const isNote = [...node.childNodes].some((inner) => attribute(inner, 'href').startsWith('#'))
  if (isNote) return /^[\w*†‡]{1,4}$/.test(shown) ? `[${shown}]` : text
  return /^(?:[+\-−–]?\d{1,9}|[a-z])$/i.test(shown) ? `^${shown}` : text
}

/** Pattern for links to a place itself: beside headings, the address of that place; behind notes, the way back. */
const PERMALINK = /^(?:[\s\u200b\ufeff¶#§🔗^↑↩]|\ufe0e)*$/u

function anchor(node: MarkupNode, text: string): string {
  const shown = text.trim()
  const target = targetOf(node)
  if (target === '') return attribute(node, 'href').startsWith('#') && PERMALINK.test(text) ? '' : text
  if (shown === '') return text
  const start = text.indexOf(shown)
  return `${text.slice(0, start)}[${oneLine(shown)}](${target})${text.slice(start + shown.length)}`
}

const oneLine = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')

/** Target of a link, as in Markdown's brackets; empty for a target that cannot be reached from here. */
export function targetOf(node: MarkupNode): string {
  const href = attribute(node, 'href').trim()
  if (href === '' || href.startsWith('#') || /^javascript:/i.test(href)) return ''
  const title = attribute(node, 'title').replaceAll('"', '\\"').replace(/\s+/g, ' ')
  return `${written(href)}${title === '' ? '' : ` "${title}"`}`
}

/** An address between brackets: brackets in it may stay when they come in pairs. */
function written(address: string): string {
  const safe = address.replace(/\s/g, '%20').replaceAll('<', '%3C').replaceAll('>', '%3E')
  let open = 0
  for (const sign of safe) {
    if (sign === '(') open++
    else if (sign === ')' && --open < 0) break
  }
  return open === 0 ? safe : safe.replaceAll('(', '%28').replaceAll(')', '%29')
}

function image(node: MarkupNode): string {
  const source = imageSource(node)
  const alt = attribute(node, 'alt')
    .replace(/[\s[\]]+/g, ' ')
    .trim()
  if (source === '' && alt === '') return ''
  const isTracker = /^[01]$/.test(attribute(node, 'width')) && /^[01]$/.test(attribute(node, 'height'))
  if (isTracker) return ''
  const start = source.startsWith('data:') ? `${source.slice(0, source.indexOf(',')).slice(0, 60)}...` : source
  return `![${alt}](${written(start)})`
}

/** Attributes for the address of an image that a page's scripts load when it comes into view. */
const LAZY = ['data-src', 'data-original', 'data-lazy-src', 'data-actualsrc']
const MAX_SRCSET_CHARS = 10_000
/** Sources of one picture: each image in it looks at all of them. */
const MAX_SOURCES = 20

/** Sources of a `<picture>`: further addresses of its image. */
export const sourcesOf = (picture: MarkupNode): MarkupNode[] => firstOf(picture.childNodes, MAX_SOURCES)

/**
 * Address of an image as in the page; the largest where there is a choice only.
 * @param sources of its `<picture>`, for callers that read many images
 */
export function imageSource(node: MarkupNode, sources = sourcesOf): string {
  const isAddress = (source: string) => source !== '' && !source.startsWith('data:')
  const given = [...LAZY, 'src'].map((name) => attribute(node, name).trim()).find(isAddress)
  if (given !== undefined) return given
  const { parentNode } = node
  const picture = parentNode && nameOf(parentNode) === 'picture' ? sources(parentNode) : []
  const sets = [node, ...picture].flatMap((one) => [attribute(one, 'srcset'), attribute(one, 'data-srcset')])
  return sets.map(largestOf).find(isAddress) ?? attribute(node, 'src').trim()
}

function largestOf(srcset: string): string {
  if (srcset === '') return ''
  const choices = srcset
    .slice(0, MAX_SRCSET_CHARS)
    .split(/,\s+|(?<=\s[\d.]{1,9}[wx]),/)
    .map((choice) => {
      const [address = '', size = '1x'] = choice.trim().split(/\s+/)
      return { address, size: Number.parseFloat(size) || 1 }
    })
  return choices.reduce((most, choice) => (choice.size > most.size ? choice : most), { address: '', size: 0 }).address
}

/** An entry of a list that can be ticked. */
const checkbox = (node: MarkupNode): string =>
  attribute(node, 'type') === 'checkbox' && node.parentNode && /^(?:li|p|label)$/.test(nameOf(node.parentNode))
    ? `${node.getAttribute?.('checked') == null ? '[ ]' : '[x]'} `
    : ''

/** An equation that a script was to set. */
function texScript(node: MarkupNode): string {
  const type = attribute(node, 'type')
  if (!type.startsWith('math/tex')) return ''
  return inDollars((node.textContent ?? '').trim(), type.includes('display'))
}

/** The TeX that most pages carry beside their MathML. */
function equation(node: MarkupNode): string {
  const tex = attribute(node, 'alttext') || annotation(node, 0)
  return inDollars((tex || collapsed(node.textContent ?? '')).trim(), attribute(node, 'display') === 'block')
}

const inDollars = (tex: string, isBlock: boolean) => (tex === '' ? '' : isBlock ? `$$${tex}$$` : `$${tex}$`)

function annotation(node: MarkupNode, depth: number): string {
  if (depth > MAX_MARKUP_DEPTH) return ''
  for (const inner of node.childNodes) {
    if (nameOf(inner) === 'annotation' && attribute(inner, 'encoding').includes('tex')) return inner.textContent ?? ''
    const found = annotation(inner, depth + 1)
    if (found !== '') return found
  }
  return ''
}
