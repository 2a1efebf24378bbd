/** Receipt: where a call ran and what it cost. All times in milliseconds. */
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
}
