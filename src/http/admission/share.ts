import type { TenantId } from '../../core/ids.ts'
import type { WaitingRequest } from './waiting-request.ts'

/** Requests of one tenant in an isolate: those at work, and those that wait. */
export class Share {
  readonly tenant: TenantId
  slots = 0
  long = 0
  /** Open event streams, each with the time until which it is counted at the latest, in milliseconds since 1970. */
  readonly streams = new Set<{ readonly until: number }>()
  /** Waiting requests: first come, first served. */
  readonly waiting = new Set<WaitingRequest>()

  constructor(tenant: TenantId) {
    this.tenant = tenant
  }

  get isIdle(): boolean {
    return this.slots + this.long + this.streams.size + this.waiting.size === 0
  }
}
