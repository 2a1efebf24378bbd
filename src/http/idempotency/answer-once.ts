import { type Failure, FailureError, toFailure } from '../../core/failure.ts'
import { MAX_BODY_BYTES } from '../../core/limits/requests.ts'
import { sha256 } from '../../core/sha256.ts'
import type { LedgerApi } from '../../tenant/ledger-api.ts'
import type { Dialect, RequestScope } from '../dialect.ts'
import { readBody } from '../json.ts'
import { withOwnHeaders } from '../own-headers.ts'
import type { CallKeys } from './call-keys.ts'
import type { GoOn } from './go-on.ts'
import { keptAnswer } from './kept-answer.ts'
import { idempotencyKey } from './key.ts'
import { requestDigest } from './request-digest.ts'

interface Parts {
  readonly dialect: Dialect
  readonly request: Request
  readonly scope: RequestScope
  /** Keys for the calls of {@link RequestScope.caller}'s services. */
  readonly keys: CallKeys
  ownersLedger(request: Request): Promise<LedgerApi | null>
  readonly goOn: GoOn
}

/** Answers a request with an idempotency key: carries it out once, and answers its repetitions as the first. */
export async function answerOnce(parts: Parts): Promise<Response> {
  const { dialect, request, scope, keys } = parts
  const { app } = dialect
  const manner = dialect.keepsKey?.(new URL(request.url).pathname.replace(/(?<=.)\/$/, ''))
  const sender = manner === 'not' ? null : await senderOf(parts)
  // Nothing is done for a caller that is refused.
  if (!sender) return app.fetch(request, scope)
  let refused: Failure
  try {
    const key = idempotencyKey(request.headers)
    // A body too large to be held is a file's content: putting that twice changes nothing.
    if (Number(request.headers.get('Content-Length')) > MAX_BODY_BYTES) return await app.fetch(request, scope)
    const body = await readBody(request)
    const whole = withBody(request, body)
    const of = { id: sha256(JSON.stringify([sender.name, key])), request: requestDigest(request, body) }
    if (manner !== 'with calls') return await keptAnswer({ ...parts, request: whole, of, ledger: sender.ledger })
    keys.open(of)
    const response = withOwnHeaders(await app.fetch(whole, scope))
    if (keys.areReplayed) response.headers.set('Idempotent-Replayed', 'true')
    if (!keys.refusal) return response
    await response.body?.cancel()
    refused = keys.refusal
  } catch (thrown) {
    if (!(thrown instanceof FailureError)) throw thrown
    refused = toFailure(thrown)
  }
  return app.refuse(request, scope, refused)
}

interface Sender {
  /** Name of the API key, apart from which no two requests have one idempotency key. */
  readonly name: readonly [kind: 'key' | 'owner', id: string | null]
  readonly ledger: LedgerApi
}

/** Sender of a request; null for one without a good credential. */
async function senderOf({ scope: { caller }, request, ownersLedger }: Parts): Promise<Sender | null> {
  if ('failure' in caller) {
    const ledger = await ownersLedger(request)
    return ledger && { name: ['owner', null], ledger }
  }
  const { key, tenant } = caller.services
  return { name: ['key', key], ledger: tenant.ledger }
}

/** The request, whose body was read. */
const withBody = ({ url, method, headers }: Request, body: Uint8Array) =>
  new Request(url, { method, headers, ...(body.length > 0 && { body }) })
