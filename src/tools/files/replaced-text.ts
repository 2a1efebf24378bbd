import { MAX_SHOWN_CHANGE_CHARS } from '../../core/limits/edits.ts'
import type { LineRange } from './changed-lines.ts'
import { lineBreaksOf, rawPositions, withBreaks } from './line-breaks.ts'
import { splitLines, universalNewlines } from './lines.ts'

export interface Replacement {
  readonly wanted: string
  readonly replacement: string
  /** Positions of `wanted` in the text with plain line breaks, in rising order, that do not overlap. */
  readonly starts: readonly number[]
}

/**
 * A text with pieces replaced. What `wanted` and `replacement` have in common at their ends is not touched, so that line breaks there
 * stay as they are; new ones are those that the text has most.
 * @param text the text with plain line breaks
 * @param raw the text with its own
 */
export function replacedText(
  text: string,
  raw: string,
  { wanted, replacement, starts }: Replacement,
): { readonly raw: string; readonly ranges: readonly LineRange[]; readonly notes: readonly string[] } {
  const before = commonBeginning(wanted, replacement)
  const after = commonEnd(wanted.slice(before), replacement.slice(before))
  const added = replacement.slice(before, replacement.length - after)
  const breaks = lineBreaksOf(raw)
  const stored = withBreaks(added, breaks)
  const pieces: string[] = []
  const rawPosition = rawPositions(raw)
  let kept = 0
  for (const start of starts) {
    pieces.push(raw.slice(kept, rawPosition(start + before)), stored)
    kept = rawPosition(start + wanted.length - after)
  }
  const result = [...pieces, raw.slice(kept)].join('')
  const ranges = changedRanges(text, { before, added, removed: wanted.length - before - after, starts })
  const expected = text.length + starts.length * (replacement.length - wanted.length)
  if (universalNewlines(result).length === expected) return { raw: result, ranges, notes: [] }
  // A carriage return beside a new line feed has become one break.
  const plain = plainlyReplaced(text, wanted, replacement, starts)
  return {
    raw: withBreaks(plain, breaks),
    ranges,
    notes: ['The file had mixed line breaks: all have become the most frequent one.'],
  }
}

function plainlyReplaced(text: string, wanted: string, replacement: string, starts: readonly number[]): string {
  let kept = 0
  const pieces = starts.flatMap((start) => {
    const piece = text.slice(kept, start)
    kept = start + wanted.length
    return [piece, replacement]
  })
  return [...pieces, text.slice(kept)].join('')
}

/** Lines that hold the added texts, as they are numbered afterwards; as many as can be shown. */
function changedRanges(
  text: string,
  change: {
    readonly before: number
    readonly added: string
    readonly removed: number
    readonly starts: readonly number[]
  },
): LineRange[] {
  const { before, added, removed, starts } = change
  const addedBreaks = breaksIn(added)
  let [line, passed] = [1, 0]
  return starts.slice(0, Math.ceil(MAX_SHOWN_CHANGE_CHARS / 10)).map((start) => {
    line += breaksIn(text.slice(passed, start + before))
    passed = start + before + removed
    const first = line
    line += addedBreaks
    return { first, last: added.endsWith('\n') ? Math.max(line - 1, first) : line }
  })
}

const breaksIn = (text: string) => splitLines(`${text}x`).length - 1

function commonBeginning(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length++
  return length
}

function commonEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one.charCodeAt(one.length - 1 - length) === other.charCodeAt(other.length - 1 - length)) {
    length++
  }
  return length
}
