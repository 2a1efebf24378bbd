import { Deadline } from './deadline.ts'

/** Runs `work` with a signal that aborts when `signal` does or when the time is over, with a `TimeoutError` then. */
export async function withTimeLimit<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(ms, signal)
  try {
    return await work(deadline.signal)
  } finally {
    deadline.settle()
  }
}
