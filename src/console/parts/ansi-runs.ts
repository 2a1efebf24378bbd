/** Names of the eight colours, as classes of the style have them. */
const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

/** Text of one look. */
export interface AnsiRun {
  readonly text: string
  /** Classes of the style; '' for text as any other. */
  readonly look: string
}

/** Runs of one text that are drawn. */
const ANSI_RUNS_MAX = 5_000

/**
 * Runs of a terminal's text: its colours and weights, and no other of its sequences, which move cursors, set titles or make links. With
 * the last one of `max` runs comes the rest of a wilder text, without colours. Linear: each character is looked at once.
 */
export function ansiRunsOf(text: string, max = ANSI_RUNS_MAX): readonly AnsiRun[] {
  const runs: { look: string; parts: string[] }[] = []
  let style: Style = {}
  for (let at = 0; at < text.length; ) {
    const mark = text.indexOf('\u001b', at)
    const end = mark < 0 ? text.length : mark
    const part = plain(text.slice(at, end))
    const last = runs.at(-1)
    const look = runs.length < max - 1 || last?.look === lookOf(style) ? lookOf(style) : ''
    if (part && last && (last.look === look || runs.length >= max)) last.parts.push(part)
    else if (part) runs.push({ look, parts: [part] })
    if (mark < 0) break
    const sequence = sequenceAt(text, mark)
    if (sequence.colours) style = styled(style, sequence.colours)
    at = sequence.end
  }
  return runs.map(({ look, parts }) => ({ look, text: parts.join('') }))
}

interface Style {
  readonly colour?: string | undefined
  readonly bold?: boolean
  readonly dim?: boolean
  readonly underlined?: boolean
}

const lookOf = ({ colour, bold, dim, underlined }: Style): string =>
  [colour && `ansi-${colour}`, bold && 'ansi-bold', dim && 'soft', underlined && 'ansi-under'].filter(Boolean).join(' ')

/** Characters that overwrite others, ring or delete are left out; a carriage return before a line break too. */
const plain = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '')

/** A sequence from its escape on: where the text goes on, and its numbers where it sets colours. */
function sequenceAt(text: string, mark: number): { end: number; colours?: readonly number[] } {
  const kind = text[mark + 1]
  if (kind === '[') {
    let end = mark + 2
    while (end < text.length && end - mark < 64 && !/[@-~]/.test(text[end] ?? '')) end++
    const numbers = text.slice(mark + 2, end)
    const isColours = text[end] === 'm' && /^[\d;]*$/.test(numbers)
    return { end: end + 1, ...(isColours && { colours: numbers.split(';').map(Number) }) }
  }
  if (kind === ']' || kind === 'P' || kind === '_' || kind === '^') {
    // A title, a link or the like: it ends at a bell or at escape and backslash, or at the line's end where it does not.
    for (let end = mark + 2; end < text.length; end++) {
      if (text[end] === '\u0007') return { end: end + 1 }
      if (text[end] === '\u001b') return { end: text[end + 1] === '\\' ? end + 2 : end }
      if (text[end] === '\n') return { end }
    }
    return { end: text.length }
  }
  return { end: mark + 2 }
}

function styled(style: Style, numbers: readonly number[]): Style {
  let next = style
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0
    // Colours of a larger palette are not drawn: their numbers are stepped over.
    if (number === 38 || number === 48) at += numbers[at + 1] === 5 ? 2 : 4
    else if (number === 0) next = {}
    else if (number === 1) next = { ...next, bold: true }
    else if (number === 2) next = { ...next, dim: true }
    else if (number === 4) next = { ...next, underlined: true }
    else if (number === 22) next = { ...next, bold: false, dim: false }
    else if (number === 24) next = { ...next, underlined: false }
    else if (number === 39) next = { ...next, colour: undefined }
    else if (number >= 30 && number <= 37) next = { ...next, colour: COLOURS[number - 30] }
    else if (number >= 90 && number <= 97) next = { ...next, colour: COLOURS[number - 90] }
  }
  return next
}
