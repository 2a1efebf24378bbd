import type { Internet } from '../../core/internet.ts'
import { TAKE_SPARE_MS } from '../../core/limits/spares.ts'
import { isNoSandbox } from '../../core/rate-limited.ts'
import { settledWithin } from '../../core/settled-within.ts'
import type { Sandbox, SandboxHost } from '../../ports/sandbox.ts'
import type { SandboxSpares, Spare } from '../../ports/sandbox-spares.ts'
import type { Prepared } from './bootstrap.ts'
import type { SandboxStateStore } from './sandbox-state.ts'
import { HAS_INTERNET } from './spare-maker.ts'

/** The deployment's spare sandboxes, and the shape of those that fit this session. */
export interface SessionSpares {
  readonly api: SandboxSpares
  /** Shape, as in `SpareMaker.shape`, of the sandbox that the session would make; null where no spares are kept. */
  readonly shape: ((internet: Internet) => string) | null
  /** Tenant of the session. */
  readonly tenant: string
}

export interface SourceParts {
  readonly host: SandboxHost
  readonly spares: SessionSpares
  readonly store: SandboxStateStore
  /** Internet policy of the next sandbox; HAS_INTERNET when left out. */
  readonly internet?: () => Promise<Internet>
  /** Labels for people who look at the account of the sandbox provider. */
  readonly labels: Readonly<Record<string, string>>
  readonly logError: (thrown: unknown) => void
}

/** A sandbox without files: a spare, or one made for the session. */
export interface NewSandbox {
  readonly sandbox: Sandbox
  /** Null for a sandbox that must still be prepared; spares are prepared already. */
  readonly prepared: (Prepared & Pick<Spare, 'supervisorPid'>) | null
}

/** Notes that the sandbox requested under `label` is the session's. */
type Begin = (label: string, made: NewSandbox) => void

/** Prefix of a label under which a spare was requested. Any other label is that of a sandbox. */
const TAKING = 'taking:'

/**
 * Source of a session's sandboxes, which also ends discarded ones. Whatever happens meanwhile, each is known by the label
 * of its request.
 */
export class SandboxSource {
  readonly #parts: SourceParts
  /** Label of the sandbox being requested. */
  #expected: string | null = null

  constructor(parts: SourceParts) {
    this.#parts = parts
  }

  /** Internet policy of the next sandbox. */
  async internet(): Promise<Internet> {
    return (await this.#parts.internet?.()) ?? HAS_INTERNET
  }

  /** A new sandbox, not yet prepared. @throws as `SandboxHost.create` */
  create(idleMs: number, internet: Internet, begin: Begin): Promise<Sandbox> {
    const { host, labels, store } = this.#parts
    return this.#expecting(crypto.randomUUID(), async (label) => {
      try {
        const sandbox = await host.create({ labels: { ...labels, boot: label }, idleMs, internet })
        begin(label, { sandbox, prepared: null })
        return sandbox
      } catch (thrown) {
        // The provider made none.
        if (isNoSandbox(thrown)) store.ended(label)
        throw thrown
      }
    })
  }

  /** A spare sandbox, if there is one now for that policy. No failure of it matters: the session can make a sandbox of its own. */
  async takeSpare(idleMs: number, internet: Internet, signal: AbortSignal, begin: Begin): Promise<NewSandbox | null> {
    const { host, spares, store, logError } = this.#parts
    const { api, shape, tenant } = spares
    if (shape === null) return null
    let mayHaveLeft = true
    const taken = await this.#expecting(`${TAKING}${crypto.randomUUID()}`, async (label) => {
      try {
        const answer = await settledWithin(api.takeSpare(label, shape(internet), tenant), TAKE_SPARE_MS)
        if (answer === null) throw new Error('who keeps spare sandboxes does not answer')
        if (answer.value === null) {
          store.ended(label)
          mayHaveLeft = false
          return null
        }
        const { sandboxId, ...prepared } = answer.value
        const sandbox = await host.connect(sandboxId, idleMs, signal)
        if (!sandbox) return null
        const spare = { sandbox, prepared }
        begin(label, spare)
        // The answer is not awaited: a spare noted in both places is the session's.
        api.keepSpare(label).catch(logError)
        return spare
      } catch (thrown) {
        logError(thrown)
        return null
      }
    })
    // The call continues meanwhile, with a sandbox made for it.
    if (!taken && mayHaveLeft) void this.tryEndDiscarded()
    return taken
  }

  /** Ends the discarded sandboxes. @throws the provider's error; the rest must still be ended */
  async endDiscarded(): Promise<void> {
    const { host, spares, store } = this.#parts
    for (const { label, id } of store.left()) {
      if (label === this.#expected) continue
      if (id !== null) await host.kill(id)
      else if (label.startsWith(TAKING)) await spares.api.dropSpare(label)
      else await host.killLabelled({ boot: label })
      store.ended(label)
    }
  }

  /** Ends discarded sandboxes as {@link endDiscarded} does, without its errors: the attempt will be repeated. */
  async tryEndDiscarded(): Promise<void> {
    await this.endDiscarded().catch(this.#parts.logError)
  }

  async #expecting<T>(label: string, ask: (label: string) => Promise<T>): Promise<T> {
    this.#parts.store.expect(label)
    this.#expected = label
    try {
      return await ask(label)
    } finally {
      this.#expected = null
    }
  }
}
