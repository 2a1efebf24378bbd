import type * as z from 'zod'
import { type FailureCode, FailureError, failureIn } from '../../../../core/failure.ts'
import type { CallFiles, Outcome, Result } from '../../../../core/outcome.ts'
import type { Vocabulary } from '../../../../core/saying/worded.ts'
import type { CallAnswer, NewCall } from './call-schemas.ts'

/** Parts of an answer beside the outcome. */
export interface AnswerForm {
  /** Name of the tool, as the caller called it. */
  readonly tool: string
  readonly session: string
  readonly vocabulary: Vocabulary
  readonly answer: NewCall['answer']
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
export function answerOf(outcome: Outcome, { tool, session, vocabulary, answer }: AnswerForm): Answer {
  const { callId = null, files, receipt } = outcome
  const beside = { ...(files && encodeFiles(files, session)), ...(receipt && { receipt }) }
  const of = { call_id: callId, tool, state: outcome.kind }
  switch (outcome.kind) {
    case 'done':
      return { ...of, ...resultOf(outcome.result, answer), ...beside }
    case 'pending': {
      const { soFar, next, retryAfterMs } = outcome
      return { ...of, ...resultOf(soFar, answer), next, retry_after_ms: retryAfterMs, ...beside }
    }
    case 'failed':
    case 'refused':
      return { ...of, error: failureIn(outcome.failure, vocabulary), ...beside }
  }
}

/** The result in the form that the caller asked for: both have the same content, so that a model needs one of them. */
export const resultOf = ({ text, data, content }: Result, answer: NewCall['answer']) => ({
  ...(answer !== 'data' && { text }),
  ...(answer !== 'text' && { data: content ? withoutDataUrl(data) : data }),
  ...(content && { content: [...content] }),
})

/** Fields of a picture that stands in `content`: its data URL, or why there is none, says nothing more. */
const withoutDataUrl = ({ data_url, notes, ...data }: Result['data']) => data

export const encodeFiles = ({ files, more }: CallFiles, session: string) => ({
  files: files.map((file) => ({ ...file, url: file.change === 'deleted' ? null : urlOf(session, file.path) })),
  ...(more > 0 && { more_files: more }),
})

const urlOf = (session: string, path: string) =>
  `/v1/sessions/${encodeURIComponent(session)}/files/${path
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/')}`
