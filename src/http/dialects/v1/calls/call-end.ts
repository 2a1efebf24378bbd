import { MAX_FOLLOW_MS } from '../../../../core/limits/requests.ts'
import type { CallView, SessionCallsApi } from '../../../../session/calls-api.ts'

/**
 * The call when it is over, or nothing of it runs; null when that was not within `ms` milliseconds.
 * @param isOver what to wait for while it runs: by default its answer
 */
export async function endWithin(
  calls: SessionCallsApi,
  callId: string,
  ms: number,
  now: () => number,
  isOver: (view: CallView) => boolean = ({ outcome }) => outcome !== undefined,
): Promise<CallView | null> {
  const until = now() + ms
  for (let left = ms; left > 0; left = until - now()) {
    const patienceMs = Math.min(left, MAX_FOLLOW_MS)
    const view = await calls.follow({ callId, after: Number.MAX_SAFE_INTEGER, patienceMs })
    if (isOver(view) || !view.running) return view
  }
  return null
}
