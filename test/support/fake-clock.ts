import type { Clock } from '../../src/ports/clock.ts'

/** A clock that stands still until it is told otherwise. */
export function fakeClock(start = Date.UTC(2026, 10, 20)): Clock & { advance(ms: number): void } {
  let now = start
  return {
    now: () => now,
    advance: (ms) => {
      now += ms
    },
  }
}
