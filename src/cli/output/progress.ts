import { byteText } from './numbers.ts'
import { printableLine } from './printable.ts'
import type { Sink } from './streams.ts'
import { fitted } from './width.ts'

/** Progress of long work, shown on stderr where that is a terminal, and nowhere else. */
export interface Progress {
  /** Says how much is done, in the unit of the total. */
  update(done: number, total?: number | null): void
  /** Takes the bar away. */
  end(): void
}

/** Milliseconds between two pictures of a bar. */
const PICTURE_MS = 80
/** Characters of a bar. */
const BAR_CHARS = 24

/** A bar of bytes or of pieces. @param unit `bytes` are worded as such, anything else counts */
export function progressOn(sink: Sink, label: string, total: number | null, unit: 'bytes' | 'pieces'): Progress {
  if (!sink.isTTY) return { update() {}, end() {} }
  const worded = (count: number) => (unit === 'bytes' ? byteText(count) : String(count))
  let shown = 0
  let isShown = false
  let known = total
  return {
    update(done, newTotal = known) {
      known = newTotal
      const now = Date.now()
      if (now - shown < PICTURE_MS) return
      shown = now
      isShown = true
      const share = known ? Math.min(1, done / known) : null
      const filled = Math.round((share ?? 0) * BAR_CHARS)
      const bar =
        share === null ? '' : ` [${'#'.repeat(filled)}${'.'.repeat(BAR_CHARS - filled)}] ${Math.floor(share * 100)} %`
      const amount = known === null ? worded(done) : `${worded(done)} of ${worded(known)}`
      sink.write(`\r\x1b[K${fitted(`${printableLine(label)}${bar} ${amount}`, (sink.columns ?? 80) - 1)}`)
    },
    end() {
      if (isShown) sink.write('\r\x1b[K')
      isShown = false
    },
  }
}
