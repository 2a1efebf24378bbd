import type { OpenDocument } from '../document.ts'
import { blocks, heading, item, link, table } from '../markdown.ts'
import { latexOf } from '../omml.ts'
import { coreProperties, levelOf, openPackage, type Relation, relations, xmlAt } from '../ooxml.ts'
import { child, childrenNamed, descendant, descendants, elements, textOf, type XmlElement } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { chartTable } from './pptx-chart.ts'

/** PowerPoint's own format: slides in the order in which they are shown, hidden ones marked, notes after each. */
export async function openPptx(bytes: Uint8Array): Promise<OpenDocument> {
  const { zip, main } = await openPackage(bytes, /presentationml|ms-powerpoint/, 'a PowerPoint presentation')
  const related = await relations(zip, main)
  const list = child(await xmlAt(zip, main), 'p:sldIdLst')
  const slides = childrenNamed(list, 'p:sldId').flatMap(({ attributes }) => {
    const slide = related.get(attributes['r:id'] ?? '')
    return slide && zip.has(slide.target) ? [slide.target] : []
  })
  return {
    unit: 'slide',
    count: slides.length,
    metadata: { ...(await coreProperties(zip)), slides: slides.length },
    read: (number) => readSlide(zip, slides[number - 1] ?? ''),
  }
}

async function readSlide(zip: Zip, name: string): Promise<string> {
  const root = await xmlAt(zip, name)
  if (!root) return ''
  const related = await relations(zip, name)
  const slide = new Slide(zip, related)
  const tree = descendant(root, 'p:spTree')
  const shapes = tree ? await slide.shapes(tree) : []
  const hidden = root.attributes.show === '0' ? '(hidden slide)' : ''
  return blocks([hidden, ...shapes, await notes(zip, related)])
}

async function notes(zip: Zip, related: ReadonlyMap<string, Relation>): Promise<string> {
  const target = [...related.values()].find(({ type }) => type === 'notesSlide')?.target
  const root = target === undefined ? undefined : await xmlAt(zip, target)
  if (!root) return ''
  const text = [...descendants(root, 'p:sp')]
    .filter((shape) => placeholder(shape)?.type === 'body')
    .map((shape) =>
      paragraphsOf(child(shape, 'p:txBody'))
        .map(({ text }) => text)
        .join('\n'),
    )
  const markdown = blocks(text)
  return markdown === '' ? '' : `### Notes\n\n${markdown}`
}

class Slide {
  readonly #zip: Zip
  readonly #related: ReadonlyMap<string, Relation>

  constructor(zip: Zip, related: ReadonlyMap<string, Relation>) {
    this.#zip = zip
    this.#related = related
  }

  /** Texts on a slide, its title first. */
  async shapes(tree: XmlElement): Promise<string[]> {
    const nodes = elements(tree)
    const isTitle = (node: XmlElement) => /^(?:title|ctrTitle)$/.test(placeholder(node)?.type ?? '')
    const found: string[] = []
    for (const node of [...nodes.filter(isTitle), ...nodes.filter((one) => !isTitle(one))])
      found.push(await this.#shape(node))
    return found
  }

  async #shape(node: XmlElement): Promise<string> {
    switch (node.name) {
      case 'p:sp':
        return this.#textShape(node)
      case 'p:pic':
        return picture(node)
      case 'p:graphicFrame':
        return this.#frame(node)
      case 'p:grpSp':
        return blocks(await this.shapes(node))
      case 'mc:AlternateContent':
        return blocks(await this.shapes(child(node, 'mc:Choice') ?? node))
      default:
        return ''
    }
  }

  #textShape(node: XmlElement): string {
    const body = child(node, 'p:txBody')
    const of = placeholder(node)
    // Dates, footers and slide numbers stand on every slide.
    if (of && /^(?:dt|ftr|sldNum)$/.test(of.type)) return ''
    const paragraphs = paragraphsOf(body, this.#related)
    if (of && /^(?:title|ctrTitle)$/.test(of.type)) return heading(1, paragraphs.map(({ text }) => text).join(' '))
    const listed = of !== undefined && /^(?:body|obj|)$/.test(of.type) && paragraphs.length > 1
    let number = 0
    return paragraphs
      .map(({ text, level, bullet }) => {
        number = bullet === 'number' ? number + 1 : 0
        if (bullet === 'number') return item(level, `${number}.`, text)
        return bullet === 'mark' || (listed && bullet !== 'none') ? item(level, '*', text) : text
      })
      .join('\n')
  }

  async #frame(node: XmlElement): Promise<string> {
    const grid = descendant(node, 'a:tbl')
    if (grid) return table(childrenNamed(grid, 'a:tr').map((row) => childrenNamed(row, 'a:tc').map(cellText)))
    const chart = this.#related.get(descendant(node, 'c:chart')?.attributes['r:id'] ?? '')
    const drawn = chart && (await xmlAt(this.#zip, chart.target))
    if (drawn) return chartTable(drawn)
    const diagram = this.#related.get(descendant(node, 'dgm:relIds')?.attributes['r:dm'] ?? '')
    const points = diagram && (await xmlAt(this.#zip, diagram.target))
    if (!points) return ''
    return [...descendants(points, 'dgm:t')]
      .map((text) =>
        paragraphsOf(text)
          .map((one) => one.text)
          .join(' '),
      )
      .filter((text) => text !== '')
      .map((text) => item(0, '*', text))
      .join('\n')
  }
}

const cellText = (cell: XmlElement) =>
  cell.attributes.hMerge === '1' || cell.attributes.vMerge === '1'
    ? ''
    : paragraphsOf(child(cell, 'a:txBody'))
        .map(({ text }) => text)
        .join('\n')

interface Paragraph {
  readonly text: string
  readonly level: number
  readonly bullet: 'mark' | 'number' | 'none' | 'inherited'
}

function paragraphsOf(body: XmlElement | undefined, related?: ReadonlyMap<string, Relation>): Paragraph[] {
  return childrenNamed(body, 'a:p').flatMap((paragraph) => {
    const text = elements(paragraph)
      .map((node) => piece(node, related))
      .join('')
      .trim()
    if (text === '') return []
    const properties = child(paragraph, 'a:pPr')
    const level = levelOf(properties?.attributes.lvl)
    const has = (name: string) => child(properties, name) !== undefined
    const bullet = has('a:buNone') ? 'none' : has('a:buAutoNum') ? 'number' : has('a:buChar') ? 'mark' : 'inherited'
    return [{ text, level, bullet }]
  })
}

function piece(node: XmlElement, related: ReadonlyMap<string, Relation> | undefined): string {
  if (node.name === 'a:br') return '\n'
  if (node.name === 'm:oMath') return `$${latexOf(node)}$`
  if (node.name === 'a14:m' || node.name === 'm:oMathPara')
    return elements(node)
      .map((one) => piece(one, related))
      .join('')
  if (node.name === 'mc:AlternateContent')
    return elements(child(node, 'mc:Choice') ?? node)
      .map((one) => piece(one, related))
      .join('')
  if (node.name !== 'a:r' && node.name !== 'a:fld') return ''
  const text = textOf(child(node, 'a:t'))
  const properties = child(node, 'a:rPr')
  const target = related?.get(child(properties, 'a:hlinkClick')?.attributes['r:id'] ?? '')
  return target?.external ? link(text, target.target) : text
}

function placeholder(shape: XmlElement): { readonly type: string } | undefined {
  const properties = elements(shape).find(({ name }) => name.startsWith('p:nv'))
  const found = child(child(properties, 'p:nvPr'), 'p:ph')
  return found && { type: found.attributes.type ?? '' }
}

/** Markdown of an image: its description and its name. The content of an image is not in the text. */
function picture(node: XmlElement): string {
  const { descr = '', name = '' } = descendant(node, 'p:cNvPr')?.attributes ?? {}
  return `![${descr.replace(/[\s[\]]+/g, ' ').trim()}](${name.replace(/[^\p{L}\p{N}_]/gu, '')}.jpg)`
}
