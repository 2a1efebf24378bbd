import type { Receipt } from '../core/receipt.ts'

type Phase = 'queued' | 'boot' | 'sync' | 'exec'

/** Sums up where the time of one call went. */
export class Stopwatch {
  readonly now: () => number
  readonly #start: number
  readonly #spent: Record<Phase, number> = { queued: 0, boot: 0, sync: 0, exec: 0 }
  #where: Receipt['executed_on'] = 'edge'

  constructor(now: () => number) {
    this.now = now
    this.#start = now()
  }

  add(phase: Phase, ms: number): void {
    this.#spent[phase] += ms
  }

  /** A call that made a sandbox stays `vm-cold`, whatever it ran later. */
  ranOn(where: Receipt['executed_on']): void {
    if (this.#where !== 'vm-cold') this.#where = where
  }

  /** Time of commands in the sandbox, in milliseconds; of concurrent commands the sum. */
  get sandboxMs(): number {
    return this.#spent.exec
  }

  /** Time spent waiting for other calls of the session, in milliseconds. */
  get queuedMs(): number {
    return this.#spent.queued
  }

  /** Receipt of the call. At the edge all time is the work itself, waiting apart. */
  receipt(): Receipt {
    const { queued, boot, sync, exec } = this.#spent
    const total = this.now() - this.#start
    return {
      executed_on: this.#where,
      queued_ms: queued,
      boot_ms: boot,
      sync_ms: sync,
      exec_ms: this.#where === 'edge' ? total - queued - sync : exec,
    }
  }
}
