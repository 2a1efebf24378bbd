import { fail } from '../core/failure.ts'
import { MAX_SECRET_CHARS, MAX_SECRETS_PER_TENANT } from '../core/limits/tenants.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import type { SecretInfo } from './api.ts'
import type { SecretBox } from './secret-box.ts'

type Row = { readonly name: string; readonly changedAt: number }

/** Secrets of one tenant: put, listed by name, used by tools, and never shown. */
export class SecretList {
  readonly #sql: Sql
  readonly #box: SecretBox | null
  readonly #clock: Clock
  readonly #tenant: string

  constructor({ sql, box, clock, tenant }: { sql: Sql; box: SecretBox | null; clock: Clock; tenant: string }) {
    this.#sql = sql
    this.#box = box
    this.#clock = clock
    this.#tenant = tenant
  }

  /**
   * Stores a secret, replacing one of the same name.
   * @throws FailureError `invalid_input`, `limit_exceeded`, `conflict` on a server without SECRETS_KEY
   */
  async put(name: string, value: string): Promise<SecretInfo> {
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
    this.#sql.all('INSERT OR REPLACE INTO secrets (name, closed, changed_at) VALUES (?, ?, ?)', name, closed, changedAt)
    return { name, changedAt }
  }

  list(): SecretInfo[] {
    const rows = this.#sql.all<Row>('SELECT name, changed_at AS changedAt FROM secrets ORDER BY name')
    // Copied one by one: rows of `node:sqlite` have no prototype, which RPC would refuse.
    return rows.map((row) => ({ ...row }))
  }

  remove(name: string): boolean {
    return this.#sql.all('DELETE FROM secrets WHERE name = ? RETURNING name', name).length > 0
  }

  /** @returns null when there is no such secret. @throws FailureError `upstream` when it cannot be opened */
  async value(name: string): Promise<string | null> {
    const [row] = this.#sql.all<{ closed: ArrayBuffer | Uint8Array }>('SELECT closed FROM secrets WHERE name = ?', name)
    if (!row) return null
    const box = this.#box ?? fail('upstream', `the secret ${name} cannot be opened: this server has no SECRETS_KEY now`)
    return box.open(new Uint8Array(row.closed), this.#place(name))
  }

  #place(name: string): string {
    return `${this.#tenant}/${name}`
  }
}
