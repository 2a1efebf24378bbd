/** Where a call ran and what it cost. All times in milliseconds. */
export interface Receipt {
  /** `edge`: no machine was needed; `vm-warm`: in a sandbox that was there; `vm-cold`: one had to be made. */
  readonly executed_on: 'edge' | 'vm-warm' | 'vm-cold'
  /** Waiting for other calls of the session. */
  readonly queued_ms: number
  /** Making or waking the sandbox, packages included. */
  readonly boot_ms: number
  /** Carrying files into the sandbox and back. */
  readonly sync_ms: number
  /** The work itself. */
  readonly exec_ms: number
}
