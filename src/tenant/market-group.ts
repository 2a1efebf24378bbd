import type { Actor } from '../core/actor.ts'
import { MAX_MARKET_REQUESTS_PER_MINUTE } from '../core/limits/marketplace.ts'
import type { ServedGroup } from '../core/served.ts'
import type { Clock } from '../ports/clock.ts'
import type { AuditLog } from './audit-log.ts'
import type { MarketApi, MarketNote } from './market-api.ts'
import { Pace } from './pace.ts'
import type { Upkeep } from './upkeep.ts'

interface Parts {
  readonly clock: Clock
  readonly audit: Pick<AuditLog, 'append'>
  readonly upkeep: Pick<Upkeep, 'plan'>
}

/** One tenant's part in the marketplace: its rate limit, and its actions in the audit log. */
export class MarketGroup implements ServedGroup<MarketApi> {
  readonly #parts: Parts
  readonly #pace = new Pace(MAX_MARKET_REQUESTS_PER_MINUTE)

  constructor(parts: Parts) {
    this.#parts = parts
  }

  pace(): number {
    return this.#pace.take(this.#parts.clock.now())
  }

  async note({ action, package: subject, ...detail }: MarketNote, by: Actor): Promise<void> {
    this.#parts.audit.append([{ action, by, subject, decision: 'done', detail }])
    await this.#parts.upkeep.plan()
  }
}
