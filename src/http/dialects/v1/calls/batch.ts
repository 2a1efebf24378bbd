import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { toFailure } from '../../../../core/failure.ts'
import type { SessionName } from '../../../../core/ids.ts'
import { MAX_BATCH_ANSWER_CHARS, MAX_BATCH_AT_ONCE, MAX_BATCH_CALLS } from '../../../../core/limits/calls.ts'
import type { Outcome } from '../../../../core/outcome.ts'
import { endWithin, outcomeOf } from '../../../call-end.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import { parseExactJson } from '../../../json.ts'
import { ProblemSchema } from '../../../operations/problem-schema.ts'
import { route } from '../../../operations/route.ts'
import { ownVocabulary } from '../../../owner-vocabulary.ts'
import { type Problem, toProblem } from '../../../problem.ts'
import { withSessionHint } from '../sessions/missing-session.ts'
import { nameIn, SESSION } from '../sessions/session-path.ts'
import { CallAnswer, NewCall } from './call-schemas.ts'
import { encodeOutcome } from './encode-outcome.ts'
import { MadeCall, withOwnName } from './made-call.ts'
import { viewOf, withLongAnswer } from './result-view.ts'

const BatchCall = NewCall.extend({
  id: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "The caller's own name for the call, which its answer has." }),
}).meta({ id: 'BatchCall' })
type BatchCall = z.output<typeof BatchCall>

const Batch = z
  .strictObject({
    calls: z.array(BatchCall).min(1).max(MAX_BATCH_CALLS),
    mode: z.enum(['in_order', 'parallel']).default('in_order').meta({
      description: '`in_order`: each call begins when the one before has ended; `parallel`: several at once.',
    }),
    stop_on_error: z.boolean().default(false).meta({ description: 'Whether no call begins after one that failed.' }),
  })
  .meta({ id: 'CallBatch' })

const BatchAnswer = z
  .object({
    data: z.array(
      z.object({
        id: z.string().optional(),
        status: z
          .int()
          .meta({ description: 'Status that the call alone would have been answered with; 424: not made.' }),
        call: CallAnswer.optional(),
        problem: ProblemSchema.optional(),
        cut_chars: z
          .int()
          .optional()
          .meta({ description: 'Length of the answer, which was too long for its share and is cut.' }),
      }),
    ),
  })
  .meta({ id: 'CallBatchAnswer' })
type Item = z.input<typeof BatchAnswer>['data'][number]

/** `POST /v1/sessions/{session}/calls:batch` makes several calls. */
export function addBatch(app: Hono<AppEnv>): void {
  route(app, 'post', '/v1/sessions/:session/calls:batch', BATCH, async (c, { services, body }) => {
    const session = nameIn(c)
    const { calls, mode, stop_on_error: stops } = body
    const share = Math.floor(MAX_BATCH_ANSWER_CHARS / calls.length)
    const items: Item[] = []
    let failed: number | null = null
    const makeOne = async (at: number) => {
      const call = calls[at] as BatchCall
      const item = stops && failed !== null ? notMade(c, failed) : await made(c, services, session, call, { at, share })
      items[at] = { ...(call.id !== undefined && { id: call.id }), ...item }
      if (item.problem || item.call?.error) failed ??= at
    }
    const waiting = calls.keys()
    const worker = async () => {
      for (const at of waiting) await makeOne(at)
    }
    await Promise.all(Array.from({ length: mode === 'parallel' ? MAX_BATCH_AT_ONCE : 1 }, worker))
    return c.json({ data: items })
  })
}

async function made(
  c: Context<AppEnv>,
  services: Services,
  session: SessionName,
  { id: _, ...input }: BatchCall,
  { at, share }: { readonly at: number; readonly share: number },
): Promise<Item> {
  const vocabulary = ownVocabulary(c)
  try {
    const view = viewOf(input)
    const named = await withOwnName(services, input)
    const one = new MadeCall(services, session, view ? withLongAnswer(services, named) : named, at)
    const outcome = view ? await kept(one, services, session) : await one.make()
    const call = encodeOutcome(outcome, { tool: input.tool, session, vocabulary, answer: input.answer, view })
    return { status: outcome.kind === 'pending' ? 202 : 200, ...fitting(call, share) }
  } catch (thrown) {
    c.env.report?.(thrown)
    const failure = await withSessionHint(c, toFailure(thrown))
    const problem = problemOf(toProblem(failure, c.env.requestId, vocabulary))
    return { status: problem.status, ...fittingProblem(problem, share) }
  }
}

/** Outcome of a call whose whole result is kept, for a view. */
async function kept(one: MadeCall, services: Services, session: SessionName): Promise<Outcome> {
  const callId = await one.begin()
  const ended = await endWithin(services.session(session).calls, callId, Number.POSITIVE_INFINITY, () => services.now())
  const outcome = ended && (outcomeOf(ended) ?? ended.outcome)
  if (!outcome) throw new Error('a call that has ended has an outcome')
  return one.answered(outcome)
}

/** The answer within its share: a longer one keeps the start of its text or of its error, and says how long the whole is. */
function fitting(call: z.input<typeof CallAnswer>, share: number): Pick<Item, 'call' | 'cut_chars'> {
  const { length } = JSON.stringify(call)
  if (length <= share) return { call }
  const { data, content, text, error, ...rest } = call
  const cut = error ? { error: shortError(error, share) } : { text: startOf(text ?? '', share) }
  return { call: { ...rest, ...cut }, cut_chars: length }
}

/** An error with the start of its message. Its data stays where it is short. */
function shortError({ data, message, ...error }: CallError, share: number): CallError {
  const isShort = data !== undefined && JSON.stringify(data).length <= share / 2
  return { ...error, message: startOf(message, share), ...(isShort && { data }) }
}
type CallError = NonNullable<z.input<typeof CallAnswer>['error']>

/** Start of a text that fits into half of a share, as JSON: a control character takes six there. */
const startOf = (text: string, share: number) => text.slice(0, Math.floor(share / 12)).toWellFormed()

/** The problem within its share of the answer. */
function fittingProblem(problem: z.input<typeof ProblemSchema>, share: number): Pick<Item, 'problem' | 'cut_chars'> {
  const { length } = JSON.stringify(problem)
  if (length <= share) return { problem }
  const { errors, ...rest } = problem
  return { problem: { ...rest, detail: startOf(rest.detail, share) }, cut_chars: length }
}

function notMade(c: Context<AppEnv>, failed: number): Item {
  const message = `not made, since call ${failed} failed before (stop_on_error)`
  const problem = problemOf(toProblem({ code: 'conflict', message }, c.env.requestId))
  return { status: 424, problem: { ...problem, status: 424, title: 'Not made', hint: `look at call ${failed}` } }
}

const problemOf = (problem: Problem) => ({ type: 'about:blank', ...problem }) as z.input<typeof ProblemSchema>

const BATCH = {
  id: 'batchCalls',
  tag: 'calls',
  summary: 'Call several tools',
  description:
    'Makes up to 50 calls, and answers in their order when all have ended. The answer is 200 however they ended: each has its own status, and its answer or its problem.',
  scope: 'execute',
  params: SESSION,
  body: Batch,
  parse: parseExactJson,
  answers: { 200: { description: 'All calls have ended.', content: BatchAnswer } },
  problems: [404],
  example: {
    params: { session: 'my_task' },
    body: { calls: [{ tool: 'dir_list', arguments: {} }], mode: 'parallel' },
    status: 200,
  },
} as const
