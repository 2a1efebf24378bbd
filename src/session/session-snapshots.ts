import { fail } from '../core/failure.ts'
import { snapshotName } from '../core/moment.ts'
import type { ServedGroup } from '../core/served.ts'
import type { Snapshot as StoredSnapshot, WorkspaceSnapshots } from '../workspace/history/snapshots.ts'
import { requestTurn } from './request-turn.ts'
import type { Room } from './room.ts'
import type { Scheduler } from './scheduler.ts'
import type { PutSnapshot, SessionSnapshotsApi, Snapshot, SnapshotPage, SnapshotPut } from './snapshots-api.ts'

interface Parts {
  readonly snapshots: WorkspaceSnapshots
  readonly scheduler: Pick<Scheduler, 'run'>
  readonly room: Pick<Room, 'require'>
  readonly now: () => number
  /** Has what is no longer kept go in a while. */
  readonly flushSoon: () => Promise<void>
}

/** A session's snapshots for direct requests and for calls. */
export class SessionSnapshots implements ServedGroup<SessionSnapshotsApi> {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async list({ limit, ...from }: { readonly limit: number; readonly after?: string }): Promise<SnapshotPage> {
    const found = this.#parts.snapshots.list({ limit: limit + 1, ...from })
    return { snapshots: found.slice(0, limit).map(shown), more: found.length > limit }
  }

  async find(name: string): Promise<Snapshot> {
    return shown(this.#parts.snapshots.find(snapshotName(name)) ?? missing(name))
  }

  async put(request: SnapshotPut) {
    const { scheduler, room, now } = this.#parts
    await room.require()
    return scheduler.run('write', requestTurn(now), async () => this.putNow(request))
  }

  /** Names a moment, for a call whose turn it is. */
  putNow(request: SnapshotPut): PutSnapshot {
    const { snapshots, now } = this.#parts
    const { snapshot, ...put } = snapshots.put({ ...request, at: now() })
    return { ...put, snapshot: shown(snapshot) }
  }

  async remove(name: string): Promise<number> {
    const commit = this.#parts.snapshots.remove(snapshotName(name)) ?? missing(name)
    await this.#parts.flushSoon()
    return commit
  }
}

const shown = ({ name, seq, author, at }: StoredSnapshot): Snapshot => ({ name, commit: seq, author, createdAt: at })

const missing = (name: string): never =>
  fail('not_found', `there is no snapshot ${name}; list the snapshots to see which there are`)
