/**
 * Result of a promise that another request began. A promise of a request whose client went away never settles, so nobody waits
 * for one without end.
 * @returns null when the time was over first
 */
export async function settledWithin<T>(promise: Promise<T>, ms: number): Promise<{ readonly value: T } | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  try {
    return await Promise.race([promise.then((value) => ({ value })), tooLate])
  } finally {
    clearTimeout(timer)
  }
}
