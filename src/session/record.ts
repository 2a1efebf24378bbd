import type { TenantId } from '../core/ids.ts'
import { openExisting } from '../migrations/open-tables.ts'
import { SESSION_MIGRATIONS } from '../migrations/session/session.ts'
import type { Sql } from '../ports/sql.ts'
import type { SessionInfo } from './api.ts'

/** What a session is, as it is stored. Its presence is what "the session exists" means. */
export interface SessionRecord extends SessionInfo {
  readonly tenant: TenantId
  /** When somebody last came by its node id, in milliseconds since 1970; absent: nobody ever. */
  readonly visitedAt?: number
  /** Set while its client has closed it. */
  readonly closed?: boolean
  /** `new` until the tenant's list has it; `deleting` from the first step of its removal on. */
  readonly state: 'new' | 'listed' | 'deleting'
}

/** Where the record is kept. Its object is the only one that writes it, so it is read once. */
export class RecordStore {
  readonly #sql: Sql
  readonly #tellOwner: (advice: string) => void
  #record: SessionRecord | null | undefined

  constructor(sql: Sql, tellOwner: (advice: string) => void) {
    this.#sql = sql
    this.#tellOwner = tellOwner
  }

  /**
   * Brings the tables of a session up to date where earlier code made them.
   * @returns null when there is no such session; nothing is written by asking.
   * @throws FailureError `unavailable` when newer code made them
   */
  read(): SessionRecord | null {
    if (this.#record === undefined) this.#record = this.#load()
    return this.#record
  }

  write(record: SessionRecord): void {
    this.#sql.all('INSERT OR REPLACE INTO session (id, record) VALUES (1, ?)', JSON.stringify(record))
    this.#record = record
  }

  /** After the whole database was removed. */
  forget(): void {
    this.#record = undefined
  }

  #load(): SessionRecord | null {
    if (!openExisting(this.#sql, SESSION_MIGRATIONS, this.#tellOwner)) return null
    const [row] = this.#sql.all<{ record: string }>('SELECT record FROM session')
    return row ? (JSON.parse(row.record) as SessionRecord) : null
  }
}
