import type * as z from 'zod'
import { type Failure, type FailureCode, FailureError, failureIn } from '../../../../core/failure.ts'
import type { CallFiles, Outcome, Result } from '../../../../core/outcome.ts'
import { handleOf } from '../../../../core/result-handle.ts'
import type { Vocabulary } from '../../../../core/saying/worded.ts'
import type { CallAnswer, NewCall } from './call-schemas.ts'
import type { ResultView } from './result-view.ts'

/** Parts of an answer beside the outcome. */
export interface AnswerForm {
  /** Name of the tool, as the caller called it. */
  readonly tool: string
  readonly session: string
  readonly vocabulary: Vocabulary
  readonly answer: NewCall['answer']
  /** Part of the result to show. */
  readonly view?: ResultView | undefined
}

type Answer = z.input<typeof CallAnswer>

/** Failures that cut a call off, whatever its tool does: the answer's status is not 200 then. */
const CUTS_OFF: ReadonlySet<FailureCode> = new Set([
  'unavailable',
  'insufficient_storage',
  'outcome_unknown',
  'answer_not_kept',
])

/**
 * Answer of a call whose caller waited for it.
 * @throws FailureError for a call refused before the tool ran, or cut off by a restart of the server or a full disk
 */
export function encodeOutcome(outcome: Outcome, form: AnswerForm): Answer {
  if (outcome.kind === 'refused') throw new FailureError(outcome.failure)
  if (outcome.kind === 'failed' && CUTS_OFF.has(outcome.failure.code)) throw new FailureError(outcome.failure)
  return answerOf(outcome, form)
}

/** Answer of a call, however it ended: the one place where an outcome becomes an answer. */
export function answerOf(outcome: Outcome, { tool, session, vocabulary, answer, view }: AnswerForm): Answer {
  const { callId = null, files, receipt } = outcome
  const beside = { ...(files && encodeFiles(files, session)), ...(receipt && { receipt }) }
  const of = { call_id: callId, tool, state: outcome.kind }
  switch (outcome.kind) {
    case 'done':
      return { ...of, ...shownOf(outcome.result, { answer, view, callId }), ...beside }
    case 'pending': {
      const { soFar, next, retryAfterMs } = outcome
      return { ...of, ...shownOf(soFar, { answer, view, callId }), next, retry_after_ms: retryAfterMs, ...beside }
    }
    case 'failed':
    case 'refused':
      return { ...of, error: errorOf(outcome.failure, vocabulary, view), ...beside }
  }
}

/** Why a call failed; with a view, no more of it than the view has room for. Its data stays where that is short. */
export function errorOf(failure: Failure, vocabulary: Vocabulary, view?: ResultView) {
  const { data, ...error } = failureIn(failure, vocabulary)
  if (!view) return { ...error, ...(data && { data }) }
  const json = data === undefined ? '' : JSON.stringify(data)
  return { ...error, message: view.cut(error.message), ...(data && view.cut(json) === json && { data }) }
}

/** The result as a view shows it, or in the form that the caller asked for. */
function shownOf(
  result: Result,
  { answer, view, callId }: Pick<AnswerForm, 'answer' | 'view'> & { readonly callId: string | null },
) {
  if (!view) return resultOf(result, answer)
  const { text, ...shown } = viewedOf(result, view, callId)
  return { text, ...(result.content && { content: [...result.content] }), ...shown }
}

/** The part of a result that a view shows, and what the whole is called. */
export function viewedOf(result: Result, view: ResultView, callId: string | null) {
  const { text, tokens, wholeTokens, isWhole } = view.show(result)
  const handle = isWhole || callId === null ? null : handleOf(callId)
  return { text, view: { view: view.name, tokens, whole_tokens: wholeTokens, handle } }
}

/** The result in the form that the caller asked for: both have the same content, so that a model needs one of them. */
export const resultOf = ({ text, data, content }: Result, answer: NewCall['answer']) => ({
  ...(answer !== 'data' && { text }),
  ...(answer !== 'text' && { data: content ? withoutDataUrl(data) : data }),
  ...(content && { content: [...content] }),
})

/** Fields of a picture that stands in `content`: its data URL, or why there is none, says nothing more. */
const withoutDataUrl = ({ data_url, notes, ...data }: Result['data']) => data

export const encodeFiles = ({ files, more, isShared }: CallFiles, session: string) => ({
  files: files.map((file) => ({ ...file, url: file.change === 'deleted' ? null : urlOf(session, file.path) })),
  ...(more > 0 && { more_files: more }),
  ...(isShared && { files_shared: isShared }),
})

const urlOf = (session: string, path: string) =>
  `/v1/sessions/${encodeURIComponent(session)}/files/${path
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/')}`
