import { MAYBE_DONE } from '../../core/cut-off.ts'
import { DISK_FULL } from '../../core/disk-full.ts'
import { FailureError, fail } from '../../core/failure.ts'
import type { CallKey } from '../../core/idempotency.ts'
import { MAX_KEPT_OUTCOME_BYTES } from '../../core/limits/idempotency.ts'
import type { LedgerApi, LedgerState, RequestAnswer } from '../../tenant/ledger-api.ts'
import type { Dialect, RequestScope } from '../dialect.ts'
import type { GoOn } from './go-on.ts'

interface Parts {
  readonly dialect: Dialect
  readonly request: Request
  readonly scope: RequestScope
  readonly of: Omit<CallKey, 'at'>
  readonly ledger: LedgerApi
  readonly goOn: GoOn
}

/**
 * Answers a request by a ledger of answers: carries it out where it is the first with its key, and goes on with that when its client
 * leaves; else repeats the kept answer.
 * @throws FailureError `key_in_use`, `key_reused`, `outcome_unknown`, `answer_not_kept`
 */
export async function keptAnswer({ dialect, request, scope, of, ledger, goOn }: Parts): Promise<Response> {
  const attempt = { id: of.id, attempt: crypto.randomUUID() }
  const about = `${request.method} ${new URL(request.url).pathname}`
  const begun = await ledger.begin({ ...attempt, request: of.request, about })
  if (begun.state !== 'begun') return repeated(begun)
  const work = carryOut(dialect, request, scope, (answer) => ledger.end(attempt, answer))
  goOn(work.catch(() => undefined))
  return work
}

type End = (answer: RequestAnswer | null) => Promise<void>

async function carryOut(dialect: Dialect, request: Request, scope: RequestScope, end: End): Promise<Response> {
  let thrown: unknown
  const report = (what: unknown) => {
    thrown = what
    scope.report?.(what)
  }
  try {
    const response = await dialect.app.fetch(request, { ...scope, report })
    const { answer, whole } = await read(response)
    await end(isRefusal(response.status, thrown) ? null : answer)
    return whole
  } catch (cause) {
    await end(DOUBTFUL)
    throw cause
  }
}

const DOUBTFUL: RequestAnswer = { status: 500, headers: [], body: null, isDoubtful: true }

/** Whether a request was refused before anything was changed, so that it may be sent again under its key. */
const isRefusal = (status: number, thrown: unknown) =>
  (status >= 400 && status < 500) || (thrown instanceof FailureError && thrown.failure.message === DISK_FULL.message)

/** The answer to be kept, and the response with its body still to be read. */
async function read(response: Response): Promise<{ readonly answer: RequestAnswer; readonly whole: Response }> {
  const { status, headers } = response
  const answer = {
    status,
    headers: [...headers].filter(([name]) => !OF_ONE_ANSWER.has(name)),
    ...(status >= 500 && { isDoubtful: true as const }),
    ...(headers.get('Cache-Control')?.includes('no-store') && { isSecret: true as const }),
  }
  const stated = Number(headers.get('Content-Length') ?? 0)
  const isText = response.body === null || TEXT.test(headers.get('Content-Type') ?? '')
  if (!isText || stated > MAX_KEPT_OUTCOME_BYTES) return { answer: { ...answer, body: null }, whole: response }
  const body = await response.text()
  return { answer: { ...answer, body }, whole: new Response(response.body === null ? null : body, response) }
}

/** Media types of answers that are texts and come as a whole. */
const TEXT = /^(?:application\/(?:[\w.+-]+\+)?json|text\/(?!event-stream))/
/** Headers that each answer has of its own. */
const OF_ONE_ANSWER: ReadonlySet<string> = new Set(['content-length', 'date', 'x-request-id'])

function repeated(begun: LedgerState): Response {
  switch (begun.state) {
    case 'done': {
      const { status, headers, body } = begun.answer
      // Without its headers a text would get a Content-Type of its own beside the kept one.
      const own = headers.map(([name, value]): [string, string] => [name, value])
      const response = new Response(NO_BODY.has(status) ? null : body, { status, headers: own })
      response.headers.set('Idempotent-Replayed', 'true')
      return response
    }
    case 'reused':
      return fail(
        'key_reused',
        'another request came with this Idempotency-Key before, so this one was not carried out; send it under a new key',
      )
    case 'unknown':
      return fail(
        'outcome_unknown',
        `${begun.about} began at ${timeOf(begun)}, and its end is not known, ${MAYBE_DONE} send it again under a new Idempotency-Key`,
        { data: { outcome: 'unknown', request: begun.about, began_at: timeOf(begun) } },
      )
    case 'not kept':
      return fail(
        'answer_not_kept',
        `${begun.about} was done at ${timeOf(begun)}, and its answer is not kept: it was too long, no text, or held a secret on a server without SECRETS_KEY; look at what it has changed, and do not send it again`,
        { data: { outcome: 'done', request: begun.about, ended_at: timeOf(begun) } },
      )
    default:
      return fail(
        'key_in_use',
        'the first request with this Idempotency-Key is under way; send the very same again in a second, it will get the same answer',
      )
  }
}

const timeOf = ({ at }: { readonly at: number }) => new Date(at).toISOString()
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304])
