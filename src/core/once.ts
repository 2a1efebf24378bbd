/** Lazy value: `make` runs at the first request, and its result is kept from then on. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
