import { MAX_SESSIONS_PER_TENANT } from '../core/limits/tenants.ts'
import type { Sql } from '../ports/sql.ts'
import type { SessionPage, TenantApi } from './api.ts'

type Listed = Parameters<TenantApi['addSession']>[0]
type Row = { readonly name: string; readonly nodeId: string; readonly title: string; readonly createdAt: number }

/** Sessions of one tenant, by name. */
export class SessionList {
  readonly #sql: Sql
  #count: number | null = null

  constructor(sql: Sql) {
    this.#sql = sql
  }

  add({ name, nodeId, title, createdAt }: Listed): Awaited<ReturnType<TenantApi['addSession']>> {
    const isNew = this.#sql.all('SELECT 1 FROM sessions WHERE name = ?', name).length === 0
    if (isNew && this.#total() >= MAX_SESSIONS_PER_TENANT) {
      return {
        ok: false,
        message: `there are ${MAX_SESSIONS_PER_TENANT} tasks already, and no more are allowed (MAX_SESSIONS_PER_TENANT); remove some first`,
      }
    }
    this.#sql.all(
      `INSERT INTO sessions (name, node_id, title, created_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET node_id = excluded.node_id, title = excluded.title,
           created_at = excluded.created_at`,
      name,
      nodeId,
      title,
      createdAt,
    )
    if (isNew) this.#count = this.#total() + 1
    return { ok: true }
  }

  /** @returns the session's node id; null when there was no such session */
  remove(name: string): string | null {
    const [row] = this.#sql.all<{ nodeId: string }>(
      'DELETE FROM sessions WHERE name = ? RETURNING node_id AS nodeId',
      name,
    )
    if (row && this.#count !== null) this.#count -= 1
    return row?.nodeId ?? null
  }

  /** Page of sessions; empty when `after` is not the `next` of a page. */
  page({ limit, after }: { readonly limit: number; readonly after?: string }): SessionPage {
    const from = after === undefined ? { createdAt: -1, name: '' } : readCursor(after)
    if (!from) return { sessions: [] }
    const rows = this.#sql.all<Row>(
      `SELECT name, node_id AS nodeId, title, created_at AS createdAt FROM sessions
        WHERE (created_at, name) > (?, ?) ORDER BY created_at, name LIMIT ?`,
      from.createdAt,
      from.name,
      limit + 1,
    )
    // Copied one by one: rows of `node:sqlite` have no prototype, which RPC would refuse.
    const sessions = rows.slice(0, limit).map((row) => ({ ...row }))
    const last = sessions.at(-1)
    return rows.length > limit && last ? { sessions, next: `${last.createdAt}.${last.name}` } : { sessions }
  }

  /** @returns the name of the session with that node id, or null */
  find(nodeId: string): string | null {
    return this.#sql.all<{ name: string }>('SELECT name FROM sessions WHERE node_id = ?', nodeId)[0]?.name ?? null
  }

  #total(): number {
    this.#count ??= this.#sql.all<{ sessions: number }>('SELECT count(*) AS sessions FROM sessions')[0]?.sessions ?? 0
    return this.#count
  }
}

function readCursor(after: string): { readonly createdAt: number; readonly name: string } | null {
  const [, createdAt, name] = /^(\d{1,16})\.(.+)$/s.exec(after) ?? []
  return createdAt === undefined || name === undefined ? null : { createdAt: Number(createdAt), name }
}
