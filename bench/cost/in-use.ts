import { AsyncLocalStorage } from 'node:async_hooks'

/** Seconds for which objects were in use, by class. */
export type InUse = Readonly<Record<string, number>>

/** One object, with the number of things that keep it in use. */
interface Watched {
  readonly kind: string
  held: number
  since: number
}

// The clock of the bench may be moved later: this one is not.
const now = Date.now.bind(Date)

/**
 * Measures for how long objects are in use as the platform bills it: while a request or an alarm of theirs is served, a timer of
 * theirs is set, or a response of a request of theirs is not read to its end. What they do without one of these takes no time that counts.
 */
class InUseMeter {
  readonly #current = new AsyncLocalStorage<Watched>()
  readonly #watched = new Set<Watched>()
  #seconds: Record<string, number> = {}
  #isInstalled = false

  /** An object of a class, whose work is then run by {@link run}. */
  object(kind: string): Watched {
    this.#install()
    const watched = { kind, held: 0, since: 0 }
    this.#watched.add(watched)
    return watched
  }

  /** Runs work of an object, which is in use until it ends. */
  run<T>(object: Watched, work: () => T): T {
    const release = this.#hold(object)
    const result = this.#current.run(object, work)
    if (result instanceof Promise) return result.finally(release) as T
    release()
    return result
  }

  start(): void {
    this.#seconds = {}
    for (const object of this.#watched) object.since = now()
  }

  stop(): InUse {
    for (const object of this.#watched) if (object.held > 0) this.#add(object)
    return this.#seconds
  }

  #add(object: Watched): void {
    this.#seconds[object.kind] = (this.#seconds[object.kind] ?? 0) + (now() - object.since) / 1_000
    object.since = now()
  }

  #hold(object: Watched | undefined): () => void {
    if (!object) return () => undefined
    if (object.held === 0) object.since = now()
    object.held += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      object.held -= 1
      if (object.held === 0) this.#add(object)
    }
  }

  #install(): void {
    if (this.#isInstalled) return
    this.#isInstalled = true
    this.#watchTimers()
    this.#watchFetches()
  }

  #watchTimers(): void {
    const [set, clear] = [globalThis.setTimeout, globalThis.clearTimeout]
    const releases = new Map<unknown, () => void>()
    const over = (timer: unknown) => {
      releases.get(timer)?.()
      releases.delete(timer)
    }
    globalThis.setTimeout = ((work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
      const release = this.#hold(this.#current.getStore())
      const timer: unknown = set(() => {
        over(timer)
        work(...args)
      }, ms)
      releases.set(timer, release)
      return timer
    }) as typeof setTimeout
    globalThis.clearTimeout = ((timer?: number) => {
      over(timer)
      clear(timer)
    }) as typeof clearTimeout
  }

  #watchFetches(): void {
    const { fetch } = globalThis
    globalThis.fetch = (async (...args: Parameters<typeof fetch>) => {
      const release = this.#hold(this.#current.getStore())
      try {
        const response = await fetch(...args)
        if (!response.body || response.webSocket) {
          release()
          return response
        }
        const { readable, writable } = new TransformStream()
        response.body.pipeTo(writable).then(release, release)
        return new Response(readable, response)
      } catch (thrown) {
        release()
        throw thrown
      }
    }) as typeof fetch
  }
}

export const inUse = new InUseMeter()
