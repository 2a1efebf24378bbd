import { child, childrenNamed, type XmlElement } from '../xml.ts'

export interface ParagraphStyle {
  /** Level of the heading, from 1. */
  readonly heading?: number
  readonly quote: boolean
  /** The list that its paragraphs are items of. */
  readonly list?: string
  readonly listLevel?: number
}

/** Styles build on each other; a longer chain than this is a circle. */
const MAX_CHAIN = 12

/** Paragraph styles of a Word document, by their ids. */
export function readStyles(root: XmlElement | undefined): Map<string, ParagraphStyle> {
  const nodes = new Map(childrenNamed(root, 'w:style').map((node) => [node.attributes['w:styleId'] ?? '', node]))
  return new Map([...nodes.keys()].map((id) => [id, resolveStyle(id, nodes)]))
}

function resolveStyle(id: string, nodes: ReadonlyMap<string, XmlElement>): ParagraphStyle {
  let level: number | undefined
  let list: string | undefined
  let listLevel: number | undefined
  let quote = false
  let at: string | undefined = id
  for (let step = 0; at !== undefined && step < MAX_CHAIN; step++) {
    const node = nodes.get(at)
    if (!node) break
    const properties = child(node, 'w:pPr')
    const name = (child(node, 'w:name')?.attributes['w:val'] ?? '').toLowerCase()
    level ??= headingLevel(name, child(properties, 'w:outlineLvl')?.attributes['w:val'])
    const numbers = child(properties, 'w:numPr')
    list ??= child(numbers, 'w:numId')?.attributes['w:val']
    listLevel ??= numbers && Number(child(numbers, 'w:ilvl')?.attributes['w:val'] ?? 0)
    quote ||= name === 'quote' || name === 'intense quote'
    at = child(node, 'w:basedOn')?.attributes['w:val']
  }
  return {
    quote,
    ...(level !== undefined && { heading: level }),
    ...(list !== undefined && { list }),
    ...(listLevel !== undefined && { listLevel }),
  }
}

function headingLevel(name: string, outline: string | undefined): number | undefined {
  if (name === 'title') return 1
  const named = /^(?:heading|überschrift|titre|标题) ?([1-9])$/.exec(name)?.[1]
  if (named) return Number(named)
  return outline !== undefined && Number(outline) < 9 ? Number(outline) + 1 : undefined
}
