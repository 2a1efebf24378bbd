import type { ServerContext } from '@modelcontextprotocol/server'
import type { Failure } from '../../../../../core/failure.ts'
import { newCallId, type SessionName } from '../../../../../core/ids.ts'
import { MCP_TASK_AFTER_MS, MCP_TASK_POLL_MS } from '../../../../../core/limits/mcp.ts'
import type { Outcome, ToolCall } from '../../../../../core/outcome.ts'
import type { SentCall } from '../../../../../core/packed-call.ts'
import { isLong } from '../../../../../tools/define.ts'
import { outcomeOf } from '../../../../call-end.ts'
import { serverEntries } from '../../../../callable-tools/tool-entries.ts'
import { callerOf } from '../../../../dialect.ts'
import { beginInSession, callInSession } from '../../../../first-call.ts'
import type { McpContext } from '../../context.ts'
import { cancelCall } from './cancel-call.ts'
import { newSession } from './new-session.ts'
import { followedEnd } from './progress.ts'
import { declaresTasks } from './tasks.ts'

/**
 * Makes a call in a session, for one request. A session that is not named by the caller is made at its first call. A call that may
 * last is a begun one where its client follows it or knows tasks: any other costs one request to the session. A client that leaves
 * or cancels ends the call in the sandbox.
 * @returns its outcome; `pending` with a call id for one that goes on as a task
 */
export async function runCall(
  context: McpContext,
  session: SessionName,
  call: ToolCall,
  request: ServerContext,
): Promise<Outcome> {
  const { services, goOn } = context
  const { signal, _meta } = request.mcpReq
  if (signal.aborted) return { kind: 'refused', failure: CANCELLED }
  const isFollowed = (_meta?.progressToken !== undefined || declaresTasks(request)) && mayLast(context, call)
  const sent: SentCall = { ...call, callId: newCallId(services.now()), wantsFiles: true }
  let isOver = false
  // What waits for the call is gone with a client that leaves; its cancelling is not.
  const onAbort = () =>
    goOn(cancelCall({ calls: services.session(session).calls, callId: String(sent.callId), isOver: () => isOver }))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return isFollowed ? await followed(context, session, sent, request) : await direct(context, session, sent)
  } finally {
    isOver = true
    signal.removeEventListener('abort', onAbort)
  }
}

const CANCELLED: Failure = { code: 'conflict', message: 'the call was cancelled before it began' }

/** Whether calls of the tool may take minutes. Those of any that the server does not know may. */
export const mayLast = ({ services }: McpContext, { tool }: Pick<ToolCall, 'tool'>): boolean => {
  const effect = serverEntries(services).get(tool)?.effect ?? null
  return effect === null || isLong(effect)
}

const direct = (context: McpContext, session: SessionName, call: SentCall): Promise<Outcome> =>
  callInSession(context.services.session(session), call, callerOf(context.services), newSession(context, session))

async function followed(
  context: McpContext,
  session: SessionName,
  call: SentCall,
  request: ServerContext,
): Promise<Outcome> {
  const { services } = context
  const hasTasks = declaresTasks(request)
  const api = services.session(session)
  const made = hasTasks ? withoutWaiting(call) : call
  const begun = await beginInSession(api, made, callerOf(services), newSession(context, session))
  if ('refused' in begun) return begun.refused
  const { callId } = begun
  const view = await followedEnd({
    ...{ calls: api.calls, callId, request, now: () => services.now() },
    ms: hasTasks ? MCP_TASK_AFTER_MS : Number.POSITIVE_INFINITY,
  })
  const outcome = view && (outcomeOf(view) ?? view.outcome)
  if (outcome) return outcome
  if (view) return { kind: 'failed', failure: { code: 'unavailable', message: view.call.answer }, callId }
  const soFar = { text: `${call.tool} runs`, data: { call_id: callId } }
  const next = { tool: 'tool_status', args: { call_id: callId } }
  return { kind: 'pending', soFar, next, retryAfterMs: MCP_TASK_POLL_MS, callId }
}

/** The call of a person without the server's own waiting, which the task does. */
function withoutWaiting(call: SentCall): SentCall {
  if (call.tool !== 'human_in_loop' || typeof call.args !== 'object' || call.args === null) return call
  return { ...call, args: { wait_seconds: 0, ...call.args } }
}
