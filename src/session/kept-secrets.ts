import { SECRET_KEPT_MS } from '../core/limits/tenants.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Admission } from './admission.ts'

interface Parts {
  /** Asks the tenant. */
  readonly secrets: Secrets
  readonly admission: Pick<Admission, 'secretsRevision'>
  readonly now: () => number
}

interface Kept {
  readonly value: string
  /** Revision of the session's lease when it asked: the value is of that one, or newer. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly until: number
}

/**
 * Secrets that the session has opened, in memory alone. They are used again under its lease of the tenant's tools: the tenant informs
 * each session with a lease before it answers the change of a secret. That a name has no secret is never kept.
 */
export class KeptSecrets {
  readonly #parts: Parts
  readonly #kept = new Map<string, Kept>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  readonly open: Secrets = async (name) => {
    const { secrets, admission, now } = this.#parts
    const revision = admission.secretsRevision
    const kept = this.#kept.get(name)
    if (kept && kept.revision === revision && now() < kept.until) return kept.value
    this.#kept.delete(name)
    const until = now() + SECRET_KEPT_MS
    const value = await secrets(name)
    if (value !== null && revision !== null && admission.secretsRevision === revision)
      this.#kept.set(name, { value, revision, until })
    return value
  }

  /** Drops all of them. */
  drop(): void {
    this.#kept.clear()
  }
}
