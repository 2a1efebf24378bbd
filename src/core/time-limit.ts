/**
 * Runs `work` with a signal that aborts when `signal` does or when the time is over, with a `TimeoutError` then.
 * `AbortSignal.timeout` cannot be taken back: it would keep a Durable Object in memory until its time has come.
 */
export async function withTimeLimit<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new DOMException('the time is over', 'TimeoutError')), ms)
  try {
    return await work(AbortSignal.any([signal, limit.signal]))
  } finally {
    clearTimeout(timer)
  }
}
