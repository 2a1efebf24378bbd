import { type Failure, toFailure } from '../../core/failure.ts'
import { MAX_BODY_BYTES } from '../../core/limits/requests.ts'
import { sha256 } from '../../core/sha256.ts'
import type { Dialect, RequestScope } from '../dialect.ts'
import { readBody } from '../json.ts'
import { withOwnHeaders } from '../own-headers.ts'
import type { CallKeys } from './call-keys.ts'
import { idempotencyKey } from './key.ts'
import { requestDigest } from './request-digest.ts'

interface KeyedRequest {
  readonly dialect: Dialect
  readonly request: Request
  readonly scope: RequestScope
  /** Keys for the calls of {@link RequestScope.caller}'s services. */
  readonly keys: CallKeys
}

/** Answers a request with an idempotency key: carries it out once, and answers its repetitions as the first. */
export async function answerOnce({ dialect, request, scope, keys }: KeyedRequest): Promise<Response> {
  const { app } = dialect
  const { caller } = scope
  const kept = dialect.keepsKey?.(new URL(request.url).pathname.replace(/(?<=.)\/$/, ''))
  // Nothing is done for a caller that is refused.
  if (kept === 'not' || 'failure' in caller) return app.fetch(request, scope)
  let refused: Failure
  try {
    const key = idempotencyKey(request.headers)
    const { whole, body } = await held(request)
    const of = { id: sha256(JSON.stringify([caller.services.key, key])), request: requestDigest({ request, body }) }
    keys.open(of)
    const response = await app.fetch(whole, scope)
    if (!keys.refusal) return marked(response, keys.areReplayed)
    await response.body?.cancel()
    refused = keys.refusal
  } catch (thrown) {
    refused = toFailure(thrown)
  }
  return app.refuse(request, scope, refused)
}

/** A request with its body, for a digest and for its route; one that is too large to be held stays a stream. */
async function held(request: Request): Promise<{ readonly whole: Request; readonly body: Uint8Array | null }> {
  if (Number(request.headers.get('Content-Length')) > MAX_BODY_BYTES) return { whole: request, body: null }
  const body = await readBody(request)
  const { method, headers } = request
  return { whole: new Request(request.url, { method, headers, ...(body.length > 0 && { body }) }), body }
}

function marked(response: Response, isReplayed: boolean): Response {
  const answer = withOwnHeaders(response)
  if (isReplayed) answer.headers.set('Idempotent-Replayed', 'true')
  return answer
}
