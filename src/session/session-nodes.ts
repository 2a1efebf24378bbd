import { fail } from '../core/failure.ts'
import type { SentCall } from '../core/packed-call.ts'
import { SESSION, say } from '../core/saying/saying.ts'
import type { ServedGroup } from '../core/served.ts'
import type { Caller } from '../tenant/api.ts'
import type { SessionApi, SessionNodesApi, Visit } from './api.ts'
import { nodeState } from './node-state.ts'
import type { RecordStore, SessionRecord } from './record.ts'
import type { Room } from './room.ts'
import type { Session } from './session.ts'

interface NodesParts {
  readonly records: RecordStore
  readonly session: Session
  readonly room: Room
  readonly call: SessionApi['call']
  readonly now: () => number
  readonly logError: (thrown: unknown) => void
}

/** A session as its node: requests that show its node id, and the end of the node. */
export class SessionNodes implements ServedGroup<SessionNodesApi> {
  readonly #parts: NodesParts

  constructor(parts: NodesParts) {
    this.#parts = parts
  }

  async visit(nodeId: string, call?: SentCall, by?: Caller): Promise<Visit> {
    const { records, session, room, now } = this.#parts
    const record = this.#record(nodeId)
    const at = now()
    const state = nodeState(record, session.lastUsed, at)
    if (state !== 'running') return { state }
    // History has the time of a call.
    if (call) return { state, outcome: await this.#parts.call(call, by) }
    if (!room.isFull) records.write({ ...record, visitedAt: at })
    return { state }
  }

  async close(nodeId: string): Promise<void> {
    const { records, room, logError } = this.#parts
    const record = this.#record(nodeId)
    await room.require()
    records.write({ ...record, closed: true })
    // A sandbox whose provider is out of reach pauses by itself, and the alarm ends it.
    await this.#halt().catch(logError)
  }

  async reconnect(nodeId: string): Promise<void> {
    const { records, room, now } = this.#parts
    this.#record(nodeId)
    await room.require()
    await this.#halt()
    // Ending a sandbox takes a while, in which the session may have been removed.
    records.write({ ...this.#record(nodeId), closed: false, visitedAt: now() })
  }

  async #halt(): Promise<void> {
    const { session } = this.#parts
    if (session.hasSandbox) await session.halt()
  }

  /** Record of the session. @throws FailureError `session_not_found` when it has another node id */
  #record(nodeId: string): SessionRecord {
    const record = this.#parts.records.usable()
    return record?.nodeId === nodeId ? record : fail('session_not_found', say`there is no such ${SESSION}`)
  }
}
