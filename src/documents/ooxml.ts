import { broken, PROTECTED } from './broken.ts'
import { CompoundFile, isCompoundFile } from './compound-file.ts'
import type { Metadata } from './document.ts'
import { child, elements, parseXml, textOf, type XmlElement } from './xml.ts'
import { Zip } from './zip.ts'

export interface Relation {
  /** The last word of its type: `image`, `hyperlink`, `slide` … */
  readonly type: string
  /** A name in the archive, or a URL when it is external. */
  readonly target: string
  readonly external: boolean
}

/** Opens a file of Office Open XML. @throws FailureError for any other file, and for a protected one */
export async function openPackage(bytes: Uint8Array, main: RegExp, what: string): Promise<{ zip: Zip; main: string }> {
  if (isCompoundFile(bytes)) {
    broken(new CompoundFile(bytes).has('EncryptedPackage') ? PROTECTED : OLDER)
  }
  const zip = new Zip(bytes)
  const types = await zip.text('[Content_Types].xml')
  const office = [...(await relations(zip, '')).values()].find(({ type }) => type === 'officeDocument')?.target
  if (types === null || office === undefined || !main.test(types) || !zip.has(office)) broken(`it is not ${what}`)
  return { zip, main: office ?? '' }
}

const OLDER = 'it is of the older binary format; give it the name that fits it, e.g. .doc, .xls or .ppt'

/** Relationships of a file in the archive, by id. @param of name of the file; `''` for the archive itself */
export async function relations(zip: Zip, of: string): Promise<Map<string, Relation>> {
  const directory = of.slice(0, of.lastIndexOf('/') + 1)
  const text = await zip.text(`${directory}_rels/${of.slice(directory.length)}.rels`)
  const found = new Map<string, Relation>()
  if (text === null) return found
  for (const { attributes } of elements(parseXml(text))) {
    const { Id = '', Type = '', Target = '', TargetMode } = attributes
    const external = TargetMode === 'External'
    found.set(Id, {
      type: Type.slice(Type.lastIndexOf('/') + 1),
      target: external ? Target : resolved(directory, Target),
      external,
    })
  }
  return found
}

/** A reference inside an archive; `..` never climbs out of it. */
export function resolved(directory: string, target: string): string {
  const parts: string[] = []
  for (const part of (target.startsWith('/') ? target : `${directory}${target}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** Title, author and so on, as the archive's properties say. */
export async function coreProperties(zip: Zip): Promise<Metadata> {
  const text = await zip.text('docProps/core.xml')
  if (text === null) return {}
  const root = parseXml(text)
  const found: Record<string, string> = {}
  for (const [tag, name] of PROPERTIES) {
    const value = textOf(child(root, tag)).trim()
    if (value !== '') found[name] = value
  }
  return found
}

const PROPERTIES = [
  ['dc:title', 'title'],
  ['dc:creator', 'author'],
  ['dc:subject', 'subject'],
  ['cp:keywords', 'keywords'],
  ['dcterms:created', 'created'],
  ['dcterms:modified', 'modified'],
] as const

export async function xmlAt(zip: Zip, name: string): Promise<XmlElement | undefined> {
  const text = await zip.text(name)
  return text === null ? undefined : parseXml(text)
}

/** Level of a list or an outline, from 0 to 8, in any notation; 0 for text that is none. */
export const levelOf = (value: string | number | undefined): number =>
  Math.min(8, Math.max(0, Math.trunc(Number(value ?? 0)) || 0))

/** Office attributes say yes as `1`, `true`, `on`, or by standing there without a value. */
export const isOn = (element: XmlElement | undefined, attribute: string): boolean =>
  element !== undefined && !['0', 'false', 'off', 'none'].includes(element.attributes[attribute] ?? '1')
