import type { Actor } from '../core/actor.ts'
import { MAX_LINKS_PER_MINUTE } from '../core/limits/files.ts'
import type { ServedGroup } from '../core/served.ts'
import type { Clock } from '../ports/clock.ts'
import type { AuditApi, AuditHead, AuditPage, FilesNote, KeyNote, LinkNote, SignInNote } from './audit-api.ts'
import type { AuditLog } from './audit-log.ts'
import type { AuditPages } from './audit-segments/audit-pages.ts'
import { KeyPaces } from './pace.ts'
import type { ToolCalls } from './tool-calls.ts'
import type { Upkeep } from './upkeep.ts'

interface Parts {
  readonly log: AuditLog
  readonly pages: AuditPages
  readonly clock: Clock
  readonly calls: Pick<ToolCalls, 'noteDenied'>
  readonly upkeep: Pick<Upkeep, 'plan'>
}

/** Audit log's group: reading, and entries for events outside of the tenant's objects. */
export class AuditGroup implements ServedGroup<AuditApi> {
  readonly #parts: Parts
  readonly #links = new KeyPaces(MAX_LINKS_PER_MINUTE)

  constructor(parts: Parts) {
    this.#parts = parts
  }

  page(page: { readonly after: number; readonly limit: number }): Promise<AuditPage> {
    return this.#parts.pages.page(page)
  }

  head(): AuditHead {
    return this.#parts.log.head()
  }

  async noteKey({ action, id, ...detail }: KeyNote, by: Actor): Promise<void> {
    this.#parts.log.append([{ action, by, subject: id, decision: 'done', detail }])
    await this.#parts.upkeep.plan()
  }

  async noteLink({ action, session, id, allows }: LinkNote, by: Actor): Promise<void> {
    const { log, clock } = this.#parts
    // Whoever only reads could otherwise make links until the log has dropped all that came before.
    if (action === 'link.create') this.#links.take(by.key, clock.now(), 'links a minute (MAX_LINKS_PER_MINUTE)')
    log.append([{ action, by, session, subject: id, decision: 'done', ...(allows && { detail: allows }) }])
    await this.#parts.upkeep.plan()
  }

  async noteFiles(note: FilesNote, by: Actor): Promise<void> {
    const { action, session, detail } = note
    const subject = note.action === 'session.restore' ? note.path || null : note.name
    this.#parts.log.append([{ action, by, session, subject, decision: 'done', detail }])
    await this.#parts.upkeep.plan()
  }

  async noteSignIn({ action, id }: SignInNote, by: Actor): Promise<void> {
    this.#parts.log.append([{ action, by, subject: id, decision: 'done' }])
    await this.#parts.upkeep.plan()
  }

  /** Writes that the owner of the server exports the tenant. */
  async noteExport(): Promise<void> {
    const by: Actor = { key: null, agent: null }
    this.#parts.log.append([{ action: 'tenant.export', by, subject: null, decision: 'done' }])
    await this.#parts.upkeep.plan()
  }

  async noteDenied(by: Actor, what: string): Promise<void> {
    this.#parts.calls.noteDenied(by, what)
    await this.#parts.upkeep.plan()
  }
}
