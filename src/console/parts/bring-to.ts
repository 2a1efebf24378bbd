/** Pixels of a part's beginning that have to be in sight. */
const SEEN_PX = 80

/**
 * Brings somebody to a part of the page that has just come: scrolls there where it is out of sight or far down, and gives it the focus, which takes a
 * screen reader along. Whoever types with the part in sight goes on typing.
 */
export function bringTo(part: HTMLElement | null): void {
  if (!part) return
  const { top } = part.getBoundingClientRect()
  const isSeen = top >= 0 && top < innerHeight - SEEN_PX
  if (isSeen && document.activeElement?.matches('input, textarea, select')) return
  part.focus({ preventScroll: true })
  // Its content comes below its beginning, and is to be seen too.
  if (!isSeen || top > innerHeight / 2) part.scrollIntoView({ block: 'start' })
}
