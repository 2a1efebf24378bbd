import { type SessionSettings, type SessionState, USUAL_SETTINGS } from '../core/session-settings.ts'
import type { Sql, SqlValue } from '../ports/sql.ts'
import type { BrowsedSessions, SessionQuery } from './api.ts'

type Row = {
  name: string
  createdAt: number
  title: string
  settings: string | null
  state: SessionState
  stateAt: number | null
  usedAt: number
}

/** Conditions by state, as texts: the partial index of states is used for literals only. */
const IN_STATE: Readonly<Record<SessionState, string>> = {
  ready: "s.state = 'ready'",
  running: "s.state = 'running' AND s.state <> 'ready'",
  paused: "s.state = 'paused' AND s.state <> 'ready'",
}

/**
 * Page of a tenant's sessions, newest first. The state leads the search, when few have it, else the rarest label, by their indexes;
 * the other labels are looked up for each session.
 */
export function browseSessions(sql: Sql, { limit, before, state, labels }: SessionQuery): BrowsedSessions {
  const ranked =
    labels.length > 1 ? labels.toSorted((one, other) => commonness(sql, one) - commonness(sql, other)) : labels
  const first = state === 'running' || state === 'paused' ? undefined : ranked[0]
  const others = first ? ranked.slice(1) : ranked
  const place = first ? 'l' : 's'
  const params: SqlValue[] = [...(first ?? [])]
  const where = first ? ['l.key = ? AND l.value = ?'] : []
  if (before) {
    where.push(`(${place}.created_at, ${place}.name) < (?, ?)`)
    params.push(before.createdAt, before.name)
  }
  if (state) where.push(IN_STATE[state])
  for (const [key, value] of others) {
    where.push(
      `EXISTS (SELECT 1 FROM session_labels WHERE key = ? AND value = ? AND created_at = s.created_at AND name = s.name)`,
    )
    params.push(key, value)
  }
  const rows = sql.all<Row>(
    `SELECT s.name, s.created_at AS createdAt, s.title, s.settings, s.state, s.state_at AS stateAt,
         max(s.created_at, s.used_at, coalesce(t.at, 0)) AS usedAt
       FROM ${first ? 'session_labels l CROSS JOIN sessions s ON s.name = l.name' : 'sessions s'}
       LEFT JOIN told_ends t ON t.node_id = s.node_id
      ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
      ORDER BY ${place}.created_at DESC, ${place}.name DESC LIMIT ?`,
    ...params,
    limit + 1,
  )
  const sessions = rows.slice(0, limit).map(({ settings, ...row }) => ({
    ...row,
    settings: settings === null ? USUAL_SETTINGS : (JSON.parse(settings) as SessionSettings),
  }))
  return { sessions, more: rows.length > limit }
}

/** Number of sessions with a label, as far as it matters. */
const commonness = (sql: Sql, [key, value]: readonly [key: string, value: string]): number =>
  sql.all('SELECT 1 FROM session_labels WHERE key = ? AND value = ? LIMIT ?', key, value, MANY).length

const MANY = 1_000
