import { SANDBOX_METERED_MS } from '../../core/limits/usage.ts'
import type { SandboxTime } from '../../tenant/calls-api.ts'
import type { SandboxMeterState, SandboxState, SandboxStateStore } from './sandbox-state.ts'

/** Time of a sandbox that is to be counted, with the key of the last call that used the sandbox; null for none. */
export interface MeteredTime extends SandboxTime {
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly key: string | null
}

interface Parts {
  readonly store: SandboxStateStore
  readonly now: () => number
  /** Whether nothing can be written: time waits until then. */
  readonly isFull: () => boolean
  /** Writes time that is over, in one transaction with `change`, which notes that it is written. */
  readonly write: (time: MeteredTime, change: () => void) => void
}

/**
 * Meter of the time for which the session's sandbox runs and is paused. The stored state says up to when that is written, and until
 * when the provider lets the sandbox run at most: so a crash loses no time, and none is written twice. Time between a crash and the
 * next look at the sandbox counts as running up to the provider's end, and as paused from there.
 */
export class SandboxMeter {
  readonly #parts: Parts
  /** Key of the last call that used the sandbox; undefined before the first one since the session was opened. */
  #key: string | null | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Account of a sandbox that runs from now on. @param until end of the time that the provider was told */
  begun(until: number): SandboxMeterState {
    return { to: this.#parts.now(), until, key: this.#key ?? null }
  }

  /** Notes the use by a call. @param key undefined for work that is no call's */
  usedBy(key: string | null | undefined): void {
    if (key === undefined) return
    this.#key = key
    const { meter } = this.#state ?? {}
    if (meter && meter.key !== key) this.settle()
  }

  /** Notes that the sandbox runs, and that the provider was told to let it run until then at least. */
  awake(until: number): void {
    this.#runsUntil(until, { atLeast: true })
  }

  /** Notes that the provider was told to let the running sandbox run until then, and no longer. */
  extended(until: number): void {
    this.#runsUntil(until, { atLeast: false })
  }

  #runsUntil(until: number, { atLeast }: { readonly atLeast: boolean }): void {
    const { store, now, isFull } = this.#parts
    const state = this.#state
    if (!state) return
    const { meter, paused } = state
    if (!meter || paused || meter.until < now()) {
      this.#settle(state, { paused: false }, until)
      return
    }
    const end = atLeast ? Math.max(meter.until, until) : until
    if (end !== meter.until && !isFull()) store.update(state.sandboxId, { meter: { ...meter, until: end } })
  }

  /** Notes that the sandbox is paused. */
  paused(): void {
    const state = this.#state
    if (state) this.#settle(state, { paused: true })
  }

  /** Writes the time until now. */
  settle(): void {
    const state = this.#state
    if (state?.meter) this.#settle(state)
  }

  /** Writes the time of a running sandbox now and then: usage is late by SANDBOX_METERED_MS at most. */
  keepUp(): void {
    const { meter, paused } = this.#state ?? {}
    if (meter && !paused && this.#parts.now() - meter.to >= SANDBOX_METERED_MS) this.settle()
  }

  get #state(): SandboxState | null {
    return this.#parts.store.load()
  }

  #settle(state: SandboxState, changes: Pick<SandboxState, 'paused'> = {}, until = state.meter?.until ?? 0): void {
    const { store, now, isFull, write } = this.#parts
    const isPause = changes.paused !== undefined && changes.paused !== (state.paused === true)
    if (!isPause && isFull()) return
    const { meter } = state
    const to = now()
    const key = this.#key === undefined ? (meter?.key ?? null) : this.#key
    const change = () => store.update(state.sandboxId, { ...changes, meter: { to, until, key } })
    const time = meter && timeOf(meter, state.paused === true, to)
    if (time) write(time, change)
    else change()
  }
}

/** Time since the last that was written; null for none, as when the clock was set back. */
function timeOf({ to: from, until, key }: SandboxMeterState, isPaused: boolean, to: number): MeteredTime | null {
  if (to <= from) return null
  const ranTo = isPaused ? from : Math.min(Math.max(from, until), to)
  return { startedAt: from, key, runningMs: ranTo - from, pausedMs: to - ranTo }
}
