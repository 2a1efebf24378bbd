import type { ServerContext } from '@modelcontextprotocol/server'
import type { SessionName } from '../../../../../core/ids.ts'
import type { Outcome, ToolCall } from '../../../../../core/outcome.ts'
import type { SentCall } from '../../../../../core/packed-call.ts'
import { callerOf } from '../../../../dialect.ts'
import { callInSession } from '../../../../first-call.ts'
import type { McpContext } from '../../context.ts'
import { newSession } from './new-session.ts'

/**
 * Makes a call in a session, for one request, and waits for its end. A session that is not named by the caller is made at its first call.
 */
export async function runCall(
  context: McpContext,
  session: SessionName,
  call: ToolCall,
  _request: ServerContext,
): Promise<Outcome> {
  const { services } = context
  const sent: SentCall = { ...call, wantsFiles: true }
  return callInSession(services.session(session), sent, callerOf(services), newSession(context, session))
}
