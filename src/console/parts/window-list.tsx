import { useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useKeys } from './keys.tsx'

/** Rows that are drawn beyond each edge of what is seen. */
const SPARE_ROWS = 12
/** The next page is asked for when fewer rows than this are below what is seen. */
const AHEAD_ROWS = 30

interface WindowListProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly idOf: (item: T) => string
  /** One row: its first link is what Enter opens. It is as high as `--row` in the style, or as `rowHeight` says. */
  readonly children: (item: T, at: number) => ComponentChildren
  /** Pixels of a row; each has the same. */
  readonly rowHeight?: number
  /** Reads more items; null where there are none. */
  readonly next?: (() => void) | null
}

/**
 * A list of any length that draws what is seen of it alone; the window scrolls it. `j` and `k` move through it, Enter opens the
 * link of a row.
 */
export function WindowList<T>({ label, items, idOf, children, rowHeight = 56, next }: WindowListProps<T>) {
  const list = useRef<HTMLUListElement>(null)
  const range = useSignal({ from: 0, to: 40 })
  const current = useRef(-1)
  const waiting = useRef<number | null>(null)

  const look = () => {
    const top = list.current?.getBoundingClientRect().top ?? 0
    const from = Math.max(0, Math.floor(-top / rowHeight) - SPARE_ROWS)
    const to = Math.ceil((innerHeight - top) / rowHeight) + SPARE_ROWS
    if (from !== range.peek().from || to !== range.peek().to) range.value = { from, to }
  }
  useLayoutEffect(() => {
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [rowHeight, items.length])

  const latest = useRef({ count: items.length, next })
  latest.current = { count: items.length, next }
  useSignalEffect(() => {
    const { to } = range.value
    if (to + AHEAD_ROWS - SPARE_ROWS > latest.current.count) latest.current.next?.()
  })
  useLayoutEffect(() => {
    if (range.peek().to + AHEAD_ROWS - SPARE_ROWS > items.length) next?.()
  }, [items.length, next === null])

  function move(to: number) {
    const at = Math.max(0, Math.min(items.length - 1, to))
    const top = list.current?.getBoundingClientRect().top ?? 0
    const above = top + at * rowHeight
    if (above < HEADER_PX) scrollBy(0, above - HEADER_PX)
    else if (above + rowHeight > innerHeight) scrollBy(0, above + rowHeight - innerHeight + SPARE_PX)
    current.current = at
    waiting.current = at
    look()
    focusWaiting()
  }
  // At once where the row is drawn, else as soon as it is: the next key, Enter too, is for this row however soon it comes.
  function focusWaiting() {
    const row = `[data-at="${waiting.current}"]`
    const link = list.current?.querySelector<HTMLElement>(`${row} a, ${row} button`)
    if (!link) return
    waiting.current = null
    link.focus()
  }
  useLayoutEffect(() => {
    if (waiting.current !== null) focusWaiting()
  })
  const focused = () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-at]')
    return row && list.current?.contains(row) ? Number(row.dataset.at) : current.current
  }
  useKeys({
    j: { label: `Next in ${label.toLowerCase()}`, run: () => move(focused() + 1) },
    k: { label: `Previous in ${label.toLowerCase()}`, run: () => move(focused() - 1) },
    g: { label: 'First row', run: () => move(0) },
    G: { label: 'Last row', run: () => move(items.length - 1) },
  })

  const { from, to } = range.value
  const place = (element: HTMLLIElement | null, at: number) => {
    // By script: a style attribute is refused by the content security policy.
    if (element) element.style.transform = `translateY(${at * rowHeight}px)`
  }
  return (
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
}

/** Pixels that the bar at the top may cover, and those left free below a row that was scrolled to. */
const HEADER_PX = 64
const SPARE_PX = 24
