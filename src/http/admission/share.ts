import type { TenantId } from '../../core/ids.ts'
import type { WaitingRequest } from './waiting-request.ts'

/** What one tenant has at work in an isolate, and what of it waits. */
export class Share {
  readonly tenant: TenantId
  slots = 0
  long = 0
  /** Open event streams: until when each is counted at the latest, in milliseconds since 1970. */
  readonly streams = new Set<{ readonly until: number }>()
  /** First come, first served. */
  readonly waiting = new Set<WaitingRequest>()

  constructor(tenant: TenantId) {
    this.tenant = tenant
  }

  get isIdle(): boolean {
    return this.slots + this.long + this.streams.size + this.waiting.size === 0
  }
}
