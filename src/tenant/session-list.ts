import type { Actor } from '../core/actor.ts'
import { fail } from '../core/failure.ts'
import { MAX_SESSIONS_PER_TENANT } from '../core/limits/tenants.ts'
import type { ServedGroup } from '../core/served.ts'
import { type Expiry, type Lifetimes, USUAL_SETTINGS } from '../core/session-settings.ts'
import type { Sql } from '../ports/sql.ts'
import type {
  BrowsedSessions,
  ListChanges,
  ListedSession,
  ListingLease,
  NewSession,
  SessionPage,
  SessionQuery,
  SessionRemoval,
  SessionsApi,
} from './api.ts'
import type { AuditLog } from './audit-log.ts'
import { expiryNote, sessionNote } from './audit-notes.ts'
import { ExpiredSessions } from './expired-sessions.ts'
import type { HumanTaskNames } from './human-task-names.ts'
import type { OpenQuestions } from './open-questions.ts'
import { browseSessions } from './session-browser.ts'
import type { SessionDefaults } from './session-defaults.ts'
import { SessionLabels } from './session-labels.ts'
import type { ToolCalls } from './tool-calls.ts'

type Row = Pick<ListedSession, keyof ListedSession>

interface Parts {
  readonly sql: Sql
  readonly humanTaskNames: Pick<HumanTaskNames, 'forget'>
  readonly questions: Pick<OpenQuestions, 'forget'>
  readonly calls: Pick<ToolCalls, 'lease' | 'forget'>
  readonly audit: Pick<AuditLog, 'append'>
  readonly defaults: Pick<SessionDefaults, 'read'>
  /** Releases all contents of a session that is no longer there. */
  readonly releaseContents: (node: string) => void
}

/** Sessions of one tenant, by name. */
export class SessionList implements ServedGroup<SessionsApi> {
  readonly #sql: Sql
  readonly #humanTaskNames: Parts['humanTaskNames']
  readonly #questions: Parts['questions']
  readonly #calls: Parts['calls']
  readonly #audit: Parts['audit']
  readonly #defaults: Parts['defaults']
  readonly #releaseContents: Parts['releaseContents']
  readonly #labels: SessionLabels
  readonly #expired: ExpiredSessions
  #count: number | null = null

  constructor({ sql, humanTaskNames, questions, calls, audit, defaults, releaseContents }: Parts) {
    this.#releaseContents = releaseContents
    this.#sql = sql
    this.#labels = new SessionLabels(sql)
    this.#expired = new ExpiredSessions(sql)
    this.#humanTaskNames = humanTaskNames
    this.#questions = questions
    this.#calls = calls
    this.#audit = audit
    this.#defaults = defaults
  }

  add(session: NewSession, by: Actor = NOBODY): ListingLease {
    const { name, nodeId, title, createdAt, origin, defaulted = [] } = session
    const lifetimes = this.#lifetimes(defaulted)
    const settings = lifetimes ? { ...(session.settings ?? USUAL_SETTINGS), ...lifetimes } : session.settings
    const [listed] = this.#sql.all<{ nodeId: string }>('SELECT node_id AS nodeId FROM sessions WHERE name = ?', name)
    const isNew = listed === undefined
    if (isNew && this.#total() >= MAX_SESSIONS_PER_TENANT) {
      fail(
        'limit_exceeded',
        `there are ${MAX_SESSIONS_PER_TENANT} tasks already, and no more are allowed (MAX_SESSIONS_PER_TENANT); remove some first`,
      )
    }
    this.#sql.all(
      `INSERT INTO sessions (name, node_id, title, created_at, settings) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET node_id = excluded.node_id, title = excluded.title,
           created_at = excluded.created_at, settings = excluded.settings, state = 'ready', state_at = NULL,
           used_at = 0`,
      name,
      nodeId,
      title,
      createdAt,
      settings ? JSON.stringify(settings) : null,
    )
    if (settings || !isNew) this.#labels.put(name, createdAt, settings?.labels ?? {})
    this.#expired.forget(name)
    if (session.isRecovered) {
      // The session reports those that are open in it now.
      this.#questions.forget(name)
      this.#recovered(nodeId, listed?.nodeId)
    }
    if (isNew) this.#count = this.#total() + 1
    // Repeated, it is the same session.
    const detail = origin && { fork_of: origin.session, commit: origin.commit }
    if (listed && listed.nodeId !== nodeId) this.#questions.forget(name)
    if (listed?.nodeId !== nodeId) this.#audit.append([sessionNote('create', name, by, detail)])
    return { ...this.#calls.lease(nodeId, null), ...(lifetimes && { lifetimes }) }
  }

  /** Forgets which completions a session has reported: it numbers them from an earlier one on. @param before session of its name until now */
  #recovered(nodeId: string, before: string | undefined): void {
    this.#calls.forget(nodeId)
    if (before === undefined || before === nodeId) return
    this.#calls.forget(before)
    this.#releaseContents(before)
  }

  change(
    { name, nodeId }: Pick<ListedSession, 'name' | 'nodeId'>,
    { title, settings, state, usedAt, change }: ListChanges,
  ): void {
    const [row] = this.#sql.all<{ createdAt: number }>(
      `UPDATE sessions SET title = coalesce(?, title), settings = coalesce(?, settings), state = coalesce(?, state),
         state_at = coalesce(?, state_at), used_at = coalesce(?, used_at) WHERE name = ? AND node_id = ? RETURNING created_at AS createdAt`,
      title ?? null,
      settings ? JSON.stringify(settings) : null,
      state?.state ?? null,
      state?.at ?? null,
      usedAt ?? null,
      name,
      nodeId,
    )
    if (row && settings) this.#labels.put(name, row.createdAt, settings.labels)
    if (row && change) this.#audit.append([sessionNote('update', name, change.by, { fields: change.fields })])
  }

  browse(query: SessionQuery): BrowsedSessions {
    return browseSessions(this.#sql, query)
  }

  expired(name: string): Expiry | null {
    return this.#expired.find(name)
  }

  remove(name: string, { expired, by = NOBODY }: SessionRemoval = {}): void {
    this.#humanTaskNames.forget(name)
    this.#questions.forget(name)
    this.#labels.forget(name)
    if (expired) this.#expired.note(name, expired)
    const [row] = this.#sql.all<{ nodeId: string }>(
      'DELETE FROM sessions WHERE name = ? RETURNING node_id AS nodeId',
      name,
    )
    if (!row) return
    if (this.#count !== null) this.#count -= 1
    this.#calls.forget(row.nodeId)
    this.#audit.append([expired ? expiryNote(name, expired) : sessionNote('delete', name, by)])
  }

  list({ limit, after }: { readonly limit: number; readonly after?: string }): SessionPage {
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

  find(nodeId: string): string | null {
    return this.#sql.all<{ name: string }>('SELECT name FROM sessions WHERE node_id = ?', nodeId)[0]?.name ?? null
  }

  /** Defaults of the wanted lifetimes; null where none of them has one. */
  #lifetimes(wanted: readonly (keyof Lifetimes)[]): Partial<Lifetimes> | null {
    const defaults = this.#defaults.read()
    const given = wanted.filter((lifetime) => defaults[lifetime] !== null)
    return given.length === 0 ? null : Object.fromEntries(given.map((lifetime) => [lifetime, defaults[lifetime]]))
  }

  #total(): number {
    this.#count ??= this.#sql.all<{ sessions: number }>('SELECT count(*) AS sessions FROM sessions')[0]?.sessions ?? 0
    return this.#count
  }
}

const NOBODY: Actor = { key: null, agent: null }

function readCursor(after: string): { readonly createdAt: number; readonly name: string } | null {
  const [, createdAt, name] = /^(\d{1,16})\.(.+)$/s.exec(after) ?? []
  return createdAt === undefined || name === undefined ? null : { createdAt: Number(createdAt), name }
}
