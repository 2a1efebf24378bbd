import { FIRST_PAUSE_MS, MAX_PAUSE_MS } from './limits.ts'

/** Milliseconds before the next attempt, after so many: twice as long each time, and drawn, so that clients do not come together. */
export const pauseMs = (attempts: number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2)

/** Waits. @throws the reason of the signal, as soon as it is aborted */
export function pause(ms: number, signal?: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
