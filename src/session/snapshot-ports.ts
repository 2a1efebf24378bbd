import { fail } from '../core/failure.ts'
import { MAX_SNAPSHOTS } from '../core/limits/snapshots.ts'
import type { Snapshots } from '../ports/snapshots.ts'
import type { Caller } from '../tenant/api.ts'
import type { CallScope } from './call-scope.ts'
import type { ForkMade, MadeFork } from './forks-api.ts'
import type { SessionSnapshots } from './session-snapshots.ts'

interface Parts {
  readonly snapshots: SessionSnapshots
  /** Null where sessions have no forks. */
  readonly fork: ((request: ForkMade) => Promise<MadeFork>) | null
}

/** Maker of the port of calls to snapshots and forks. */
export class SnapshotPorts {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  of({ callId, by }: Pick<CallScope, 'callId' | 'by'>): Snapshots {
    const { snapshots, fork } = this.#parts
    return {
      put: (request) => snapshots.putNow({ ...request, author: callId }),
      list: async () => (await snapshots.list({ limit: MAX_SNAPSHOTS })).snapshots,
      remove: async (name) => void (await snapshots.remove(name)),
      fork: async (request) => {
        requireAllowed(by, request.name)
        if (!fork) return fail('unavailable', 'this server makes no forks')
        return fork({ ...request, by: { key: by.key, agent: by.agent } })
      },
    }
  }
}

/** @throws FailureError `forbidden` for a key that may not use a session of that name */
function requireAllowed({ restrictions }: Caller, name: string): void {
  const allows = (restrictions?.sessions ?? []).every(
    ({ names, prefixes }) => names.includes(name) || prefixes.some((prefix) => name.startsWith(prefix)),
  )
  if (!allows)
    fail(
      'forbidden',
      'the key of this call may not use a session of that name; give one that it may use, or ask whoever minted it',
    )
}
