import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import { type Failure, type FailureCode, failureIn, toFailure } from '../../../../core/failure.ts'
import type { Vocabulary } from '../../../../core/saying/worded.ts'
import type { Services } from '../../../dialect.ts'
import { OWN, OWNER } from '../../../owner-vocabulary.ts'
import type { McpContext } from '../context.ts'

/**
 * Codes of JSON-RPC for what fails where no tool is called, such as a list. What fails in a call is a result with `isError`, which
 * a model reads, whatever its code.
 */
export const ERROR_CODE = {
  invalid_input: ProtocolErrorCode.InvalidParams,
  unauthenticated: ProtocolErrorCode.InvalidRequest,
  forbidden: ProtocolErrorCode.InvalidParams,
  not_found: ProtocolErrorCode.InvalidParams,
  session_not_found: ProtocolErrorCode.InvalidParams,
  conflict: ProtocolErrorCode.InvalidRequest,
  limit_exceeded: ProtocolErrorCode.InvalidParams,
  rate_limited: ProtocolErrorCode.InternalError,
  insufficient_storage: ProtocolErrorCode.InternalError,
  timeout: ProtocolErrorCode.InternalError,
  unavailable: ProtocolErrorCode.InternalError,
  key_reused: ProtocolErrorCode.InvalidRequest,
  key_in_use: ProtocolErrorCode.InvalidRequest,
  outcome_unknown: ProtocolErrorCode.InternalError,
  answer_not_kept: ProtocolErrorCode.InternalError,
  upstream: ProtocolErrorCode.InternalError,
  internal: ProtocolErrorCode.InternalError,
} as const satisfies Record<FailureCode, ProtocolErrorCode>

/** Names that callers of MCP know: tools and arguments are called by the core's. */
export const vocabularyOf = ({ mayAdmin }: Pick<Services, 'mayAdmin'>): Vocabulary => (mayAdmin ? OWNER : OWN)

/** A failure as an error of the protocol, with its code in `data`, and the resource that the request names. */
function protocolError(failure: Failure, vocabulary: Vocabulary, uri: string | null): ProtocolError {
  const { code, message } = failureIn(failure, vocabulary)
  return new ProtocolError(ERROR_CODE[code], message, { code, ...(uri !== null && { uri }) })
}

/** A failure as the result of a call. */
export function failedResult(failure: Failure, text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }], _meta: { 'toolyard/code': failure.code } }
}

/** Codes for which a resource is missing: one that the key may not see is answered as one that is not there. */
const MISSING: ReadonlySet<FailureCode> = new Set(['not_found', 'session_not_found', 'forbidden', 'unauthenticated'])

/**
 * Runs a handler of requests. Nothing of an unforeseen error is in its answer.
 * @param uri resource that the request names
 * @throws ProtocolError for what is thrown in it
 */
export async function answering<T>(
  { services, report }: Pick<McpContext, 'services' | 'report'>,
  work: () => Promise<T> | T,
  uri: string | null = null,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown
    const failure = toFailure(thrown)
    if (failure.code === 'internal') report?.(thrown)
    const vocabulary = vocabularyOf(services)
    if (uri === null || !MISSING.has(failure.code)) throw protocolError(failure, vocabulary, uri)
    throw new ResourceNotFoundError(uri, failureIn(failure, vocabulary).message)
  }
}
