import { toFailure } from '../../../../../core/failure.ts'
import { MAX_MCP_CANCELS, MCP_CANCEL_PAUSE_MS } from '../../../../../core/limits/mcp.ts'
import type { SessionCallsApi } from '../../../../../session/calls-api.ts'

interface Parts {
  readonly calls: Pick<SessionCallsApi, 'cancel'>
  readonly callId: string
  /** Whether the call has answered. */
  isOver(): boolean
}

/** Cancels a call that may still be on its way to its session, or waits there for the session's making: it tries until it is there. */
export async function cancelCall({ calls, callId, isOver }: Parts): Promise<void> {
  for (let tries = 0; tries < MAX_MCP_CANCELS && !isOver(); tries++) {
    const code = await calls.cancel(callId).then(
      () => null,
      (thrown) => toFailure(thrown).code,
    )
    if (code !== 'not_found' && code !== 'session_not_found') return
    await new Promise((resolve) => setTimeout(resolve, MCP_CANCEL_PAUSE_MS * 2 ** tries))
  }
}
