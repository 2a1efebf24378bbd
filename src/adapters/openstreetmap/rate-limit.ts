import { fail } from '../../core/failure.ts'
import { MAX_WAITING_MAP_REQUESTS, PUBLIC_MAP_PAUSE_MS } from '../../core/limits/web.ts'

/** Hosts of the OpenStreetMap project and of OSRM's demonstration, which ask for one request per second at most. */
const PUBLIC_HOSTS: ReadonlySet<string> = new Set(['nominatim.openstreetmap.org', 'router.project-osrm.org'])

export interface RateLimit {
  /** Waits until a request to `url` may be sent. @throws FailureError `limit_exceeded` where too many wait */
  pass(url: string, signal: AbortSignal): Promise<void>
}

/** Limit of one request per second to each public host, from all callers; other hosts have no limit here. */
export function publicHostLimit(
  now: () => number,
  wait: (ms: number, signal: AbortSignal) => Promise<void>,
): RateLimit {
  const nextAt = new Map<string, number>()
  return {
    async pass(url, signal) {
      const { hostname } = new URL(url)
      if (!PUBLIC_HOSTS.has(hostname)) return
      const at = Math.max(nextAt.get(hostname) ?? 0, now())
      const waitMs = at - now()
      if (waitMs > MAX_WAITING_MAP_REQUESTS * PUBLIC_MAP_PAUSE_MS) {
        fail('limit_exceeded', 'too many requests wait for the public map server; try again in a minute')
      }
      nextAt.set(hostname, at + PUBLIC_MAP_PAUSE_MS)
      if (waitMs > 0) await wait(waitMs, signal)
      signal.throwIfAborted()
    },
  }
}

/** Waits for so many milliseconds, or until `signal` aborts. */
export const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
