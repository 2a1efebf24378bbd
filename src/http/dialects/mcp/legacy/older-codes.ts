import { isJSONRPCErrorResponse, type JSONRPCMessage, ProtocolErrorCode } from '@modelcontextprotocol/server'

/** Code of a missing resource up to 2025-11-25, which the SDK sends no more. */
const RESOURCE_NOT_FOUND = -32002

/**
 * The message with the code that older revisions have for a missing resource. The SDK's error for it has the URI alone in its data; all
 * others of ours have a code there.
 */
export function withOlderCode(message: JSONRPCMessage): JSONRPCMessage {
  // The SDK's guard takes the processor longer than the rest of a short answer.
  if (
    !('error' in message) ||
    !isJSONRPCErrorResponse(message) ||
    message.error.code !== ProtocolErrorCode.InvalidParams
  )
    return message
  const { data } = message.error
  const isMissing = typeof data === 'object' && data !== null && 'uri' in data && !('code' in data)
  return isMissing ? { ...message, error: { ...message.error, code: RESOURCE_NOT_FOUND } } : message
}
