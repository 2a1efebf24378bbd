import type { Box } from './measures.ts'

const POINT = 12_700
/** Line height, and the space before a paragraph, in font sizes. */
const LINE = 1.2
const GAP = 0.4
/** A letter is about half as wide as its font is large; a Chinese character is as wide. */
const LETTER = 0.52
/** Inside the box, on all sides together, in points: margins and the bullet. */
const INSET = 40

/**
 * The largest of the sizes at which the paragraphs fit into the box, as far as that can be told without the font; the
 * last one when none does. Programs that shrink text by themselves do so only while it is edited.
 * @param sizes in points, falling
 */
export function fittingSize(paragraphs: readonly string[], box: Box, sizes: readonly number[]): number {
  const width = box.width / POINT - INSET
  const height = box.height / POINT - INSET / 2
  const widths = paragraphs.flatMap((text) => text.split('\n').map(widthOf))
  const fits = (size: number) => {
    const lines = widths.reduce((sum, letters) => sum + Math.max(1, Math.ceil((letters * LETTER * size) / width)), 0)
    return (lines * LINE + paragraphs.length * GAP) * size <= height
  }
  return sizes.find(fits) ?? sizes.at(-1) ?? 12
}

/** Width of a text, in letters. */
function widthOf(text: string): number {
  let letters = 0
  for (const char of text) letters += WIDE.test(char) ? 2 : 1
  return letters
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
