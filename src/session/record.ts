import type { Actor } from '../core/actor.ts'
import type { TenantId } from '../core/ids.ts'
import type { Expiry, Lifetimes, SessionSettings } from '../core/session-settings.ts'
import { openExisting } from '../migrations/open-tables.ts'
import { SESSION_MIGRATIONS } from '../migrations/session/session.ts'
import type { Sql } from '../ports/sql.ts'
import type { ReportedState } from '../tenant/api.ts'
import type { SessionInfo } from './api.ts'

/** A session's stored description. A session exists when its record does. */
export interface SessionRecord extends SessionInfo {
  readonly tenant: TenantId
  /** Time of the last request by node id, in milliseconds since 1970; absent without one. */
  readonly visitedAt?: number
  /** Set while its client has closed it. */
  readonly closed?: boolean
  /** Settings; absent for a session that has the usual ones. */
  readonly settings?: SessionSettings
  /** Time of the last change of the session itself, or of a file by no call; absent without one. */
  readonly touchedAt?: number
  /** Last state and use by no call that the tenant's list was told of; absent for `ready`, and no such use, since creation. */
  readonly reported?: ReportedState & { readonly usedAt: number }
  /** Maker of the session, until the tenant's list has it. */
  readonly madeBy?: Actor
  /** Session that it is a fork of, and the commit; absent for any other, and for a fork that was made before this was kept. */
  readonly origin?: { readonly session: string; readonly commit: number }
  /** Lifetimes that the tenant's defaults give, until the tenant's list has it. */
  readonly defaulted?: readonly (keyof Lifetimes)[]
  /** Set when the session is removed because a lifetime was over. */
  readonly expired?: Expiry
  /** Remover of a session that is being removed. */
  readonly removedBy?: Actor
  /** `new` until the tenant's list has it; `deleting` from the first step of its removal on. */
  readonly state: 'new' | 'listed' | 'deleting'
}

/** Store of the record. Only the session's object writes the record, so it is read once. */
export class RecordStore {
  readonly #sql: Sql
  readonly #tellOwner: (advice: string) => void
  #record: SessionRecord | null | undefined

  constructor(sql: Sql, tellOwner: (advice: string) => void) {
    this.#sql = sql
    this.#tellOwner = tellOwner
  }

  /**
   * Reads the record, after upgrading the tables of earlier code.
   * @returns null when there is no such session; reading writes nothing then
   * @throws FailureError `unavailable` for tables of newer code
   */
  read(): SessionRecord | null {
    if (this.#record === undefined) this.#record = this.#load()
    return this.#record
  }

  /** Reads the record of a session that is not being removed, otherwise as {@link read}. */
  usable(): SessionRecord | null {
    const record = this.read()
    return record?.state === 'deleting' ? null : record
  }

  write(record: SessionRecord): void {
    this.#sql.all('INSERT OR REPLACE INTO session (id, record) VALUES (1, ?)', JSON.stringify(record))
    this.#record = record
  }

  /** Clears the cache, after the whole database was removed. */
  forget(): void {
    this.#record = undefined
  }

  #load(): SessionRecord | null {
    if (!openExisting(this.#sql, SESSION_MIGRATIONS, this.#tellOwner)) return null
    const [row] = this.#sql.all<{ record: string }>('SELECT record FROM session')
    return row ? (JSON.parse(row.record) as SessionRecord) : null
  }
}
