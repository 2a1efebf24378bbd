import { type Conversion, filling, named } from './conversion.ts'

/** Conversions of what other agents' tools call lines of a file. @param counts whether numbers of lines are taken, too */
export const lineConversions = ({ counts }: { readonly counts: boolean }): Readonly<Record<string, Conversion>> => ({
  ...named(range, 'viewrange linerange range lines linenumbers'),
  ...(!counts && named(oneLine, 'line linenumber lineno')),
  ...(counts && {
    ...named(count, 'limit maxlines numlines linecount nlines linelimit'),
    ...named(head, 'head headlines firstlines'),
    ...named(tail, 'tail taillines lastlines'),
  }),
})

/** One line that is replaced. */
const oneLine: Conversion = (value, args) => {
  const line = wholeOf(value)
  return line === null || line < 1 ? null : filling(args, { start_line: line, end_line: line })
}

/** Number of lines from `start_line` on. */
const count: Conversion = (value, args) => {
  const lines = wholeOf(value)
  const start = args.start_line === undefined || args.start_line === null ? 1 : wholeOf(args.start_line)
  if (lines === null || lines < 1 || start === null) return null
  const end = (start < 0 ? start : Math.max(start, 1)) + lines - 1
  return filling(args, { end_line: start < 0 ? Math.min(end, -1) : end })
}

const head: Conversion = (value, args) => {
  const lines = wholeOf(value)
  return lines === null || lines < 1 ? null : filling(args, { start_line: 1, end_line: lines })
}

const tail: Conversion = (value, args) => {
  const lines = wholeOf(value)
  return lines === null || lines < 1 ? null : filling(args, { start_line: -lines, end_line: -1 })
}

/** Length of a range as a text: two numbers and signs. */
const MAX_RANGE_CHARS = 50

/** First and last line in one: `[3, 9]`, `"3-9"`. */
const range: Conversion = (value, args) => {
  const text = (Array.isArray(value) ? value.slice(0, 3).join(',') : String(value)).slice(0, MAX_RANGE_CHARS)
  const [, start, end] = /^\s*\[?\s*L?(\d{1,9})\s*(?:-|:|,|\.\.)\s*L?(-1|\d{1,9})\s*\]?\s*$/.exec(text) ?? []
  return start === undefined ? null : filling(args, { start_line: Number(start), end_line: Number(end) })
}

function wholeOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*-?\d{1,9}\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}
