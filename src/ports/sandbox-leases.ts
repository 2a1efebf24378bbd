import type { Failure } from '../core/failure.ts'

/**
 * Leases of running sandboxes, of all tenants of a deployment: a session has one while its sandbox runs. Everything is
 * plain data, since this is the RPC surface of the object that grants them.
 */
export interface SandboxLeases {
  /**
   * Waits in turn until the session may have a running sandbox. A session that has a lease gets it again at once.
   * @returns `rate_limited` when none came free in time
   */
  acquire(request: LeaseRequest): Promise<{ readonly failure?: Failure }>
  /** Notes that the session's sandbox runs for that long, whatever was noted before. */
  renew(holder: string, holdMs: number): Promise<void>
  /** The session's sandbox runs no more, or it wants none any more: its place in the queue goes too. */
  release(holder: string): Promise<void>
  /** Whether others wait for the session's sandbox, which is not at work now: then it is to be paused. */
  wantsBack(holder: string): Promise<boolean>
}

export interface LeaseRequest {
  /** The session, by the name of its object: `tenant/session`. */
  readonly holder: string
  /** The lease ends by itself after that long. */
  readonly holdMs: number
  /** How long it may take; 0 for now or not at all. */
  readonly waitMs: number
  /** The host had no room for the sandbox, though the session has a lease: it is taken back, and given when there may be room. */
  readonly hostIsFull?: boolean
}

/** How a session uses its sandbox, as its own object knows it. */
export type SandboxUse =
  /** None runs, and nothing is about to start one. */
  | { readonly state: 'none' }
  /** A call, a command or a job is under way in it. */
  | { readonly state: 'busy' }
  | {
      readonly state: 'idle'
      /** Since the last call ended, in milliseconds. */
      readonly quietMs: number
      /** Processes may go on in it that calls left behind. */
      readonly background: boolean
    }

/** A session, as it is asked by who grants leases. */
export interface LeaseHolder {
  sandboxUse(): Promise<SandboxUse>
  /**
   * Others wait for a sandbox. Pauses the session's own and releases its lease; one that is at work when that ends, if that is
   * soon and it is wanted still.
   */
  giveSandboxBack(): Promise<void>
}
