import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { type FailureCode, toFailure } from '../../../../../core/failure.ts'

/**
 * Error of the protocol for whatever a handler throws. A session or a file that is not there, and one that the key may not see, are a
 * missing resource. Nothing of an unforeseen error is in it.
 * @param uri resource that was asked for; null for a list
 */
function protocolError(thrown: unknown, uri: string | null): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown
  const failure = toFailure(thrown)
  const { message } = failure
  if (uri !== null && MISSING.has(failure.code)) return new ResourceNotFoundError(uri, message)
  const isCallers = INVALID.has(failure.code) || MISSING.has(failure.code)
  const code = isCallers ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  return new ProtocolError(code, message, uri === null ? undefined : { uri })
}

/** A handler's work, whose failures become errors of the protocol. */
export async function withProtocolErrors<T>(uri: string | null, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw protocolError(thrown, uri)
  }
}

const MISSING: ReadonlySet<FailureCode> = new Set(['not_found', 'session_not_found', 'forbidden', 'unauthenticated'])
const INVALID: ReadonlySet<FailureCode> = new Set(['invalid_input', 'limit_exceeded', 'conflict'])
