import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { who } from '../api.ts'
import { keepForm, keptForm } from './location.ts'

/** Milliseconds between two times that a form is kept while it changes: browsers bound how often the state of a place is set. */
const PAUSE_MS = 400

/** Console session that a form is kept for: nobody else gets it back. */
const owner = (): string => who.peek()?.id ?? ''

/** Content of the form as it was left at this place; undefined for none. */
export const leftForm = (): unknown => keptForm(owner())

/** Leaves content for the form of the place that was just gone to. */
export const leaveForm = (content: object): void => keepForm(owner(), content)

/**
 * Keeps the content of a form with the place that is shown, over reloads too: after a change, and when the focus leaves the form.
 * @param changes what the content is made of, compared as a hook's
 */
export function useKeptForm(form: RefObject<HTMLElement | null>, content: object, changes: readonly unknown[]): void {
  const latest = useRef(content)
  const place = useRef(location.href)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const keptAt = useRef(Number.NEGATIVE_INFINITY)
  latest.current = content
  const keep = () => {
    clearTimeout(timer.current)
    keptAt.current = performance.now()
    if (location.href === place.current) keepForm(owner(), latest.current)
  }
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    const left = keptAt.current + PAUSE_MS - performance.now()
    if (!isFirst.current && left <= 0) keep()
    else if (!isFirst.current) timer.current = setTimeout(keep, left)
    isFirst.current = false
    return () => clearTimeout(timer.current)
  }, changes)
  useEffect(() => {
    // A link takes the focus before it is followed.
    const end = new AbortController()
    form.current?.addEventListener('focusout', keep, { signal: end.signal })
    addEventListener('pagehide', keep, { signal: end.signal })
    return () => end.abort()
  }, [])
}
