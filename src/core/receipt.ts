/** Costs of a call, as far as its tenant has prices and the call has ended. */
export type CallCosts = Pick<Receipt, 'cost' | 'calls_cost'>

/** Receipt: where a call ran, what it took, and what it cost. All times in milliseconds. */
export interface Receipt {
  /** `edge`: no sandbox was needed; `vm-warm`: in a sandbox that was there; `vm-cold`: one had to be made. */
  readonly executed_on: 'edge' | 'vm-warm' | 'vm-cold'
  /** Time spent waiting for other calls of the session. */
  readonly queued_ms: number
  /** Time spent making or waking the sandbox, packages included. */
  readonly boot_ms: number
  /** Time spent carrying files into the sandbox and back. */
  readonly sync_ms: number
  /** Time spent on the work itself. */
  readonly exec_ms: number
  /**
   * Money that the call adds to the tenant's usage, by the tenant's prices at its beginning, in millionths of the currency. Calls that it made
   * and that have entries of their own in the history are not in it. Left out for a tenant without prices, for a call that a limit or the
   * lack of a right kept from beginning, and while the work goes on.
   */
  readonly cost?: number
  /**
   * Costs of the calls that it made and that have entries of their own, as far as they had ended before it, with those that they made.
   * Left out where there are none.
   */
  readonly calls_cost?: number
}
