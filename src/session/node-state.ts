import { SESSION_IDLE_MS } from '../core/limits/sessions.ts'
import type { NodeState } from './api.ts'
import type { SessionRecord } from './record.ts'

/**
 * State of a session for clients that use its node id. Time stamps alone decide, so no timer has to run for it.
 * @param lastUsed when a call last began or ended; all in milliseconds since 1970
 */
export function nodeState(
  { closed, visitedAt, createdAt }: Pick<SessionRecord, 'closed' | 'visitedAt' | 'createdAt'>,
  lastUsed: number,
  now: number,
): NodeState {
  if (closed) return 'closed'
  return now - Math.max(visitedAt ?? createdAt, lastUsed) < SESSION_IDLE_MS ? 'running' : 'idle'
}
