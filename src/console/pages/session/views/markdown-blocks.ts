/** A part of a Markdown text, from top to bottom. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph' | 'quote' | 'code'; readonly text: string }
  | {
      readonly kind: 'list'
      readonly items: readonly { readonly depth: number; readonly mark: string; readonly text: string }[]
    }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'rule' }

const FENCE = /^ {0,3}(```+|~~~+)/
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])[ \t]+(\S.*)$/
const QUOTE = /^ {0,3}> ?(.*)$/
const TABLE_LINE = /^[\s|:]*-[-\s|:]*$/

/** Blocks of a Markdown text. Each line is looked at once; what it does not know is text. */
export function blocksOf(text: string): readonly Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; ) {
    const taken = blockAt(lines, at)
    if (taken.block) blocks.push(taken.block)
    at = taken.next
  }
  return blocks
}

interface Taken {
  readonly block: Block | null
  /** The line behind it. */
  readonly next: number
}

function blockAt(lines: readonly string[], at: number): Taken {
  const line = lines[at] ?? ''
  if (line.trim() === '') return { block: null, next: at + 1 }
  const fence = FENCE.exec(line)?.[1]
  if (fence) {
    const next = endOf(lines, at + 1, (other) => !other.trimStart().startsWith(fence))
    return { block: { kind: 'code', text: lines.slice(at + 1, next).join('\n') }, next: next + 1 }
  }
  const heading = HEADING.exec(line)
  if (heading) {
    return { block: { kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' }, next: at + 1 }
  }
  if (RULE.test(line)) return { block: { kind: 'rule' }, next: at + 1 }
  if (ITEM.test(line)) return listAt(lines, at)
  if (QUOTE.test(line)) {
    const next = endOf(lines, at, (other) => QUOTE.test(other))
    const words = lines.slice(at, next).map((other) => QUOTE.exec(other)?.[1] ?? '')
    return { block: { kind: 'quote', text: words.join('\n') }, next }
  }
  if (line.includes('|') && TABLE_LINE.test(lines[at + 1] ?? '')) {
    const next = endOf(lines, at + 2, (other) => other.includes('|'))
    const rows = [line, ...lines.slice(at + 2, next)].map(cellsOf)
    return { block: { kind: 'table', rows }, next }
  }
  const next = endOf(
    lines,
    at + 1,
    (other) => other.trim() !== '' && ![FENCE, HEADING, RULE, ITEM, QUOTE].some((one) => one.test(other)),
  )
  return { block: { kind: 'paragraph', text: lines.slice(at, next).join('\n') }, next }
}

function listAt(lines: readonly string[], at: number): Taken {
  const items: { depth: number; mark: string; text: string }[] = []
  let next = at
  for (; next < lines.length; next++) {
    const line = lines[next] ?? ''
    const [, indent = '', mark = '', text = ''] = ITEM.exec(line) ?? []
    const last = items.at(-1)
    if (mark) items.push({ depth: Math.min(6, Math.floor(indent.replaceAll('\t', '    ').length / 2)), mark, text })
    else if (last && /^\s+\S/.test(line)) last.text += `\n${line.trim()}`
    else break
  }
  return { block: { kind: 'list', items }, next }
}

/** First line from `at` on for which something does not hold. */
function endOf(lines: readonly string[], at: number, holds: (line: string) => boolean): number {
  let end = at
  while (end < lines.length && holds(lines[end] ?? '')) end++
  return end
}

const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())

/** A run of text in a line. An address stands beside its words: nothing here is a link. */
export interface Run {
  readonly kind: 'text' | 'code' | 'strong' | 'em' | 'address'
  readonly text: string
}

const INLINE =
  /(`{1,3})([^`]+)\1|\*\*([^*\n]+)\*\*|__([^_\n]+)__|\*([^*\s][^*\n]*)\*|!?\[([^\][\n]{0,500})\]\(([^()\s]{0,2000})[^()\n]{0,200}\)/g

/** Runs of a text, with its marks taken away. */
export function runsOf(text: string): readonly Run[] {
  const runs: Run[] = []
  let at = 0
  const add = (kind: Run['kind'], words: string | undefined) => words && runs.push({ kind, text: words })
  for (const found of text.matchAll(INLINE)) {
    const [whole, , code, strong, strongToo, em, words, address] = found
    add('text', text.slice(at, found.index))
    add('code', code)
    add('strong', strong ?? strongToo)
    add('em', em)
    add('text', words)
    add('address', address)
    at = found.index + whole.length
  }
  add('text', text.slice(at))
  return runs
}
