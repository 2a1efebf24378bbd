import { fail } from '../../core/failure.ts'
import { ADMISSION_RETRY_MS } from '../../core/limits/admission.ts'
import { MAX_WATCHERS } from '../../core/limits/watch.ts'
import { rateLimitedError } from '../../core/rate-limited.ts'
import type { SessionApi } from '../../session/api.ts'
import { WakeUps } from './wake-ups.ts'

/**
 * Messages of a session about commits of its files, from now on.
 * @param path file or directory that the caller wants to know about, checked where the session does not answer
 * @throws FailureError `session_not_found`, `rate_limited`, `invalid_input`, `unavailable`
 */
export async function wakeUpsOf(session: Pick<SessionApi, 'fetch' | 'watch'>, path: string): Promise<WakeUps> {
  const { status, webSocket } = await session.fetch(new Request(SOCKET, { headers: { Upgrade: 'websocket' } }))
  if (webSocket) return new WakeUps(webSocket)
  if (status === 429) throw watchersError()
  await session.watch.commits({ after: null, path })
  return fail('unavailable', 'the session cannot be watched now; try again')
}

const watchersError = () =>
  rateLimitedError(
    `${MAX_WATCHERS} clients watch this session already (MAX_WATCHERS); end one of those requests, then try again`,
    {
      scope: 'tenant',
      kind: 'concurrency',
      limit: MAX_WATCHERS,
      remaining: 0,
      windowMs: null,
      retryAfterMs: ADMISSION_RETRY_MS,
    },
  )

/** Address of the request to the object, which has only this one. */
const SOCKET = 'http://session/watch'
