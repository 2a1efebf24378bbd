import type { ServerContext } from '@modelcontextprotocol/server'
import { endOf, startOf } from '../../../../../core/cut-text.ts'
import { MAX_MCP_PROGRESS_CHARS, MAX_MCP_PROGRESS_LOOKS, MCP_PROGRESS_MS } from '../../../../../core/limits/mcp.ts'
import { MAX_FOLLOW_MS } from '../../../../../core/limits/requests.ts'
import type { CallView, SessionCallsApi } from '../../../../../session/calls-api.ts'

interface Following {
  readonly calls: SessionCallsApi
  readonly callId: string
  readonly request: ServerContext
  /** Milliseconds after which the call is waited for no longer. */
  readonly ms: number
  readonly now: () => number
}

/**
 * Follows a begun call until it has answered, and notifies a client that sent a token of what it prints: the last line, once a
 * second at most. A look that finds nothing new is a notification too, so that clients do not give up on a silent call.
 * @returns null where the call has not answered in time, or its client has left
 */
export async function followedEnd({ calls, callId, request, ms, now }: Following): Promise<CallView | null> {
  const { signal, _meta } = request.mcpReq
  const token = _meta?.progressToken
  const until = now() + ms
  const seen = { lines: 0, pieces: 0, tail: '' }
  for (let looks = 0, sent = 0; !signal.aborted && now() < until; looks++) {
    const mayShow = token !== undefined && looks < MAX_MCP_PROGRESS_LOOKS
    // Between two notifications only the end of the call counts.
    const isPause = looks % 2 === 1
    const patienceMs = Math.min(mayShow && isPause ? MCP_PROGRESS_MS : MAX_FOLLOW_MS, until - now())
    const place = mayShow && !isPause ? { after: seen.lines, printed: seen.pieces } : { after: Number.MAX_SAFE_INTEGER }
    const view = await calls.follow({ callId, ...place, patienceMs })
    if (view.outcome !== undefined || !view.running) return view
    if (token === undefined || signal.aborted || (mayShow && isPause)) continue
    sent += 1
    const message = newest(view, seen)
    const params = { progressToken: token, progress: sent, ...(message !== null && { message }) }
    // A client that is gone hears nothing; its signal ends the call.
    await request.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  return null
}

/** The newest line that has text, of what came since the last look; null where none did. */
function newest({ progress, live }: CallView, seen: { lines: number; pieces: number; tail: string }): string | null {
  const hasMore = progress.count > seen.lines || (live?.count ?? 0) > seen.pieces
  if (!hasMore) return null
  const printed = live?.pieces.map(({ text }) => text).join('') ?? ''
  const lines = progress.count > seen.lines ? progress.lines.slice(-1) : []
  seen.lines = progress.count
  seen.pieces = live?.count ?? seen.pieces
  // A line comes in pieces; the start of one that is longer than a message is not needed.
  seen.tail = endOf([seen.tail + printed, ...lines].join('\n'), TAIL_CHARS)
  const last = seen.tail
    .split(/[\r\n]/)
    .map((line) => line.replaceAll(/\p{Cc}+/gu, ' ').trim())
    .findLast((line) => line !== '')
  return last === undefined ? null : startOf(last, MAX_MCP_PROGRESS_CHARS)
}

const TAIL_CHARS = 4 * MAX_MCP_PROGRESS_CHARS
