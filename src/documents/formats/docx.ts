import { MAX_SHEET_CELLS } from '../../core/limits/documents.ts'
import type { OpenDocument } from '../document.ts'
import { blocks, emphasised, heading, item, link, table } from '../markdown.ts'
import { latexOf } from '../omml.ts'
import { coreProperties, isOn, levelOf, openPackage, type Relation, relations, xmlAt } from '../ooxml.ts'
import { inParts } from '../parts.ts'
import { child, childrenNamed, childrenOf, descendant, descendants, elements, textOf, type XmlElement } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { type Numbering, readNumbering } from './docx-numbering.ts'
import { type ParagraphStyle, readStyles } from './docx-styles.ts'

/** Word's own format, read from its XML: what converters by way of HTML lose (equations, comments, numbering) is kept. */
export async function openDocx(bytes: Uint8Array): Promise<OpenDocument> {
  const { zip, main } = await openPackage(bytes, /wordprocessingml|ms-word/, 'a Word document')
  const relation = await relations(zip, main)
  const story = await readStory(zip, main, relation)
  const reader = new DocxReader(story)
  const body = [...childrenOf((await zip.text(main)) ?? '', 'w:body')].map((node) => reader.block(node))
  const content = blocks([merged(body), reader.notes()])
  return inParts(content, { ...(await coreProperties(zip)), paragraphs: reader.paragraphs })
}

interface Story {
  readonly relations: ReadonlyMap<string, Relation>
  readonly styles: ReadonlyMap<string, ParagraphStyle>
  readonly numbering: Numbering
  readonly footnotes: ReadonlyMap<string, XmlElement>
  readonly endnotes: ReadonlyMap<string, XmlElement>
  readonly comments: ReadonlyMap<string, XmlElement>
}

async function readStory(zip: Zip, main: string, relation: ReadonlyMap<string, Relation>): Promise<Story> {
  const at = async (type: string) => {
    const found = [...relation.values()].find((one) => one.type === type && !one.external)
    return found && xmlAt(zip, found.target)
  }
  const byId = (root: XmlElement | undefined) =>
    new Map((root ? elements(root) : []).map((node) => [node.attributes['w:id'] ?? '', node]))
  return {
    relations: relation.size > 0 ? relation : await relations(zip, main),
    styles: readStyles(await at('styles')),
    numbering: readNumbering(await at('numbering')),
    footnotes: byId(await at('footnotes')),
    endnotes: byId(await at('endnotes')),
    comments: byId(await at('comments')),
  }
}

/** Items of a list follow each other without an empty line. */
function merged(parts: readonly Block[]): string {
  let text = ''
  let before: Block['kind'] | null = null
  for (const { kind, text: part } of parts) {
    if (part === '') continue
    text += `${text === '' ? '' : kind === 'item' && before === 'item' ? '\n' : '\n\n'}${part}`
    before = kind
  }
  return text
}

interface Block {
  readonly kind: 'item' | 'other'
  readonly text: string
}
const other = (text: string): Block => ({ kind: 'other', text })

/** Text with the marks that hold for all of it, so that neighbours with the same marks become one. */
interface Span {
  text: string
  readonly mark: string
}

/** A list whose marks are text before a tab, in a hanging indent: what converters make of lists that they do not know. */
function typedItem(text: string, properties: XmlElement | undefined): Block | null {
  const indent = child(properties, 'w:ind')?.attributes
  if (!(Number(indent?.['w:hanging']) > 0)) return null
  const [, mark = '', rest = ''] = /^([•◦▪‣·–-]|\d{1,3}[.)]|[a-z][.)])\t\s*(.*)/s.exec(text) ?? []
  if (mark === '') return null
  const left = Number(indent?.['w:left'] ?? indent?.['w:start'] ?? 0) || 0
  const level = Math.min(8, Math.max(0, Math.round(left / LIST_INDENT) - 1))
  const label = /^\d/.test(mark) ? mark : /^[a-z]/.test(mark) ? `* ${mark}` : '*'
  return { kind: 'item', text: item(level, label, rest) }
}
/** Indent of one list level, in twentieths of a point. */
const LIST_INDENT = 360

class DocxReader {
  paragraphs = 0
  readonly #story: Story
  readonly #counters = new Map<string, number[]>()
  /** Levels of lists, as `list:level`, that began anew. */
  readonly #restarted = new Set<string>()
  readonly #notes = new Map<string, XmlElement>()

  constructor(story: Story) {
    this.#story = story
  }

  block(node: XmlElement): Block {
    switch (node.name) {
      case 'w:p':
        return this.#paragraph(node)
      case 'w:tbl':
        return other(this.#table(node))
      case 'w:sdt':
        return other(this.#blocks(child(node, 'w:sdtContent')))
      case 'w:ins':
      case 'w:moveTo':
      case 'w:customXml':
        return other(this.#blocks(node))
      case 'm:oMathPara':
        return other(displayed(node))
      default:
        return other('')
    }
  }

  /** Footnotes, endnotes and comments that were referred to, in that order. */
  notes(): string {
    const lines: string[] = []
    // Reading a note may refer to further ones: the map grows while it is walked.
    for (const [name, node] of this.#notes) {
      const text = this.#blocks(node).replace(/\n+/g, '\n    ')
      const { 'w:author': author, 'w:date': date } = node.attributes
      const by = author ? `${author}${date ? `, ${date.slice(0, 10)}` : ''}: ` : ''
      lines.push(`[^${name}]: ${by}${text}`)
    }
    return lines.join('\n')
  }

  #blocks(parent: XmlElement | undefined): string {
    return parent ? merged(elements(parent).map((node) => this.block(node))) : ''
  }

  #paragraph(node: XmlElement): Block {
    const properties = child(node, 'w:pPr')
    const style = this.#story.styles.get(child(properties, 'w:pStyle')?.attributes['w:val'] ?? '')
    const text = this.#inline(node).trim()
    const boxes = [...descendants(node, 'w:txbxContent')]
    const boxed = boxes.length > 0 ? this.#blocks(boxes[0]) : ''
    if (text === '') return other(boxed)
    this.paragraphs++
    const outline = Number(child(properties, 'w:outlineLvl')?.attributes['w:val'] ?? Number.NaN)
    const level = style?.heading ?? (outline < 9 ? outline + 1 : undefined)
    if (level !== undefined) return other(blocks([heading(level, unmarked(text)), boxed]))
    const label = this.#label(properties, style)
    if (label) return { kind: 'item', text: item(label.level, label.text, text) }
    const typed = typedItem(text, properties)
    if (typed) return typed
    if (style?.quote) return other(blocks([`> ${text.replaceAll('\n', '\n> ')}`, boxed]))
    return other(blocks([text, boxed]))
  }

  #label(properties: XmlElement | undefined, style: ParagraphStyle | undefined) {
    const direct = child(properties, 'w:numPr')
    const list = child(direct, 'w:numId')?.attributes['w:val'] ?? style?.list
    if (list === undefined || list === '0') return null
    const level = levelOf(child(direct, 'w:ilvl')?.attributes['w:val'] ?? style?.listLevel)
    const definition = this.#story.numbering.get(list)
    const counters = this.#counters.get(definition?.sequence ?? list) ?? []
    this.#counters.set(definition?.sequence ?? list, counters)
    const restart = definition?.restarts.get(level)
    if (restart !== undefined && !this.#restarted.has(`${list}:${level}`)) {
      this.#restarted.add(`${list}:${level}`)
      counters[level] = restart - 1
    }
    return { level, text: definition ? definition.label(counters, level) : '*' }
  }

  #table(node: XmlElement): string {
    const rows: string[][] = []
    let count = 0
    for (const row of childrenNamed(node, 'w:tr')) {
      if (child(child(row, 'w:trPr'), 'w:del')) continue
      const cells: string[] = []
      for (const cell of elements(row).flatMap((one) =>
        one.name === 'w:sdt' ? childrenNamed(child(one, 'w:sdtContent'), 'w:tc') : [one],
      )) {
        if (cell.name !== 'w:tc') continue
        const properties = child(cell, 'w:tcPr')
        const merge = child(properties, 'w:vMerge')
        const continued = merge !== undefined && merge.attributes['w:val'] !== 'restart'
        cells.push(continued ? '' : this.#cell(cell))
        // Spans make many cells out of few characters.
        const span = count > MAX_SHEET_CELLS ? 1 : Number(child(properties, 'w:gridSpan')?.attributes['w:val'] ?? 1)
        for (let extra = 1; extra < Math.min(64, span); extra++) cells.push('')
      }
      count += cells.length
      rows.push(cells)
    }
    // A table of one cell is a frame around text.
    return rows.length === 1 && rows[0]?.length === 1 ? (rows[0][0] ?? '') : table(rows)
  }

  #cell(cell: XmlElement): string {
    return elements(cell)
      .map((node) => (node.name === 'w:tbl' ? plainRows(this.#table(node)) : this.block(node).text))
      .filter((text) => text !== '')
      .join('\n')
  }

  #inline(parent: XmlElement): string {
    const spans: Span[] = []
    this.#collect(parent, spans)
    return spans.map(({ text, mark }) => (mark === '' ? text : emphasised(text, mark))).join('')
  }

  #collect(parent: XmlElement, spans: Span[]) {
    for (const node of elements(parent)) {
      switch (node.name) {
        case 'w:r':
          add(spans, this.#run(node), markOf(child(node, 'w:rPr')))
          break
        case 'w:hyperlink':
          add(spans, this.#hyperlink(node), '')
          break
        case 'm:oMath':
          add(spans, `$${latexOf(node)}$`, '')
          break
        case 'm:oMathPara':
          add(spans, displayed(node), '')
          break
        case 'w:del':
        case 'w:moveFrom':
        case 'w:pPr':
          break
        case 'w:sdt':
          this.#collect(child(node, 'w:sdtContent') ?? node, spans)
          break
        default:
          this.#collect(node, spans)
      }
    }
  }

  #hyperlink(node: XmlElement): string {
    const text = this.#inline(node)
    const target = this.#story.relations.get(node.attributes['r:id'] ?? '')
    return target?.external ? link(text, target.target) : text
  }

  #run(run: XmlElement): string {
    let text = ''
    for (const node of elements(run)) text += this.#piece(node)
    return text
  }

  #piece(node: XmlElement): string {
    const id = node.attributes['w:id'] ?? ''
    switch (node.name) {
      case 'w:t':
        return textOf(node)
      case 'w:tab':
        return '\t'
      case 'w:br':
      case 'w:cr':
        return '\n'
      case 'w:noBreakHyphen':
        return '-'
      case 'w:sym':
        return symbol(node)
      case 'w:footnoteReference':
        return this.#refer(id, this.#story.footnotes)
      case 'w:endnoteReference':
        return this.#refer(`end-${id}`, this.#story.endnotes, id)
      case 'w:commentReference':
        return this.#refer(`comment-${id}`, this.#story.comments, id)
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
        return this.#image(node)
      case 'mc:AlternateContent':
        return this.#run(child(node, 'mc:Choice') ?? node)
      default:
        return ''
    }
  }

  #refer(name: string, notes: ReadonlyMap<string, XmlElement>, id = name): string {
    const note = notes.get(id)
    if (!note) return ''
    this.#notes.set(name, note)
    return `[^${name}]`
  }

  /** Markdown of an image: its name. The content of an image is not in the text. */
  #image(node: XmlElement): string {
    const blip = descendant(node, 'a:blip') ?? descendant(node, 'v:imagedata')
    if (!blip) return ''
    const { descr, title, name } = descendant(node, 'wp:docPr')?.attributes ?? {}
    const alt = (descr ?? title ?? name ?? blip.attributes['o:title'] ?? '').replace(/\s+/g, ' ')
    const { 'r:embed': embed, 'r:link': linked, 'r:id': id } = blip.attributes
    const target = this.#story.relations.get(embed ?? id ?? linked ?? '')
    if (!target) return ''
    const linkedTo = /^https?:/i.test(target.target) ? target.target : 'linked image'
    return `![${alt}](${target.external ? linkedTo : embeddedImage(target.target)})`
  }
}

/** Placeholder for an embedded image, whose content no reader of text wants: `data:image/png;base64...` */
const embeddedImage = (target: string) => {
  const suffix = target.slice(target.lastIndexOf('.') + 1).toLowerCase()
  return `data:image/${suffix === 'jpg' ? 'jpeg' : suffix};base64...`
}

const displayed = (paragraph: XmlElement) =>
  childrenNamed(paragraph, 'm:oMath')
    .map((math) => `$$${latexOf(math)}$$`)
    .join('\n')

function add(spans: Span[], text: string, mark: string) {
  if (text === '') return
  const last = spans.at(-1)
  if (last && (last.mark === mark || text.trim() === '')) last.text += text
  else spans.push({ text, mark })
}

function markOf(properties: XmlElement | undefined): string {
  if (!properties) return ''
  const has = (name: string) => isOn(child(properties, name), 'w:val')
  return `${has('w:strike') ? '~~' : ''}${has('w:b') ? '**' : ''}${has('w:i') ? '*' : ''}`
}

/** A heading is strong already. */
const unmarked = (text: string) => text.replaceAll('**', '')

/** A table inside a cell: its rows as lines. */
const plainRows = (markdown: string) =>
  markdown
    .split('\n')
    .filter((_, index) => index !== 1)
    .map((row) => row.replace(/^\| | \|$/g, '').replaceAll(' | ', '; '))
    .join('\n')

/** Symbol fonts put their characters into the private area. Arrows and boxes are what forms use. */
function symbol(node: XmlElement): string {
  const code = Number.parseInt(node.attributes['w:char'] ?? '', 16) & 0xff
  const wingdings = new Map([
    [0xa8, '☐'],
    [0x6f, '☐'],
    [0xfe, '☑'],
    [0xfd, '☒'],
    [0xfc, '✓'],
    [0xfb, '✗'],
    [0xe0, '→'],
  ])
  return (node.attributes['w:font'] ?? '').startsWith('Wingdings')
    ? (wingdings.get(code) ?? '')
    : String.fromCharCode(code)
}
