import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Milliseconds between two looks at the clock for relative times. */
const TICK_MS = 10_000

/** The time now, in milliseconds, which moves by itself. */
export const now = signal(Date.now())
setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, TICK_MS)

/** Draws what calls it anew each second, while something goes on. */
export function useSeconds(goesOn: boolean): void {
  const seconds = useSignal(0)
  void seconds.value
  useEffect(() => {
    if (!goesOn) return
    const timer = setInterval(() => (seconds.value += 1), 1_000)
    return () => clearInterval(timer)
  }, [goesOn])
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' })

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** A time in relation to now; the exact one on hover, and for a missing one a dash. */
export function Ago({ at }: { readonly at: string | null | undefined }) {
  if (!at) return <span class="soft">–</span>
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {agoText(Date.parse(at), now.value)}
    </time>
  )
}

/** Words for a moment as seen from another, both in milliseconds. */
function agoText(at: number, from: number): string {
  const seconds = Math.round((at - from) / 1000)
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? []
  if (!unit || !length) return Math.abs(seconds) < 10 ? 'now' : relative.format(seconds, 'second')
  return relative.format(Math.round(seconds / length), unit)
}
