import type { Actor } from '../core/actor.ts'
import { fail } from '../core/failure.ts'
import { MAX_SECRET_CHARS, MAX_SECRETS_PER_TENANT } from '../core/limits/tenants.ts'
import type { ServedGroup } from '../core/served.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import type { SecretInfo, SecretsApi } from './api.ts'
import type { AuditLog } from './audit-log.ts'
import { placeOfSecret, type SecretBox } from './secret-box.ts'
import { informToolHolders, type ToolHolders } from './tool-holders.ts'
import type { ToolRevisions } from './tool-revisions.ts'
import type { Upkeep } from './upkeep.ts'

type Row = { readonly name: string; readonly changedAt: number }

interface Parts extends ToolHolders {
  readonly sql: Sql
  /** Null on a server without a key to encrypt secrets: such a server keeps none. */
  readonly box: SecretBox | null
  readonly clock: Clock
  readonly tenant: string
  readonly revisions: Pick<ToolRevisions, 'noteSecret'>
  readonly audit: Pick<AuditLog, 'append'>
  readonly upkeep: Pick<Upkeep, 'plan'>
}

/** Secrets of one tenant: put, listed by name, used by tools, and never shown. */
export class SecretList implements ServedGroup<SecretsApi> {
  readonly #sql: Sql
  readonly #box: SecretBox | null
  readonly #clock: Clock
  readonly #tenant: string
  readonly #revisions: Parts['revisions']
  readonly #holders: ToolHolders
  readonly #audit: Parts['audit']
  readonly #upkeep: Parts['upkeep']

  constructor({ sql, box, clock, tenant, revisions, audit, upkeep, ...holders }: Parts) {
    this.#sql = sql
    this.#box = box
    this.#clock = clock
    this.#tenant = tenant
    this.#revisions = revisions
    this.#holders = holders
    this.#audit = audit
    this.#upkeep = upkeep
  }

  async put(name: string, value: string, by: Actor = NOBODY): Promise<SecretInfo> {
    const info = await this.#put(name, value)
    this.#audit.append([{ action: 'secret.put', by, subject: name, decision: 'done' }])
    // Also of one that is new: its predecessor may have been removed just now.
    await informToolHolders(this.#holders)
    await this.#upkeep.plan()
    return info
  }

  async #put(name: string, value: string): Promise<SecretInfo> {
    if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(name)) {
      fail('invalid_input', 'the name of a secret is 1 to 64 of A-Z, 0-9 and "_", and begins with a letter')
    }
    if (value.trim() === '') fail('invalid_input', 'value is required, and blanks alone are none')
    if (!value.isWellFormed()) fail('invalid_input', 'value has half of a surrogate pair, which is no text')
    if (value.length > MAX_SECRET_CHARS) {
      fail(
        'limit_exceeded',
        `the secret has ${value.length} characters; at most ${MAX_SECRET_CHARS} are kept (MAX_SECRET_CHARS)`,
      )
    }
    const box = this.#box ?? fail('conflict', 'this server keeps no secrets: its owner has not set SECRETS_KEY')
    const closed = await box.close(value, this.#place(name))
    const isNew = this.#sql.all('SELECT 1 FROM secrets WHERE name = ?', name).length === 0
    if (isNew && this.list().length >= MAX_SECRETS_PER_TENANT) {
      fail(
        'limit_exceeded',
        `there are ${MAX_SECRETS_PER_TENANT} secrets already, and no more are kept (MAX_SECRETS_PER_TENANT); remove some first`,
      )
    }
    const changedAt = this.#clock.now()
    this.#sql.transaction(() => {
      this.#sql.run(
        'INSERT OR REPLACE INTO secrets (name, closed, changed_at) VALUES (?, ?, ?)',
        name,
        closed,
        changedAt,
      )
      this.#revisions.noteSecret()
    })
    return { name, changedAt }
  }

  list(): SecretInfo[] {
    const rows = this.#sql.all<Row>('SELECT name, changed_at AS changedAt FROM secrets ORDER BY name')
    // Copied one by one: rows of `node:sqlite` have no prototype, which RPC would refuse.
    return rows.map((row) => ({ ...row }))
  }

  async remove(name: string, by: Actor = NOBODY): Promise<boolean> {
    const removed = this.#sql.transaction(() => {
      const isRemoved = this.#sql.all('DELETE FROM secrets WHERE name = ? RETURNING name', name).length > 0
      if (isRemoved) this.#revisions.noteSecret()
      return isRemoved
    })
    if (removed) this.#audit.append([{ action: 'secret.remove', by, subject: name, decision: 'done' }])
    // Also of one that is gone: the request that removed it may have been cut off, or inform them still.
    await informToolHolders(this.#holders)
    await this.#upkeep.plan()
    return removed
  }

  async open(name: string): Promise<string | null> {
    const [row] = this.#sql.all<{ closed: ArrayBuffer | Uint8Array }>('SELECT closed FROM secrets WHERE name = ?', name)
    if (!row) return null
    const box = this.#box ?? fail('upstream', `the secret ${name} cannot be opened: this server has no SECRETS_KEY now`)
    return box.open(new Uint8Array(row.closed), this.#place(name))
  }

  #place(name: string): string {
    return placeOfSecret(this.#tenant, name)
  }
}

const NOBODY: Actor = { key: null, agent: null }
