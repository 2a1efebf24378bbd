import type { TenantId } from '../core/ids.ts'
import type { Sql } from '../ports/sql.ts'
import type { SessionInfo } from './api.ts'

/** What a session is, as it is stored. Its presence is what "the session exists" means. */
export interface SessionRecord extends SessionInfo {
  readonly tenant: TenantId
  /** `new` until the tenant's list has it; `deleting` from the first step of its removal on. */
  readonly state: 'new' | 'listed' | 'deleting'
}

/** @returns null when there is no such session; nothing is written by asking. */
export function readRecord(sql: Sql): SessionRecord | null {
  const [table] = sql.all(`SELECT 1 AS found FROM sqlite_master WHERE name = 'session'`)
  const [row] = table ? sql.all<{ record: string }>('SELECT record FROM session') : []
  return row ? (JSON.parse(row.record) as SessionRecord) : null
}

export function writeRecord(sql: Sql, record: SessionRecord): void {
  sql.all('CREATE TABLE IF NOT EXISTS session (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL) STRICT')
  sql.all('INSERT OR REPLACE INTO session (id, record) VALUES (1, ?)', JSON.stringify(record))
}
