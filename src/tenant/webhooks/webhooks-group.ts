import type { Actor } from '../../core/actor.ts'
import { fail } from '../../core/failure.ts'
import { MAX_WEBHOOKS_PER_TENANT, OLD_WEBHOOK_SECRET_MS } from '../../core/limits/webhooks.ts'
import type { ServedGroup } from '../../core/served.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Sql } from '../../ports/sql.ts'
import type { AuditLog } from '../audit-log.ts'
import { placeOfWebhook, type SecretBox } from '../secret-box.ts'
import type { Upkeep } from '../upkeep.ts'
import type {
  DeliveryInfo,
  NewWebhook,
  WebhookChanges,
  WebhookInfo,
  WebhooksApi,
  WebhookWithSecret,
} from '../webhooks-api.ts'
import type { Delivery, WebhookOutbox } from './outbox.ts'
import { newWebhookSecret } from './signature.ts'
import { infoOf, type StoredWebhook, type WebhookList } from './webhook-list.ts'

interface Parts {
  readonly sql: Sql
  readonly clock: Clock
  readonly tenant: string
  /** Null on a server without a key to encrypt secrets: such a server has no webhooks. */
  readonly box: SecretBox | null
  readonly list: WebhookList
  readonly outbox: WebhookOutbox
  readonly deliverer: { hasNew(): void }
  readonly audit: Pick<AuditLog, 'append'>
  readonly upkeep: Pick<Upkeep, 'plan'>
  /** Checks a receiver's address. @throws FailureError `invalid_input`, `forbidden` */
  readonly checkReceiver: (url: string) => Promise<void>
}

/** Webhooks' group: adds, changes and removes them, and shows what was sent. */
export class WebhooksGroup implements ServedGroup<WebhooksApi> {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async create(made: NewWebhook, by: Actor): Promise<WebhookWithSecret> {
    const { sql, list, clock, checkReceiver } = this.#parts
    await checkReceiver(made.url)
    const id = `whk_${crypto.randomUUID().replaceAll('-', '')}`
    const secret = newWebhookSecret()
    const closed = await this.#close(secret, id)
    if (list.all.length >= MAX_WEBHOOKS_PER_TENANT) {
      fail(
        'limit_exceeded',
        `there are ${MAX_WEBHOOKS_PER_TENANT} webhooks already (MAX_WEBHOOKS_PER_TENANT); remove one, or have one want more`,
      )
    }
    const state = { disabled: null, failingSince: null, dropped: 0, oldSecretUntil: null }
    const webhook = { ...made, ...state, id, createdAt: clock.now(), secret: closed, oldSecret: null }
    sql.transaction(() => this.#put(webhook, 'webhook.create', by))
    await this.#parts.upkeep.plan()
    return { ...infoOf(webhook), secret }
  }

  list(): readonly WebhookInfo[] {
    return this.#parts.list.all.map(infoOf)
  }

  find(id: string): WebhookInfo | null {
    const found = this.#parts.list.find(id)
    return found && infoOf(found)
  }

  async change(id: string, { isEnabled, ...changes }: WebhookChanges, by: Actor): Promise<WebhookInfo | null> {
    const { list, outbox, clock, checkReceiver, deliverer, sql } = this.#parts
    if (changes.url !== undefined) await checkReceiver(changes.url)
    const before = list.find(id)
    if (!before) return null
    // Another receiver, or one that is switched on, begins anew.
    const isNew = (changes.url ?? before.url) !== before.url || (isEnabled === true && before.disabled !== null)
    const disabled = isEnabled === false ? (before.disabled ?? { at: clock.now(), by: 'owner' as const }) : null
    const after: StoredWebhook = {
      ...before,
      ...changes,
      disabled: isEnabled === undefined ? before.disabled : disabled,
      failingSince: isNew ? null : before.failingSince,
    }
    sql.transaction(() => {
      this.#put(after, 'webhook.change', by)
      if (after.disabled !== null) outbox.abandon(id, 'the webhook was switched off')
    })
    deliverer.hasNew()
    await this.#parts.upkeep.plan()
    return infoOf(after)
  }

  async remove(id: string, by: Actor): Promise<boolean> {
    const { list, outbox, audit, sql, upkeep } = this.#parts
    if (!list.find(id)) return false
    sql.transaction(() => {
      list.remove(id)
      outbox.forget(id)
      audit.append([{ action: 'webhook.remove', by, subject: id, decision: 'done' }])
    })
    await upkeep.plan()
    return true
  }

  async rotate(id: string, by: Actor): Promise<WebhookWithSecret | null> {
    const { sql, list, clock } = this.#parts
    const secret = newWebhookSecret()
    const closed = await this.#close(secret, id)
    const before = list.find(id)
    if (!before) return null
    const oldSecretUntil = clock.now() + OLD_WEBHOOK_SECRET_MS
    const after = { ...before, secret: closed, oldSecret: before.secret, oldSecretUntil }
    sql.transaction(() => this.#put(after, 'webhook.rotate', by))
    await this.#parts.upkeep.plan()
    return { ...infoOf(after), secret }
  }

  async test(id: string): Promise<DeliveryInfo | null> {
    const { list, outbox } = this.#parts
    const webhook = list.find(id)
    if (!webhook) return null
    requireEnabled(webhook)
    const delivery = outbox.add(id, 'webhook.test', { webhook: id })
    return this.#sent(id, delivery)
  }

  deliveries(
    id: string,
    { limit, before }: { readonly limit: number; readonly before?: number },
  ): readonly DeliveryInfo[] | null {
    const { list, outbox } = this.#parts
    return list.find(id) && outbox.page(id, limit, before).map(shown)
  }

  async retry(id: string, delivery: string): Promise<DeliveryInfo | null> {
    const { list, outbox } = this.#parts
    const webhook = list.find(id)
    const found = webhook && outbox.find(id, delivery)
    if (!found) return null
    requireEnabled(webhook)
    if (found.state === 'waiting' && found.attempts === 0) {
      fail('conflict', `the delivery ${delivery} waits already, and is sent as soon as its receiver takes it`)
    }
    outbox.renew(delivery)
    return this.#sent(id, delivery)
  }

  /** Secrets by which a webhook's messages are signed now: the present one, and for a while the one before it. */
  async secretsOf({ id, secret, oldSecret, oldSecretUntil }: StoredWebhook): Promise<readonly string[]> {
    const isOldGood = oldSecret !== null && (oldSecretUntil ?? 0) > this.#parts.clock.now()
    return Promise.all(
      [secret, ...(isOldGood ? [oldSecret] : [])].map((closed) => this.#box.open(closed, this.#place(id))),
    )
  }

  async #sent(id: string, delivery: string): Promise<DeliveryInfo | null> {
    const { outbox, deliverer, upkeep } = this.#parts
    const found = outbox.find(id, delivery)
    deliverer.hasNew()
    await upkeep.plan()
    return found && shown(found)
  }

  /** Writes a webhook, in the caller's transaction. */
  #put(webhook: StoredWebhook, action: string, by: Actor): void {
    const { list, audit } = this.#parts
    const { url, wants, disabled } = webhook
    const detail = { host: URL.parse(url)?.host ?? '', events: wants.events, enabled: disabled === null }
    list.put(webhook)
    audit.append([{ action, by, subject: webhook.id, decision: 'done', detail }])
  }

  #close(secret: string, id: string): Promise<Uint8Array> {
    return this.#box.close(secret, this.#place(id))
  }

  get #box(): SecretBox {
    return this.#parts.box ?? fail('conflict', 'this server has no webhooks: its owner has not set SECRETS_KEY')
  }

  #place(id: string): string {
    return placeOfWebhook(this.#parts.tenant, id)
  }
}

const shown = ({ body: _, ...info }: Delivery): DeliveryInfo => info

function requireEnabled({ disabled, id }: StoredWebhook): void {
  if (disabled === null) return
  fail('conflict', `the webhook ${id} is switched off; switch it on first, by PATCH with {"enabled": true}`)
}
