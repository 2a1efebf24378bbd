import { DurableObject } from 'cloudflare:workers'
import { durableSql } from '../adapters/sql-durable.ts'
import { readConfig } from '../config.ts'
import { LEASES_MIGRATIONS } from '../migrations/leases/leases.ts'
import { openTables } from '../migrations/open-tables.ts'
import { leaseHolderClient } from '../objects.ts'
import type { LeaseRequest, SandboxLeases } from '../ports/sandbox-leases.ts'
import { Leases } from './leases.ts'

// biome-ignore lint/suspicious/noConsole: the platform's log is where unforeseen errors go
const logError = (thrown: unknown) => console.error('a session could not be asked for its sandbox', thrown)

// biome-ignore lint/suspicious/noConsole: the platform's log is where the owner of the server looks
const tellOwner = (advice: string) => console.warn(JSON.stringify({ level: 'warn', message: advice }))

/** Where the leases of a deployment's running sandboxes live: one object, since its account has one ceiling. */
export class LeasesObject extends DurableObject<Env> implements SandboxLeases {
  #leases: Leases | null = null

  acquire(request: LeaseRequest): ReturnType<SandboxLeases['acquire']> {
    return this.#open().acquire(request)
  }

  renew(holder: string, holdMs: number): Promise<void> {
    return this.#open().renew(holder, holdMs)
  }

  release(holder: string): Promise<void> {
    return this.#open().release(holder)
  }

  wantsBack(holder: string): Promise<boolean> {
    return this.#open().wantsBack(holder)
  }

  #open(): Leases {
    if (this.#leases) return this.#leases
    const sql = durableSql(this.ctx.storage)
    openTables(sql, LEASES_MIGRATIONS, tellOwner)
    const { sandboxLimits, sessions } = readConfig(this.env)
    this.#leases = new Leases({
      sql,
      now: () => Date.now(),
      max: sandboxLimits.max,
      maxPerTenant: sandboxLimits.maxPerTenant,
      session: (holder) => leaseHolderClient(() => sessions.getByName(holder)),
      logError,
    })
    return this.#leases
  }
}
