import { MAX_FOLLOW_MS } from '../../../../core/limits/requests.ts'
import type { CallView, SessionCallsApi } from '../../../../session/api.ts'

/** The call when it has answered; null when it has not within that time. */
export async function endWithin(
  calls: SessionCallsApi,
  callId: string,
  ms: number,
  now: () => number,
): Promise<CallView | null> {
  const until = now() + ms
  for (let left = ms; left > 0; left = until - now()) {
    const patienceMs = Math.min(left, MAX_FOLLOW_MS)
    const view = await calls.follow({ callId, after: Number.MAX_SAFE_INTEGER, patienceMs })
    if (view.outcome || !view.running) return view
  }
  return null
}
