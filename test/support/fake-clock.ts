import type { Clock } from '../../src/ports/clock.ts'

/** Clock that stands still until a test advances it. */
export function fakeClock(start = Date.UTC(2026, 10, 20)): Clock & { advance(ms: number): void } {
  let now = start
  return {
    now: () => now,
    advance: (ms) => {
      now += ms
    },
  }
}
