import type { Actor } from '../core/actor.ts'
import type { ServedGroup } from '../core/served.ts'
import type { AuditApi, AuditHead, AuditPage, KeyNote } from './audit-api.ts'
import type { AuditLog } from './audit-log.ts'
import type { ToolCalls } from './tool-calls.ts'
import type { Upkeep } from './upkeep.ts'

interface Parts {
  readonly log: AuditLog
  readonly calls: Pick<ToolCalls, 'noteDenied'>
  readonly upkeep: Pick<Upkeep, 'plan'>
}

/** The audit log, as it is read, and as it is told what no object of the tenant does. */
export class AuditGroup implements ServedGroup<AuditApi> {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  page(page: { readonly after: number; readonly limit: number }): AuditPage {
    return this.#parts.log.page(page)
  }

  head(): AuditHead {
    return this.#parts.log.head()
  }

  async noteKey({ action, id, ...detail }: KeyNote, by: Actor): Promise<void> {
    this.#parts.log.append([{ action, by, subject: id, decision: 'done', detail }])
    await this.#parts.upkeep.plan()
  }

  async noteDenied(by: Actor, what: string): Promise<void> {
    this.#parts.calls.noteDenied(by, what)
    await this.#parts.upkeep.plan()
  }
}
