/** Text on the screen of a shell. */
export interface ScreenText {
  readonly text: string
  /** Whether earlier text was left out. */
  readonly isCut: boolean
}

/** Characters and sequences for terminals that are kept: as many are read and drawn anew with each frame of a stream. */
const CHARACTERS_MAX = 50_000
const SEQUENCES_MAX = 2_000
/** Parts of these that stay when there are more. What stays is drawn as it was until the next time. */
const KEPT = 3 / 4

/** Text with more behind it. Where that is too much the beginning is left out, whole lines where there are any. */
export function withMore({ text: before, isCut }: ScreenText, more: string): ScreenText {
  const text = before + more
  if (text.length <= CHARACTERS_MAX && sequenceFromEnd(text, SEQUENCES_MAX) < 0) return { text, isCut }
  const from = Math.max(text.length - CHARACTERS_MAX * KEPT, sequenceFromEnd(text, SEQUENCES_MAX * KEPT))
  const line = text.indexOf('\n', from) + 1
  return { text: text.slice(line > 0 && line < text.length ? line : from), isCut: true }
}

/** Where one of the last sequences begins, counted from the end; -1 where there are not as many. */
function sequenceFromEnd(text: string, count: number): number {
  let at = text.length
  for (let left = count; left > 0 && at >= 0; left--) at = at === 0 ? -1 : text.lastIndexOf('\u001b', at - 1)
  return at
}
