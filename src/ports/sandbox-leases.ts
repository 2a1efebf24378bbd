import type { Failure } from '../core/failure.ts'

/**
 * Leases of running sandboxes, of all tenants of a deployment: a session holds one while its sandbox runs. All values are plain
 * data, since this is the RPC surface of the object that grants leases.
 */
export interface SandboxLeases {
  /**
   * Queues until the session may have a running sandbox. A session that has a lease gets it again at once.
   * @returns `rate_limited` when none came free in time
   */
  acquire(request: LeaseRequest): Promise<LeaseAnswer>
  /** Notes that the session's sandbox runs for `holdMs`, whatever was noted before. */
  renew(holder: string, holdMs: number): Promise<void>
  /** Ends the session's lease, and its place in the queue: its sandbox runs no more, or it wants none any more. */
  release(holder: string): Promise<void>
  /**
   * Queues until the session may make a sandbox, of which the account makes so many in a second.
   * @param waitMs 0 for now or not at all
   * @returns false when it had no turn in time
   */
  mayCreate(holder: string, waitMs: number): Promise<boolean>
  /** Whether others wait for the session's idle sandbox, which is to be paused then. */
  wantsBack(holder: string): Promise<boolean>
}

/** Leases of one tenant. */
export interface LeaseList {
  /** Sessions of the tenant with a lease, by the names of their objects. */
  holdersOf(tenant: string): Promise<readonly string[]>
}

/** Running sandboxes of the deployment, for the operator. */
export interface LeaseCount {
  countRunning(): Promise<number>
}

export interface LeaseAnswer {
  readonly failure?: Failure
  /** True when no spare is kept or waits for any session, so that it is no use to ask for one. Left out where that is unknown. */
  readonly noSpares?: true
}

export interface LeaseRequest {
  /** The session, by the name of its object: `tenant/session`. */
  readonly holder: string
  /** Time after which the lease ends by itself. */
  readonly holdMs: number
  /** Time to wait for a lease; 0 for now or not at all. */
  readonly waitMs: number
  /**
   * The host had no room for the sandbox, though the session has a lease: the lease is taken back, and granted again when there
   * may be room.
   */
  readonly hostIsFull?: boolean
}

/** Use of a sandbox by a session, as the session's own object knows it. */
export type SandboxUse =
  /** No sandbox runs, and nothing is about to start one. */
  | { readonly state: 'none' }
  /** A call, a command or a job is under way in the sandbox. */
  | { readonly state: 'busy' }
  | {
      readonly state: 'idle'
      /** Time since the last call ended, in milliseconds. */
      readonly quietMs: number
      /** Processes that calls left behind may still run in the sandbox. */
      readonly background: boolean
    }

/** A session, as the object that grants leases sees it. */
export interface LeaseHolder {
  sandboxUse(): Promise<SandboxUse>
  /**
   * Pauses the session's sandbox for others and releases its lease; a busy one is paused when its work ends, if that is soon and
   * it is still wanted.
   */
  giveSandboxBack(): Promise<void>
}
