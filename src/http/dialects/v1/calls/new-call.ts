import type { Hono } from 'hono'
import type * as z from 'zod'
import { FailureError } from '../../../../core/failure.ts'
import type { Outcome } from '../../../../core/outcome.ts'
import type { CallView } from '../../../../session/calls-api.ts'
import { endWithin, outcomeOf } from '../../../call-end.ts'
import type { AppEnv } from '../../../dialect.ts'
import { EVENT_STREAM } from '../../../event-stream.ts'
import { parseExactJson } from '../../../json.ts'
import { route } from '../../../operations/route.ts'
import { ownVocabulary } from '../../../owner-vocabulary.ts'
import { nameIn, SESSION } from '../sessions/session-path.ts'
import { CallAnswer, NewCall, RunningCall, waitQuery } from './call-schemas.ts'
import { encodeEnd } from './calls-codec.ts'
import { type AnswerForm, answerOf, encodeOutcome } from './encode-outcome.ts'
import { BEGINNING } from './event-place.ts'
import { eventsResponse, openStream } from './event-stream.ts'
import { MadeCall, withOwnName } from './made-call.ts'
import { type Mode, modeOf } from './preferences.ts'
import { viewOf, withLongAnswer } from './result-view.ts'

/** Wait of a begun call whose client wants its end, however long that takes. */
const UNTIL_ITS_END: Mode = { kind: 'within', seconds: Number.POSITIVE_INFINITY, applied: null }

/** `POST /v1/sessions/{session}/calls` calls a tool in an existing session. */
export function addNewCall(app: Hono<AppEnv>): void {
  route(app, 'post', '/v1/sessions/:session/calls', NEW_CALL, async (c, { services, query, body }) => {
    const session = nameIn(c)
    const view = viewOf(body)
    const preferred = modeOf(c.req.raw.headers, query.wait)
    // A view is of a kept result, and only those of begun calls are kept.
    const mode: Mode = view && preferred.kind === 'whole' ? UNTIL_ITS_END : preferred
    const form = { tool: body.tool, session, vocabulary: ownVocabulary(c), answer: body.answer, view }
    const named = withOwnName(services, body)
    const input = named instanceof Promise ? await named : named
    const made = new MadeCall(services, session, view ? withLongAnswer(services, input) : input)
    const { calls } = services.session(session)
    if (mode.kind === 'whole') return answerWith(await made.make(), form)
    if (mode.kind === 'events') {
      const ended = openStream(c)
      try {
        const callId = await made.begin()
        const end = (ended: CallView) => endOf(ended, made, form)
        return await eventsResponse({ calls, callId, place: BEGINNING, end, ended, headers: placeOf(session, callId) })
      } catch (thrown) {
        ended()
        throw thrown
      }
    }
    const callId = await made.begin()
    const applied = mode.applied === null ? {} : { 'Preference-Applied': mode.applied }
    const ended = await endWithin(calls, callId, mode.seconds * 1_000, () => services.now())
    const outcome = ended && (outcomeOf(ended) ?? ended.outcome)
    if (outcome) return answerWith(await made.answered(outcome), form, applied)
    const running: z.input<typeof RunningCall> = {
      ...{ call_id: callId, tool: body.tool, state: 'running' },
      ...(made.notes.length > 0 && { notes: [...made.notes] }),
    }
    return Response.json(running, { status: 202, headers: { ...placeOf(session, callId), ...applied } })
  })
}

function answerWith(outcome: Outcome, form: AnswerForm, headers: Readonly<Record<string, string>> = {}): Response {
  const body = encodeOutcome(outcome, form)
  const isPending = outcome.kind === 'pending'
  const place = isPending && outcome.callId !== undefined ? placeOf(form.session, outcome.callId) : {}
  return Response.json(body, { status: isPending ? 202 : 200, headers: { ...place, ...headers } })
}

/** Last event of a call that this request began: as its answer would be. */
async function endOf(view: CallView, made: MadeCall, form: AnswerForm) {
  const outcome = outcomeOf(view)
  if (!outcome) return encodeEnd(view, form)
  try {
    return { ...answerOf(await made.answered(outcome), form), state: view.call.state }
  } catch (thrown) {
    if (!(thrown instanceof FailureError)) throw thrown
    return answerOf({ ...outcome, kind: 'refused', failure: thrown.failure }, form)
  }
}

const placeOf = (session: string, callId: string) => ({
  Location: `/v1/sessions/${encodeURIComponent(session)}/calls/${callId}`,
})

const NEW_CALL = {
  id: 'createCall',
  tag: 'calls',
  summary: 'Call a tool',
  description:
    'Calls a tool, and answers when the call has ended. With `Prefer: respond-async` or `wait` the call goes on by itself, and with `Accept: text/event-stream` the answer is its events. A call that failed is answered 200 with `error`; one that never ran is a problem. With `view` or `max_tokens` the answer shows that part of the result as `text`, and the whole is kept for a day.',
  scope: 'execute',
  params: SESSION,
  query: waitQuery,
  headers: {
    Prefer: '`respond-async`: answer 202 at once; `wait=SECONDS`: answer 202 after that time.',
    Accept: '`text/event-stream`: answer with the events of the call.',
  },
  body: NewCall,
  parse: parseExactJson,
  answers: {
    200: { description: 'The call has ended.', content: [CallAnswer, { raw: EVENT_STREAM }] },
    202: {
      description: 'The call goes on, or its work does.',
      content: RunningCall.or(CallAnswer),
      headers: { Location: 'Where the call is looked at.', 'Preference-Applied': 'The preference that was followed.' },
    },
  },
  problems: [404, 409],
  example: {
    params: { session: 'my_task' },
    body: { tool: 'execute_shell', arguments: { command: 'echo hello' } },
    status: 200,
  },
} as const
