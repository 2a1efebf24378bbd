/** Milliseconds until it is done, by the clock: what a client waits. Compare it with that of a bare operation in the same test. */
export async function elapsedMs(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
