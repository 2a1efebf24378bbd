/** Names of the eight colours, as classes of the style have them. */
const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

interface Run {
  readonly text: string
  readonly look: string
}

/** Spans of one text that are drawn; the rest of a wilder one is drawn as it is. */
const RUNS_MAX = 20_000

/**
 * Text of a terminal: its colours and weights as spans, and no other of its sequences, which move cursors, set titles or make links.
 */
export function AnsiText({ text }: { readonly text: string }) {
  if (!text.includes('\u001b') && !text.includes('\r') && !text.includes('\b')) return <>{text}</>
  return (
    <>
      {runsOf(text).map(({ text, look }, at) =>
        look ? (
          <span key={at} class={look}>
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </>
  )
}

/** Texts with their classes, one after the other. Linear: each character is looked at once. */
function runsOf(text: string): readonly Run[] {
  const runs: Run[] = []
  let style: Style = {}
  let at = 0
  while (at < text.length && runs.length < RUNS_MAX) {
    const mark = text.indexOf('\u001b', at)
    const end = mark < 0 ? text.length : mark
    if (end > at) runs.push({ text: plain(text.slice(at, end)), look: lookOf(style) })
    if (mark < 0) return runs
    const sequence = sequenceAt(text, mark)
    if (sequence.colours) style = styled(style, sequence.colours)
    at = sequence.end
  }
  if (at < text.length) runs.push({ text: plain(text.slice(at)), look: '' })
  return runs
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
const plain = (text: string): string =>
  [...text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')].filter((c) => c >= ' ' || c === '\n' || c === '\t').join('')

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
