/** Time for which a try for an answer is the only one, in milliseconds. The next one is made then, and answers to all count. */
const TRY_MS = 3_000
const TRIES = 3
/** Delay from which a late timer means that this process itself had no time, e.g. was stopped by Ctrl-Z. */
const LATE_MS = 1_000

/** Silence from which a server counts as hung, in milliseconds. */
export const SILENCE_MS = TRIES * TRY_MS

/**
 * Whether a server answers at all, even late: false after three tries without any answer. A server that is busy for less
 * than that is not disturbed.
 * @param ask one try, which fulfils with any answer; its signal aborts when no caller waits for it any more
 */
export async function answers(
  ask: (signal: AbortSignal) => Promise<unknown>,
  { tries = TRIES, tryMs = TRY_MS, lateMs = LATE_MS } = {},
): Promise<boolean> {
  const over = new AbortController()
  const { promise: answered, resolve: answer } = Promise.withResolvers<true>()
  const begun = performance.now()
  try {
    for (let count = 0; count < tries; count++) {
      ask(over.signal).then(
        () => answer(true),
        () => {},
      )
      if (await Promise.race([answered, after(tryMs)])) return true
    }
    return performance.now() - begun > tries * tryMs + lateMs
  } finally {
    over.abort()
  }
}

const after = (ms: number) => new Promise<false>((resolve) => setTimeout(() => resolve(false), ms))
