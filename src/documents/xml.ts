import { MAX_MARKUP_DEPTH, MAX_XML_NODES } from '../core/limits/documents.ts'
import { broken, tooMuch } from './broken.ts'

/** An element of XML, with names as they stand there, prefix included. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlNode[]
}
export type XmlNode = XmlElement | string

/**
 * Reads XML as office programs write it, in one pass. There are no entities but the five of XML itself, and nothing is
 * ever fetched: a document type that declares some is refused.
 */
export function parseXml(text: string): XmlElement {
  for (const element of elementsAt(text, 0)) return element
  return broken('a file in it has no XML')
}

/** The children of the first element of that name, one at a time: a large document is never in memory as a tree. */
export function* childrenOf(text: string, parent: string): Generator<XmlElement> {
  const opening = new RegExp(`<${parent}(?:\\s[^<>]*)?(/?)>`, 'g')
  const found = opening.exec(text)
  if (!found || found[1] === '/') return
  refuseDeclarations(text.slice(0, Math.min(found.index, 4096)))
  yield* elementsAt(text, opening.lastIndex)
}

/** Elements one after another from `start` on, until their parent ends. */
function* elementsAt(text: string, start: number): Generator<XmlElement> {
  const open: XmlElement[] = []
  let nodes = 0
  let at = start
  while (at < text.length) {
    const tag = text.indexOf('<', at)
    const inner = open.at(-1)
    if (tag === -1) break
    if (inner && tag > at) inner.children.push(decodeEntities(text.slice(at, tag)))
    const mark = text[tag + 1]
    if (mark === '!' || mark === '?') {
      at = afterDeclaration(text, tag, inner)
      continue
    }
    const end = tagEnd(text, tag)
    at = end + 1
    if (mark === '/') {
      const closed = open.pop()
      if (!closed) return
      if (open.length === 0) yield closed
      continue
    }
    const selfClosing = text[end - 1] === '/'
    const element = readTag(text.slice(tag + 1, selfClosing ? end - 1 : end))
    inner?.children.push(element)
    if (!inner) nodes = 0
    if (++nodes > MAX_XML_NODES) tooMuch(`a part of it has more than ${MAX_XML_NODES} elements (MAX_XML_NODES)`)
    if (selfClosing) {
      if (!inner) yield element
      continue
    }
    open.push(element)
    if (open.length > MAX_MARKUP_DEPTH) tooMuch(`its elements are nested deeper than ${MAX_MARKUP_DEPTH} levels`)
  }
  if (open.length > 0) broken('its XML ends in the middle; it is damaged')
}

function afterDeclaration(text: string, tag: number, inner: XmlElement | undefined): number {
  if (text.startsWith('<![CDATA[', tag)) {
    const end = closing(text, ']]>', tag)
    inner?.children.push(text.slice(tag + 9, end))
    return end + 3
  }
  if (text.startsWith('<!--', tag)) return closing(text, '-->', tag) + 3
  if (text[tag + 1] === '?') return closing(text, '?>', tag) + 2
  const end = closing(text, '>', tag)
  refuseDeclarations(text.slice(tag, end))
  return end + 1
}

function refuseDeclarations(prolog: string) {
  const type = prolog.indexOf('<!DOCTYPE')
  if (prolog.includes('<!ENTITY') || (type !== -1 && prolog.indexOf('[', type) !== -1)) {
    broken('its XML declares entities, which no office program does; it is refused')
  }
}

function closing(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end === -1 ? broken('its XML ends in the middle; it is damaged') : end
}

/** The `>` that ends a tag; one inside quotes does not. */
function tagEnd(text: string, tag: number): number {
  for (let at = tag + 1; at < text.length; at++) {
    const char = text[at]
    if (char === '>') return at
    if (char === '"' || char === "'") {
      at = text.indexOf(char, at + 1)
      if (at === -1) break
    }
  }
  return broken('its XML ends in the middle; it is damaged')
}

// A word that no value follows is taken too, so that it is looked at once only.
const ATTRIBUTE = /([^\s=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g

function readTag(source: string): XmlElement {
  const space = source.search(/\s/)
  if (space === -1) return { name: source, attributes: {}, children: [] }
  const attributes: Record<string, string> = Object.create(null)
  for (const [, name = '', double, single] of source.slice(space).matchAll(ATTRIBUTE)) {
    attributes[name] = decodeEntities(double ?? single ?? '')
  }
  return { name: source.slice(0, space), attributes, children: [] }
}

const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,8}));/g, (whole, decimal, hex, name) => {
    if (name) return NAMED.get(name) ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

const isElement = (node: XmlNode): node is XmlElement => typeof node !== 'string'

export const elements = ({ children }: XmlElement): XmlElement[] => children.filter(isElement)

export const child = (parent: XmlElement | undefined, name: string): XmlElement | undefined =>
  parent?.children.find((node): node is XmlElement => isElement(node) && node.name === name)

export const childrenNamed = (parent: XmlElement | undefined, name: string): XmlElement[] =>
  parent ? elements(parent).filter((node) => node.name === name) : []

/** The first element of that name at any depth. */
export function descendant(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return parent && descendants(parent, name).next().value
}

/** Elements of that name at any depth, in the order of the text. */
export function* descendants(parent: XmlElement, name: string): Generator<XmlElement, undefined> {
  for (const node of parent.children) {
    if (!isElement(node)) continue
    if (node.name === name) yield node
    yield* descendants(node, name)
  }
  return undefined
}

/** Text of a node and its descendants. */
export const textOf = (node: XmlNode | undefined): string =>
  node === undefined ? '' : isElement(node) ? node.children.map(textOf).join('') : node
