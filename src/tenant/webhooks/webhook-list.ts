import type { Sql, SqlValue } from '../../ports/sql.ts'
import type { EndedState, WebhookEvent, WebhookInfo, WebhookWants } from '../webhooks-api.ts'

/** A webhook with its secrets, encrypted. */
export interface StoredWebhook extends WebhookInfo {
  readonly secret: Uint8Array
  readonly oldSecret: Uint8Array | null
}

interface Row extends Record<string, SqlValue> {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly wants: string
  readonly secret: ArrayBuffer | Uint8Array
  readonly old_secret: ArrayBuffer | Uint8Array | null
  readonly old_until: number | null
  readonly created_at: number
  readonly disabled_at: number | null
  readonly disabled_by: string | null
  readonly failing_since: number | null
  readonly dropped: number
}

/** Facts about an event by which webhooks filter. */
export interface EventFacts {
  readonly session?: string
  readonly tool?: string
  readonly state?: EndedState
}

/** Webhooks of one tenant in its database, and in memory from the first use on: each ended call is compared with them. */
export class WebhookList {
  readonly #sql: Sql
  #known: readonly StoredWebhook[] | null = null

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** All webhooks, oldest first. */
  get all(): readonly StoredWebhook[] {
    this.#known ??= this.#sql.all<Row>('SELECT * FROM webhooks ORDER BY created_at, id').map(stored)
    return this.#known
  }

  find(id: string): StoredWebhook | null {
    return this.all.find((webhook) => webhook.id === id) ?? null
  }

  /** Webhooks that get an event. */
  wanting(type: WebhookEvent, facts: EventFacts = {}): readonly StoredWebhook[] {
    return this.all.filter(({ disabled, wants }) => disabled === null && matches(wants, type, facts))
  }

  put(webhook: StoredWebhook): void {
    const { id, url, description, wants, secret, oldSecret, oldSecretUntil, createdAt } = webhook
    const { disabled, failingSince, dropped } = webhook
    this.#sql.run(
      `INSERT OR REPLACE INTO webhooks (id, url, description, wants, secret, old_secret, old_until, created_at, disabled_at, disabled_by,
         failing_since, dropped) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, url, description, JSON.stringify(wants), secret, oldSecret, oldSecretUntil, createdAt],
      ...[disabled?.at ?? null, disabled?.by ?? null, failingSince, dropped],
    )
    this.#known = null
  }

  /** Has the list read again, after its rows were changed by others. */
  forget(): void {
    this.#known = null
  }

  remove(id: string): void {
    this.#sql.run('DELETE FROM webhooks WHERE id = ?', id)
    this.#known = null
  }
}

function matches({ events, sessions, tools, states }: WebhookWants, type: WebhookEvent, facts: EventFacts): boolean {
  const { session, tool, state } = facts
  return (
    events.includes(type) &&
    (!sessions || session === undefined || sessions.includes(session)) &&
    (!tools || tool === undefined || tools.includes(tool)) &&
    (!states || state === undefined || states.includes(state))
  )
}

const bytes = (value: ArrayBuffer | Uint8Array) => new Uint8Array(value)

const stored = (row: Row): StoredWebhook => ({
  id: row.id,
  url: row.url,
  description: row.description,
  wants: JSON.parse(row.wants) as WebhookWants,
  secret: bytes(row.secret),
  oldSecret: row.old_secret && bytes(row.old_secret),
  oldSecretUntil: row.old_until,
  createdAt: row.created_at,
  disabled:
    row.disabled_at === null ? null : { at: row.disabled_at, by: row.disabled_by as 'owner' | 'gone' | 'failing' },
  failingSince: row.failing_since,
  dropped: row.dropped,
})

/** Facts of a webhook as they are shown. */
export const infoOf = ({ secret: _secret, oldSecret: _old, ...info }: StoredWebhook): WebhookInfo => info
