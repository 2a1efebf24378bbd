import { broken } from '../broken.ts'
import type { Metadata, OpenDocument } from '../document.ts'
import { blocks } from '../markdown.ts'
import { markdownOf } from '../markup.ts'
import { asHtml, descendantsNamed, readMarkup } from '../markup-tree.ts'
import { resolved, xmlAt } from '../ooxml.ts'
import { child, childrenNamed, descendant, descendants, textOf, type XmlElement } from '../xml.ts'
import { Zip } from '../zip.ts'

/** Opens a book: its metadata, then its chapters in reading order. */
export async function openEpub(bytes: Uint8Array): Promise<OpenDocument> {
  const zip = new Zip(bytes)
  const container = await xmlAt(zip, 'META-INF/container.xml')
  const opf = (container && descendant(container, 'rootfile')?.attributes['full-path']) ?? ''
  const book = await xmlAt(zip, opf)
  if (!book) return broken('it is not an EPUB book')
  if (await isLocked(zip))
    broken('its chapters are encrypted (digital rights management); a copy without that is needed')
  const directory = opf.slice(0, opf.lastIndexOf('/') + 1)
  const items = new Map(
    childrenNamed(part(book, 'manifest'), 'item').map(({ attributes }) => [attributes.id ?? '', attributes]),
  )
  const chapters = childrenNamed(part(book, 'spine'), 'itemref').flatMap(({ attributes }) => {
    const { href, properties } = items.get(attributes.idref ?? '') ?? {}
    if (href === undefined || properties?.split(' ').includes('nav')) return []
    const name = resolved(directory, decoded(href))
    return zip.has(name) ? [name] : []
  })
  const metadata = readMetadata(part(book, 'metadata'))
  return {
    unit: 'chapter',
    count: chapters.length,
    metadata: { ...metadata, chapters: chapters.length },
    async read(number) {
      const text = (await zip.text(chapters[number - 1] ?? '')) ?? ''
      const root = await readMarkup(asHtml(text))
      const chapter = markdownOf(descendantsNamed(root, 'body').next().value ?? root)
      return number === 1 ? blocks([titlePage(metadata), chapter]) : chapter
    },
  }
}

/** Names may have the prefix that the file chose for them. */
const part = (book: XmlElement, name: string) => child(book, name) ?? child(book, `opf:${name}`)

function decoded(href: string): string {
  try {
    return decodeURIComponent(href.split('#')[0] ?? '')
  } catch {
    return href // a `%` that is none
  }
}

/** Fonts may be obfuscated; chapters that are encrypted cannot be read. */
async function isLocked(zip: Zip): Promise<boolean> {
  const text = await xmlAt(zip, 'META-INF/encryption.xml')
  if (!text) return false
  return [...descendants(text, 'enc:CipherReference'), ...descendants(text, 'CipherReference')].some(({ attributes }) =>
    /\.x?html?$/i.test(attributes.URI ?? ''),
  )
}

const FIELDS = [
  ['dc:title', 'title'],
  ['dc:creator', 'author'],
  ['dc:publisher', 'publisher'],
  ['dc:language', 'language'],
  ['dc:date', 'date'],
  ['dc:description', 'description'],
  ['dc:identifier', 'identifier'],
] as const

function readMetadata(node: XmlElement | undefined): Metadata {
  const found: Record<string, string> = {}
  for (const [tag, name] of FIELDS) {
    const values = childrenNamed(node, tag)
      .map((one) => textOf(one).replace(/\s+/g, ' ').trim())
      .filter((text) => text !== '')
    if (values.length > 0) found[name] = values.join(', ')
  }
  return found
}

const LABELS = new Map([
  ['title', 'Title'],
  ['author', 'Authors'],
  ['publisher', 'Publisher'],
  ['language', 'Language'],
  ['date', 'Date'],
  ['description', 'Description'],
  ['identifier', 'Identifier'],
])

const titlePage = (metadata: Metadata) =>
  blocks(Object.entries(metadata).map(([name, value]) => (LABELS.has(name) ? `**${LABELS.get(name)}:** ${value}` : '')))
