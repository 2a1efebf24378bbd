import { toFailure } from '../../core/failure.ts'
import type { Outcome, ToolCall } from '../../core/outcome.ts'
import { packCall, type SentCall } from '../../core/packed-call.ts'
import type { SessionApi } from '../../session/api.ts'
import type { Permit } from './permit.ts'

/** Methods that end or await work in a sandbox. */
const LONG_METHODS: ReadonlySet<PropertyKey> = new Set(['remove', 'close', 'reconnect', 'cancel'])

/**
 * Session as one request may use it: while it makes a call that takes long, the request holds no slots. A call beyond the
 * tenant's number of long ones is refused.
 * @param isLong whether calls of that tool wait for something outside of the server
 */
export function admittedSession(session: SessionApi, permit: Permit, isLong: (tool: string) => boolean): SessionApi {
  const admitted = (call: ToolCall): { readonly sent: SentCall } | { readonly refused: Outcome } => {
    try {
      const sent = packCall(call)
      if (isLong(call.tool)) permit.beginLongWait()
      return { sent }
    } catch (thrown) {
      return { refused: { kind: 'refused', failure: toFailure(thrown) } }
    }
  }
  const own: Pick<SessionApi, 'call' | 'visit'> = {
    call: async (call, by) => {
      const one = admitted(call)
      return 'refused' in one ? one.refused : session.call(one.sent, by)
    },
    visit: async (nodeId, call, by) => {
      if (!call) return session.visit(nodeId)
      const one = admitted(call)
      if ('sent' in one) return session.visit(nodeId, one.sent, by)
      const visit = await session.visit(nodeId)
      return visit?.state === 'running' ? { ...visit, outcome: one.refused } : visit
    },
  }
  // Other methods stay unchanged.
  return new Proxy(session, {
    get(target, name) {
      if (name === 'call' || name === 'visit') return own[name]
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        if (LONG_METHODS.has(name)) permit.beginLongWait()
        return Reflect.apply(member, target, args)
      }
    },
  })
}
