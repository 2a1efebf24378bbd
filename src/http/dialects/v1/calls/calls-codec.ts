import type * as z from 'zod'
import type { Outcome, Result } from '../../../../core/outcome.ts'
import type { Vocabulary } from '../../../../core/saying/worded.ts'
import type { CallView, HistoryCall } from '../../../../session/calls-api.ts'
import { outcomeOf } from '../../../call-end.ts'
import type { Call, CallAnswer, ListedCall } from './call-schemas.ts'
import { answerOf, encodeFiles, errorOf, resultOf, viewedOf } from './encode-outcome.ts'
import type { ResultView } from './result-view.ts'

const time = (ms: number) => new Date(ms).toISOString()

/** A call in history. `arguments` is JSON, with secrets masked; a long one is cut, and so is `answer`. */
export const encodeListedCall = (call: HistoryCall): z.input<typeof ListedCall> => ({
  call_id: call.callId,
  ...(call.parent !== undefined && { parent_call_id: call.parent }),
  tool: call.tool,
  ...(call.agent !== undefined && { agent: call.agent }),
  state: call.state,
  arguments: call.args,
  answer: call.answer,
  ...(call.exitCode !== undefined && { exit_code: call.exitCode }),
  started_at: time(call.startedAt),
  ended_at: call.endedAt === null ? null : time(call.endedAt),
  receipt: call.receipt,
})

/** Words and place that answers about a call need. */
export interface CallForm {
  readonly session: string
  readonly vocabulary: Vocabulary
}

/** A call in its current state: `running` while it runs, or its work goes on; `result` or `error` in the end, where it is kept. */
export function encodeCall(
  view: CallView,
  { session, vocabulary }: CallForm,
  shown?: ResultView,
): z.input<typeof Call> {
  const { call, running, progress } = view
  const outcome = outcomeOf(view)
  return {
    ...encodeListedCall(call),
    running,
    progress: { lines: [...progress.lines], count: progress.count },
    ...(outcome && endOf(outcome, vocabulary, shown && { shown, callId: call.callId })),
    ...(outcome?.files && encodeFiles(outcome.files, session)),
  }
}

function endOf(
  outcome: Outcome,
  vocabulary: Vocabulary,
  wanted?: { readonly shown: ResultView; readonly callId: string },
) {
  const resultIn = (result: Result) => {
    if (!wanted) return { result: resultOf(result, 'both') }
    const { text, view } = viewedOf(result, wanted.shown, wanted.callId)
    return { result: { text }, view }
  }
  switch (outcome.kind) {
    case 'done':
      return resultIn(outcome.result)
    case 'pending':
      return resultIn(outcome.soFar)
    default:
      return { error: errorOf(outcome.failure, vocabulary, wanted?.shown) }
  }
}

/** Answer of a call that has ended, as its POST would have given it; of one whose outcome is not kept, what the history has. */
export function encodeEnd(view: CallView, { session, vocabulary }: CallForm): z.input<typeof CallAnswer> {
  const { callId, tool, state, answer, receipt } = view.call
  const outcome = outcomeOf(view)
  if (outcome) return { ...answerOf(outcome, { tool, session, vocabulary, answer: 'both' }), state }
  const of = { call_id: callId, tool, state, ...(receipt && { receipt }) }
  return state === 'done' || state === 'pending' ? { ...of, text: answer } : { ...of, error: { message: answer } }
}
