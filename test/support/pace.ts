import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'

/** The most that an answer may come after its deadline, on a machine that has nothing else to do. */
const ANSWER_MS = 1_000
/** Between two bare operations: they measure the machine, and are not to be its load. */
const PAUSE_MS = 20

/**
 * Makes a call that runs into its deadline, and expects the answer not before it and within a second of it. What the slowest
 * of bare operations took at the same time is allowed on top: that is the machine's own pace.
 */
export async function answeredAtDeadline<T>(
  seconds: number,
  bare: () => Promise<unknown>,
  call: () => Promise<T>,
): Promise<T> {
  let goesOn = true
  const slowest = (async () => {
    let slowestMs = 0
    while (goesOn) {
      const began = performance.now()
      await bare()
      slowestMs = Math.max(slowestMs, performance.now() - began)
      await pause(PAUSE_MS)
    }
    return slowestMs
  })()
  const began = performance.now()
  try {
    const answer = await call()
    const lateMs = performance.now() - began - seconds * 1_000
    goesOn = false
    // A timer may come a millisecond early.
    expect(lateMs).toBeGreaterThan(-5)
    expect(lateMs).toBeLessThan(ANSWER_MS + (await slowest))
    return answer
  } finally {
    goesOn = false
    await slowest
  }
}
