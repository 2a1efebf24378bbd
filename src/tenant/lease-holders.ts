import { LIMITS_NOTIFIED_AT_ONCE } from '../core/limits/usage.ts'

interface Telling {
  readonly sessions: readonly string[]
  /** Time after which no session holds the lease any more, in milliseconds. */
  readonly lastsMs: number
  readonly tell: (session: string) => Promise<void>
  readonly logError: (thrown: unknown) => void
}

/**
 * Informs the sessions that hold a lease of a change, some at a time. When it returns no session goes by the lease: each was
 * informed, or its lease has run out.
 */
export async function tellOrOutlast({ sessions, lastsMs, tell, logError }: Telling): Promise<void> {
  if (sessions.length === 0) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const lapse = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, lastsMs)
  })
  const tellOne = async (session: string) => {
    try {
      await tell(session)
    } catch (thrown) {
      logError(thrown)
      await lapse
    }
  }
  await Promise.race([tellAll(sessions, tellOne), lapse])
  clearTimeout(timer)
}

/** Informs sessions, some at a time. `tell` does not reject. */
export async function tellAll(sessions: readonly string[], tell: (session: string) => Promise<void>): Promise<void> {
  for (let from = 0; from < sessions.length; from += LIMITS_NOTIFIED_AT_ONCE)
    await Promise.all(sessions.slice(from, from + LIMITS_NOTIFIED_AT_ONCE).map(tell))
}
