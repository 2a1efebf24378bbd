import type { Failure, FailureCode } from '../../../core/failure.ts'
import { FAILURE_STATUS } from '../../failure-status.ts'

/** Codes of JSON-RPC, and the SDK's two of a server's own errors. */
export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603
export const SERVER_ERROR = -32000
export const SESSION_NOT_FOUND = -32001

/** Answer to a request that no MCP server of ours saw. */
export const rpcError = (status: number, code: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers })

/** Answer for a failure before an MCP server saw the request: a key, a scope, a limit. */
export function failureResponse({ code, message }: Failure): Response {
  const words = code === 'unauthenticated' ? `${message} (Authorization: Bearer, X-API-Key, or /k/<key>/mcp)` : message
  return rpcError(FAILURE_STATUS[code], rpcCodeOf(code), words)
}

function rpcCodeOf(code: FailureCode): number {
  if (code === 'invalid_input') return INVALID_PARAMS
  return code === 'internal' ? INTERNAL_ERROR : SERVER_ERROR
}
