import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** The value as of the browser's last frame: a stream may change it many times between two, and is drawn once. */
export function useEachFrame<T>(value: T): T {
  const drawn = useSignal(value)
  const latest = useRef(value)
  const frame = useRef(0)
  latest.current = value
  useEffect(() => {
    if (frame.current !== 0 || latest.current === drawn.peek()) return
    frame.current = requestAnimationFrame(() => {
      frame.current = 0
      drawn.value = latest.current
    })
  }, [value])
  useEffect(() => () => cancelAnimationFrame(frame.current), [])
  return drawn.value
}
