/**
 * Runs `work` with a signal that aborts, with the same reason, when one of `signals` does while the work runs. `AbortSignal.any`
 * cannot be taken back: its signal stays in memory as long as the longest-lived of its sources, a kilobyte for each call of a
 * session.
 */
export async function withAnySignal<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const any = new AbortController()
  const follow = ({ target }: Event) => any.abort((target as AbortSignal).reason) // it hears of nothing but these signals
  const aborted = signals.find((signal) => signal.aborted)
  if (aborted) any.abort(aborted.reason)
  for (const signal of signals) signal.addEventListener('abort', follow)
  try {
    return await work(any.signal)
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', follow)
  }
}
