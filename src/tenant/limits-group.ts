import type { Actor } from '../core/actor.ts'
import type { ServedGroup } from '../core/served.ts'
import { type LimitSettings, limitsTag } from '../registry/limit-settings.ts'
import type { LimitsApi } from './api.ts'
import type { RunningBuiltin } from './calls-api.ts'
import { tellAll } from './lease-holders.ts'
import type { ToolCalls } from './tool-calls.ts'
import type { Upkeep } from './upkeep.ts'

interface Parts {
  readonly calls: ToolCalls
  readonly upkeep: Pick<Upkeep, 'plan'>
  /** Informs a session of a new version of the limits. @returns the running calls that the tenant has not counted */
  readonly limitsChanged: (session: string, version: number) => Promise<readonly RunningBuiltin[]>
  readonly logError: (thrown: unknown) => void
}

/** Limits of a tenant's calls, and the sessions that must know them. */
export class LimitsGroup implements ServedGroup<LimitsApi> {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  read(): LimitSettings {
    return this.#parts.calls.limits
  }

  async put(settings: LimitSettings, by: Actor, known?: string): Promise<boolean> {
    const { calls, upkeep } = this.#parts
    // Nothing is waited for between the look and the change.
    if (known !== undefined && limitsTag(this.read()) !== known) return false
    calls.putLimits(settings, by)
    await upkeep.plan()
    const { version, sessions } = calls.holders()
    await tellAll(sessions, (session) => this.#tell(session, version))
    return true
  }

  /** Informs a session of new limits. The lease of a session out of reach expires by itself. */
  async #tell(session: string, version: number): Promise<void> {
    const { calls, limitsChanged, logError } = this.#parts
    try {
      calls.join(await limitsChanged(session, version))
    } catch (thrown) {
      logError(thrown)
    }
  }
}
