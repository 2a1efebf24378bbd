import { failureIn } from '../../../../core/failure.ts'
import type { Vocabulary } from '../../../../core/saying/worded.ts'
import type { CallView, HistoryCall } from '../../../../session/api.ts'

const time = (ms: number) => new Date(ms).toISOString()

/** A call in history. `arguments` is JSON, with secrets masked; a long one is cut, and so is `answer`. */
export const encodeListedCall = ({ callId, tool, args, state, answer, startedAt, endedAt, receipt }: HistoryCall) => ({
  call_id: callId,
  tool,
  state,
  arguments: args,
  answer,
  started_at: time(startedAt),
  ended_at: endedAt === null ? null : time(endedAt),
  receipt,
})

/** A call in its current state: `running` while it runs, or its work goes on; in the end `result` or `error` of such work. */
export const encodeCall = ({ call, running, progress, ended }: CallView, vocabulary: Vocabulary) => ({
  ...encodeListedCall(call),
  running,
  progress,
  ...(ended && ('result' in ended ? { result: ended.result } : { error: failureIn(ended.failure, vocabulary) })),
})
