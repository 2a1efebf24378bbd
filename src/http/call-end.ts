import { MAX_FOLLOW_MS } from '../core/limits/requests.ts'
import type { Outcome } from '../core/outcome.ts'
import type { CallView, SessionCallsApi } from '../session/calls-api.ts'

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

/**
 * Outcome of a call as far as it is kept; null while the call runs, or its work goes on, and where history alone has it.
 */
export function outcomeOf({ call, running, ended, outcome }: CallView): Outcome | null {
  if (running) return null
  const { callId, receipt, state, answer } = call
  const beside = { callId, ...(outcome?.files && { files: outcome.files }), ...(receipt && { receipt }) }
  if (ended) {
    return 'result' in ended
      ? { kind: 'done', result: ended.result, ...beside }
      : { kind: 'failed', failure: ended.failure, ...beside }
  }
  if (state === 'lost') return { kind: 'failed', failure: { code: 'unavailable', message: answer }, ...beside }
  return outcome ?? null
}
