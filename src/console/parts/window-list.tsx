import { useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useKeys } from './keys.tsx'
import { here, isAtTop, keepRow, keptRow } from './location.ts'

/** Rows that are drawn beyond each edge of what is seen. */
const SPARE_ROWS = 12
/** The next page is asked for when fewer rows than this are below what is seen. */
const AHEAD_ROWS = 30

interface WindowListProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly idOf: (item: T) => string
  /** One row: its first link or button is what Enter opens. */
  readonly children: (item: T, at: number) => ComponentChildren
  /** Pixels of a row; each has the same. */
  readonly rowHeight?: number
  /** Reads more items; null where there are none. */
  readonly next?: (() => void) | null
  /** Class of a box with a height of its own, which scrolls the list; without it the window does. */
  readonly box?: string
  /** Place of the row that is shown beside the list: a list in a box is scrolled to it. */
  readonly shown?: number
}

/**
 * A list of any length that draws what is seen of it alone. `j` and `k` move through it, `g` and `G` go to its ends, Enter opens the
 * link of a row. On the way back it begins at the row that was opened.
 */
export function WindowList<T>({
  label,
  items,
  idOf,
  children,
  rowHeight = 56,
  next,
  box,
  shown = -1,
}: WindowListProps<T>) {
  const list = useRef<HTMLUListElement>(null)
  const range = useSignal({ from: 0, to: 40 })
  const current = useRef(-1)
  const waiting = useRef<number | null>(null)
  /** Whether `G` was pressed last: the end is followed while more pages come. */
  const toEnd = useRef(false)
  /** Id of the row at which the list was left, until it is there. */
  const leftAt = useRef(box ? undefined : keptRow(here.peek().path))
  /** Whether a row was opened, and is to keep the focus beside what it shows. */
  const isOpening = useRef(false)

  const look = () => {
    const { top, height } = viewOf(list.current)
    const from = Math.max(0, Math.floor(-top / rowHeight) - SPARE_ROWS)
    const to = Math.ceil((height - top) / rowHeight) + SPARE_ROWS
    if (from !== range.peek().from || to !== range.peek().to) range.value = { from, to }
  }
  useLayoutEffect(() => {
    look()
    const end = new AbortController()
    const { signal } = end
    // Scrolling of a box does not bubble, and is seen on its way down.
    addEventListener('scroll', look, { passive: true, capture: true, signal })
    addEventListener('resize', look, { signal })
    for (const input of ['wheel', 'touchmove', 'pointerdown']) {
      addEventListener(input, () => (toEnd.current = false), { passive: true, signal })
    }
    return () => end.abort()
  }, [rowHeight, items.length])

  const latest = useRef({ count: items.length, next })
  latest.current = { count: items.length, next }
  useSignalEffect(() => {
    const { to } = range.value
    if (to + AHEAD_ROWS - SPARE_ROWS > latest.current.count) latest.current.next?.()
  })
  useLayoutEffect(() => {
    if (toEnd.current) move(items.length - 1)
    if (range.peek().to + AHEAD_ROWS - SPARE_ROWS > items.length) next?.()
  }, [items.length, next === null])
  useLayoutEffect(() => {
    if (box && shown >= 0) showRow(shown)
  }, [box, shown])

  useEffect(() => {
    if (current.current >= 0) leftAt.current = undefined
    const at = leftAt.current === undefined ? -1 : items.findIndex((item) => idOf(item) === leftAt.current)
    if (at < 0) return
    leftAt.current = undefined
    current.current = at
    if (isAtTop()) showRow(at)
    const { top, height } = viewOf(list.current)
    const place = top + at * rowHeight
    if (place >= 0 && place < height) focusIfFree(at)
  }, [items.length])
  useEffect(() => {
    if (isOpening.current && shown >= 0) focusIfFree(shown)
    isOpening.current = false
  }, [shown])
  const opening = useRef<(row: number) => void>(() => undefined)
  opening.current = (row) => {
    const item = items[row]
    if (box) isOpening.current = true
    else if (item) keepRow(here.peek().path, idOf(item))
  }
  useEffect(() => {
    const end = new AbortController()
    const open = (event: Event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-at]') : null
      if (row) opening.current(Number(row.dataset.at))
    }
    list.current?.addEventListener('click', open, { signal: end.signal })
    return () => end.abort()
  }, [])

  function focusIfFree(at: number) {
    const active = document.activeElement
    if (active && active !== document.body && !active.matches('main, h1, [tabindex="-1"]')) return
    waiting.current = at
    focusWaiting()
  }
  function showRow(at: number) {
    const { top, height, covered, scroll } = viewOf(list.current)
    const above = top + at * rowHeight
    if (above < covered) scroll(above - covered)
    else if (above + rowHeight > height) scroll(above + rowHeight - height + SPARE_PX)
    look()
  }
  function move(to: number) {
    const at = Math.max(0, Math.min(items.length - 1, to))
    current.current = at
    waiting.current = at
    showRow(at)
    focusWaiting()
  }
  // At once where the row is drawn, else as soon as it is: the next key, Enter too, is for this row however soon it comes.
  function focusWaiting() {
    const row = `[data-at="${waiting.current}"]`
    const link = list.current?.querySelector<HTMLElement>(`${row} a, ${row} button`)
    if (!link) return
    waiting.current = null
    link.focus({ preventScroll: true })
    // A box may reach beyond the window.
    if (box) link.scrollIntoView({ block: 'nearest' })
  }
  useLayoutEffect(() => {
    if (waiting.current !== null) focusWaiting()
  })
  const focused = () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-at]')
    return row && list.current?.contains(row) ? Number(row.dataset.at) : current.current >= 0 ? current.current : shown
  }
  const go = (to: () => number, isEnd = false) => {
    toEnd.current = isEnd
    move(to())
  }
  const first = { label: 'First row', run: () => go(() => 0) }
  const last = { label: 'Last row', run: () => go(() => items.length - 1, true) }
  useKeys({
    j: { label: `Next in ${label.toLowerCase()}`, run: () => go(() => focused() + 1) },
    k: { label: `Previous in ${label.toLowerCase()}`, run: () => go(() => focused() - 1) },
    Enter: { label: 'Open the row' },
    g: first,
    Home: { ...first, when: scrollsNothingElse },
    G: last,
    End: { ...last, when: scrollsNothingElse },
  })

  const { from, to } = range.value
  const place = (element: HTMLLIElement | null, at: number) => {
    // By script: a style attribute is refused by the content security policy.
    if (element) element.style.transform = `translateY(${at * rowHeight}px)`
  }
  const rows = (
    <ul
      ref={(element) => {
        list.current = element
        if (element) element.style.height = `${items.length * rowHeight}px`
      }}
      class="window-list"
      aria-label={label}
    >
      {items.slice(from, to).map((item, index) => (
        <li
          key={idOf(item)}
          data-at={from + index}
          aria-setsize={items.length}
          aria-posinset={from + index + 1}
          ref={(element) => {
            place(element, from + index)
            if (element) element.style.height = `${rowHeight}px`
          }}
        >
          {children(item, from + index)}
        </li>
      ))}
    </ul>
  )
  return box ? <div class={`list-box ${box}`}>{rows}</div> : rows
}

/** Whether the focus is in no text that the same keys scroll. */
const scrollsNothingElse = () => !document.activeElement?.matches('pre, section[tabindex]')

/** Scrolling area of a list: where the list begins in it, its height, and how much is covered at its top, all in pixels. */
function viewOf(list: HTMLElement | null) {
  const box = list?.closest<HTMLElement>('.list-box')
  const top = list?.getBoundingClientRect().top ?? 0
  if (!box) return { top, height: innerHeight, covered: HEADER_PX, scroll: (by: number) => scrollBy(0, by) }
  const inside = top - box.getBoundingClientRect().top
  return { top: inside, height: box.clientHeight, covered: 0, scroll: (by: number) => box.scrollBy(0, by) }
}

/** Pixels that the bar at the top may cover, and those left free below a row that was scrolled to. */
const HEADER_PX = 64
const SPARE_PX = 24
