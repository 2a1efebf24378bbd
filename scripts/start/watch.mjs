/** A try to get an answer waits this long for it alone; then the next one is made, and answers to both count. */
const TRY_MS = 3_000
const TRIES = 3
/** This process had no time itself, e.g. was stopped by Ctrl-Z, when it wakes up so much later than it wanted. */
const LATE_MS = 1_000

/** How long a server has to be silent before it counts as hung. */
export const SILENCE_MS = TRIES * TRY_MS

/**
 * Whether a server answers at all, be it late: false after three tries, each of which could have been answered until the
 * end. Who is busy for less than that is not disturbed.
 * @param ask `(signal) => Promise`, which fulfils with any answer
 */
export async function answers(ask, { tries = TRIES, tryMs = TRY_MS } = {}) {
  const end = new AbortController()
  const asked = []
  const begun = performance.now()
  try {
    for (let count = 0; count < tries; count++) {
      asked.push(ask(end.signal).then(() => true))
      const answered = Promise.any(asked).catch(() => false)
      if (await Promise.race([answered.then((any) => any || never()), after(tryMs)])) return true
    }
    return performance.now() - begun > tries * tryMs + LATE_MS
  } finally {
    end.abort()
  }
}

const never = () => new Promise(() => {})
const after = (ms) => new Promise((resolve) => setTimeout(() => resolve(false), ms))
