import { child, childrenNamed, type XmlElement } from '../xml.ts'

/** The lists of a Word document, by their ids. */
export type Numbering = ReadonlyMap<string, ListDefinition>

interface ListDefinition {
  /** Key of the counter: lists with the same key continue each other's numbers. */
  readonly sequence: string
  /** Number at which a level begins again when this list first uses it. */
  readonly restarts: ReadonlyMap<number, number>
  /** The next label of a level. @param counters of the sequence; changed */
  label(counters: number[], level: number): string
}

interface Level {
  readonly format: string
  readonly pattern: string
  readonly start: number
}
const BULLET: Level = { format: 'bullet', pattern: '', start: 1 }

export function readNumbering(root: XmlElement | undefined): Numbering {
  const abstract = new Map(
    childrenNamed(root, 'w:abstractNum').map((node) => [node.attributes['w:abstractNumId'] ?? '', readLevels(node)]),
  )
  return new Map(
    childrenNamed(root, 'w:num').map((node) => {
      const of = child(node, 'w:abstractNumId')?.attributes['w:val'] ?? ''
      const id = node.attributes['w:numId'] ?? ''
      return [id, { sequence: of, restarts: readRestarts(node), label: labeller(abstract.get(of) ?? new Map()) }]
    }),
  )
}

function readRestarts(node: XmlElement): Map<number, number> {
  return new Map(
    childrenNamed(node, 'w:lvlOverride').flatMap((override) => {
      const start = child(override, 'w:startOverride')?.attributes['w:val']
      return start === undefined ? [] : [[Number(override.attributes['w:ilvl']), wholeNumber(start)] as const]
    }),
  )
}

/** Number at which a list begins; 1 for text that is no number. */
const wholeNumber = (text = '1') => (Number.isSafeInteger(Number(text)) ? Number(text) : 1)

function readLevels(node: XmlElement): Map<number, Level> {
  return new Map(
    childrenNamed(node, 'w:lvl').map((level) => {
      const value = (name: string) => child(level, name)?.attributes['w:val']
      const start = wholeNumber(value('w:start'))
      return [
        Number(level.attributes['w:ilvl']),
        { format: value('w:numFmt') ?? 'bullet', pattern: value('w:lvlText') ?? '', start },
      ]
    }),
  )
}

const labeller = (levels: ReadonlyMap<number, Level>) => (counters: number[], level: number) => {
  const of = (at: number) => levels.get(at) ?? BULLET
  for (let upper = 0; upper < level; upper++) counters[upper] ??= of(upper).start
  counters[level] = (counters[level] ?? of(level).start - 1) + 1
  counters.length = level + 1
  const { format, pattern } = of(level)
  if (format === 'bullet' || format === 'none') return '*'
  const text = pattern.replace(/%(\d)/g, (_, digit) => written(counters[digit - 1] ?? 1, of(digit - 1).format))
  // Markdown knows `1.`; other labels stand as they are printed.
  return /^\d+[.)]$/.test(text) ? text : text.trim() === '' ? '*' : `* ${text.trim()}`
}

function written(value: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return letters(value).toLowerCase()
    case 'upperLetter':
      return letters(value)
    case 'lowerRoman':
      return roman(value).toLowerCase()
    case 'upperRoman':
      return roman(value)
    default:
      return String(value)
  }
}

/** A … Z, AA, BB, as Word counts. */
const letters = (value: number) =>
  String.fromCharCode(65 + ((value - 1) % 26)).repeat(Math.max(0, Math.min(8, 1 + Math.floor((value - 1) / 26))))

function roman(value: number): string {
  if (value < 1 || value > 3999) return String(value)
  const marks = [
    [1000, 'M'],
    [900, 'CM'],
    [500, 'D'],
    [400, 'CD'],
    [100, 'C'],
    [90, 'XC'],
    [50, 'L'],
    [40, 'XL'],
    [10, 'X'],
    [9, 'IX'],
    [5, 'V'],
    [4, 'IV'],
    [1, 'I'],
  ] as const
  let rest = value
  let text = ''
  for (const [size, mark] of marks) {
    while (rest >= size) {
      text += mark
      rest -= size
    }
  }
  return text
}
