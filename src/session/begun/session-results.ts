import { fail } from '../../core/failure.ts'
import { MAX_HISTORY_CHARS } from '../../core/limits/sessions.ts'
import type { Outcome, Result } from '../../core/outcome.ts'
import { callOfHandle, handleOf } from '../../core/result-handle.ts'
import { SESSION, say } from '../../core/saying/saying.ts'
import type { Results } from '../../ports/results.ts'
import { mayCall } from '../allowed-tools.ts'
import type { CallScope } from '../call-scope.ts'
import type { CallView, HistoryCall } from '../calls-api.ts'
import type { SessionCalls } from '../session-calls.ts'
import type { BegunCalls } from './begun-calls.ts'

interface Parts {
  readonly calls: Pick<SessionCalls, 'find'>
  readonly begun: Pick<BegunCalls, 'keepWhole'>
}

/** Results of a session's calls, for tools that show them in parts. */
export class SessionResults {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The port of one call. */
  of({ callId, begun, by }: Pick<CallScope, 'callId' | 'begun' | 'by'>): Results {
    const { calls } = this.#parts
    return {
      // A begun call's own answer is kept under its id when it ends.
      keep: (whole) =>
        begun?.callId !== callId && this.#parts.begun.keepWhole(callId, whole) ? handleOf(callId) : null,
      find: async (handle) => {
        const view = await calls.find(callOfHandle(handle))
        // As over HTTP: a call of another tool than the key may call is like one that does not exist.
        if (!mayCall(by, view.call.tool)) fail('not_found', NO_SUCH_CALL)
        return resultOf(view)
      },
    }
  }
}

const NO_SUCH_CALL = say`the ${SESSION} has no such call, or it is no longer kept`

function resultOf({ call, running, ended, outcome }: CallView): Result {
  if (running) fail('conflict', 'the call still runs; ask for its result when it has ended')
  if (ended) return 'result' in ended ? ended.result : failed(ended.failure)
  return outcome ? resultIn(outcome) : inHistory(call)
}

function resultIn(outcome: Outcome): Result {
  switch (outcome.kind) {
    case 'done':
      return outcome.result
    case 'pending':
      return outcome.soFar
    default:
      return failed(outcome.failure)
  }
}

const failed = ({ message, data }: Extract<Outcome, { kind: 'failed' }>['failure']): Result => ({
  text: message,
  data: { error: message, ...data },
})

/** The text of a call whose result is not kept: the whole for calls that ran something of late, else its start. */
function inHistory({ answer }: HistoryCall): Result {
  const note = '[no more of this result is kept]'
  return { text: answer.length === MAX_HISTORY_CHARS ? `${answer}\n${note}` : answer, data: {} }
}
