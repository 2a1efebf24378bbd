import type { DiskPlaces } from './adapters/disk.ts'
import { callObject, objectStub } from './adapters/object-stub.ts'
import { CUT_OFF_BY_FULL_DISK, DISK_FULL } from './core/disk-full.ts'
import type { Outcome } from './core/outcome.ts'
import type { SessionApi, Visit } from './session/api.ts'
import type { TenantApi } from './tenant/api.ts'

/** Methods that can be called again on a full disk: they change nothing, or remove. */
const REPEATED: ReadonlySet<PropertyKey> = new Set<keyof SessionApi>([
  ...(['info', 'history', 'callOf', 'follow', 'download', 'archive', 'humanTasks', 'ownTools'] as const),
  ...(['madeTools', 'pythonActions', 'remove'] as const),
])

/**
 * A session's stub that finds out about a full disk.
 * @param places where it looks for room
 * @param effectOf what a call of that tool may do
 */
export function sessionStub(
  newStub: () => SessionApi,
  places: DiskPlaces,
  effectOf: (tool: string) => string | null,
): SessionApi {
  return objectStub<SessionApi>(newStub, places, REPEATED, {
    call: (call, by) => {
      const effect = effectOf(call.tool)
      return callObject(newStub, places, {
        work: (stub) => stub.call(call, by),
        mayRepeat: effect === 'read',
        otherwise: () => cutOff(effect),
      })
    },
    visit: (nodeId, call, by) => {
      const effect = call ? effectOf(call.tool) : 'read'
      return callObject<SessionApi, Visit | null>(newStub, places, {
        work: (stub) => stub.visit(nodeId, call, by),
        mayRepeat: effect === 'read',
        otherwise: () => ({ state: 'running', outcome: cutOff(effect) }),
      })
    },
  })
}

/** A change of files is one transaction, and was taken back. What else a call did before its end could be noted, nobody knows. */
const cutOff = (effect: string | null): Outcome =>
  effect === 'write' ? { kind: 'refused', failure: DISK_FULL } : { kind: 'failed', failure: CUT_OFF_BY_FULL_DISK }

/** A tenant's stub that finds out about a full disk. */
export const tenantStub = (newStub: () => TenantApi, places: DiskPlaces): TenantApi =>
  objectStub(newStub, places, TENANT_READS)

const TENANT_READS: ReadonlySet<PropertyKey> = new Set<keyof TenantApi>([
  ...(['listSessions', 'findSession', 'listSecrets', 'listTools', 'toolsSince', 'findTool'] as const),
  ...(['listToolVersions', 'readLimits', 'readUsage', 'readAudit', 'auditHead'] as const),
])
