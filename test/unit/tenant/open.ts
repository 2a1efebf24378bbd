import { tenantId } from '../../../src/core/ids.ts'
import type { Semantics } from '../../../src/ports/semantics.ts'
import { SecretBox } from '../../../src/tenant/secret-box.ts'
import { Tenant, type TenantParts } from '../../../src/tenant/tenant.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import { MemorySegments } from '../../support/audit-segments-memory.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openTenantTables } from '../../support/tables.ts'
import { tenantHere } from '../../support/tenant-here.ts'

/** A tenant over SQLite, an empty one in memory unless it is given, with a clock and an alarm that the test moves, and a store that it can stop. */
export function openTenant(
  semantics: Semantics | null = null,
  sql = new NodeSql(),
  own: Partial<Pick<TenantParts, 'tenant' | 'box' | 'blobGraceMs'>> = {},
) {
  openTenantTables(sql)
  const time = { now: 1_000_000 }
  const store = {
    deleted: [] as string[],
    /** Runs before a delete takes effect; throw or wait in it. */
    before: (): void | Promise<void> => undefined,
    async delete(hashes: readonly string[]) {
      await store.before()
      store.deleted.push(...hashes)
    },
  }
  const segments = new MemorySegments()
  const database = { bytes: 0 }
  const errors: unknown[] = []
  /** What sessions do that hear of other limits or tools; replace it. */
  const sessions: { -readonly [Name in 'limitsChanged' | 'toolsChanged']: TenantParts[Name] } = {
    limitsChanged: async () => [],
    toolsChanged: async () => undefined,
  }
  /** Receivers of webhooks, and what is sent to them behind answers. */
  const receivers: { -readonly [Name in 'http' | 'checkReceiver']: TenantParts[Name] } = {
    http: { open: () => Promise.reject(new Error('there is no receiver')) },
    checkReceiver: async () => undefined,
  }
  const behind = new Set<Promise<void>>()
  const alarm = { at: null as number | null }
  /** @param serverKey null for a server that has none */
  const reopen = (serverKey: string | null = 'the key of this server, long and random') => {
    const tenant = new Tenant({
      sql,
      tenant: tenantId('acme'),
      deleter: store,
      segments,
      databaseBytes: () => database.bytes,
      box: serverKey === null ? null : new SecretBox(serverKey),
      clock: { now: () => time.now },
      semantics,
      http: { open: (...given) => receivers.http.open(...given) },
      checkReceiver: (url) => receivers.checkReceiver(url),
      keepAlive: (work) => {
        behind.add(work)
        void work.then(() => behind.delete(work))
      },
      limitsChanged: (...given) => sessions.limitsChanged(...given),
      toolsChanged: (...given) => sessions.toolsChanged(...given),
      logError: (thrown) => errors.push(thrown),
      builtin: (name) => catalog.info(name),
      wakeAt: async (at) => {
        alarm.at = Math.min(at, alarm.at ?? at)
      },
      ...own,
    })
    return Object.assign(tenantHere(tenant), {
      wake: () => tenant.wake(),
      sealed: tenant.sealed,
      sessionDefaults: tenant.sessionDefaults,
    })
  }
  const tenant = reopen()
  /** Moves the clock to the alarm, and lets it ring until none is due, or none within some milliseconds. */
  const ring = async (who = tenant, withinMs = Number.POSITIVE_INFINITY) => {
    for (let rounds = 0; alarm.at !== null && alarm.at - time.now <= withinMs; rounds++) {
      if (rounds > 20) throw new Error('the alarm never rests')
      time.now = Math.max(time.now, alarm.at)
      alarm.at = null
      await who.wake()
      while (behind.size > 0) await Promise.all(behind)
    }
  }
  return { errors, segments, sessions, receivers, tenant, reopen, sql, database, time, store, alarm, ring }
}

/** Tells when a promise has not settled after a turn of the loop: all that waits for nothing outside has moved by then. */
export async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise((resolve) => setImmediate(resolve, 'waiting'))
  return (await Promise.race([promise, turn])) === 'waiting'
}
