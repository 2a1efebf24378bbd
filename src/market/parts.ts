import type { TenantId } from '../core/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { Database } from '../ports/database.ts'
import type { PublishRules } from './publishable.ts'

export interface MarketParts {
  readonly db: Database
  /** The tenant that publishes and installs. */
  readonly tenant: TenantId
  readonly clock: Clock
  readonly rules: PublishRules
}
