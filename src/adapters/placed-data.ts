import { fail } from '../core/failure.ts'
import type { TenantId } from '../core/ids.ts'
import { type Jurisdiction, type Placement, placementOf } from '../core/placement.ts'

/** Objects of tenants by their names, each of which begins with the id of a tenant: the whole of it, or up to a slash. */
interface PlacedObjects<Stub> {
  getByName(name: string): Stub
}

/** Binding of a class of objects, as far as it is used here. */
interface Namespace<Stub> {
  getByName(name: string, options?: { locationHint?: DurableObjectLocationHint }): Stub
  jurisdiction(name: DurableObjectJurisdiction): Namespace<Stub>
}

/** Bindings that keep data of tenants. */
interface Bindings {
  readonly ENVIRONMENT: 'local' | 'production'
  readonly SESSIONS: Env['SESSIONS']
  readonly TENANTS: Env['TENANTS']
  readonly CONNECTIONS: Env['CONNECTIONS']
  readonly BLOBS: R2Bucket
  readonly BLOBS_EU?: R2Bucket | null | undefined
  readonly BLOBS_US?: R2Bucket | null | undefined
  readonly BLOBS_FEDRAMP?: R2Bucket | null | undefined
}

/** Bindings that keep data of tenants, each tenant's where its id says. */
export interface PlacedData {
  readonly sessions: PlacedObjects<ReturnType<Env['SESSIONS']['getByName']>>
  readonly tenants: PlacedObjects<ReturnType<Env['TENANTS']['getByName']>>
  /** Connections of MCP clients of the revisions that have sessions. */
  readonly connections: PlacedObjects<ReturnType<Env['CONNECTIONS']['getByName']>>
  /** Bucket of a tenant's files. @throws FailureError `upstream` where that of its jurisdiction is not bound any more */
  bucketOf(tenant: TenantId): R2Bucket
  /** @throws FailureError `invalid_input` where this server cannot keep data in a jurisdiction */
  checkJurisdiction(jurisdiction: Jurisdiction): void
}

/** Binding of the bucket for a jurisdiction. */
const BUCKETS = { eu: 'BLOBS_EU', us: 'BLOBS_US', fedramp: 'BLOBS_FEDRAMP' } as const satisfies Record<
  Jurisdiction,
  keyof Bindings
>

/**
 * Data of tenants at their places. On one machine all objects are there, whatever ids say: workerd has no jurisdictions, and would throw. In
 * production nothing falls back to another place.
 */
export function placedData(bindings: Bindings): PlacedData {
  const isLocal = bindings.ENVIRONMENT === 'local'
  return {
    sessions: placedObjects(bindings.SESSIONS, isLocal),
    tenants: placedObjects(bindings.TENANTS, isLocal),
    connections: placedObjects(bindings.CONNECTIONS, isLocal),
    bucketOf(tenant) {
      const { jurisdiction } = placementOf(tenant)
      if (jurisdiction === null) return bindings.BLOBS
      const name = BUCKETS[jurisdiction]
      return (
        bindings[name] ??
        fail(
          'upstream',
          `files of this tenant are kept in "${jurisdiction}", and the server has no bucket there; its owner binds ${name} again`,
        )
      )
    },
    checkJurisdiction(jurisdiction) {
      const name = BUCKETS[jurisdiction]
      if (!bindings[name]) {
        fail(
          'invalid_input',
          `jurisdiction: this server has no bucket in "${jurisdiction}" for the tenant's files; bind one as ${name} (docs/operating.md), or leave the field out`,
        )
      }
      if (!isLocal) checkObjects(bindings.TENANTS, jurisdiction)
    },
  }
}

/** Objects of a class, each in the place of its tenant. */
const placedObjects = <Stub>(namespace: Namespace<Stub>, isLocal: boolean): PlacedObjects<Stub> => ({
  getByName(name) {
    const { jurisdiction, locationHint } = placementOfName(name)
    const part = jurisdiction === null || isLocal ? namespace : namespace.jurisdiction(jurisdiction)
    return locationHint === null ? part.getByName(name) : part.getByName(name, { locationHint })
  },
})

function placementOfName(name: string): Placement {
  const slash = name.indexOf('/')
  return placementOf(slash === -1 ? name : name.slice(0, slash))
}

function checkObjects(namespace: Pick<Namespace<unknown>, 'jurisdiction'>, jurisdiction: Jurisdiction): void {
  try {
    namespace.jurisdiction(jurisdiction)
  } catch (cause) {
    fail(
      'invalid_input',
      `jurisdiction: the platform of this server keeps no objects in "${jurisdiction}"; leave the field out`,
      { cause },
    )
  }
}
