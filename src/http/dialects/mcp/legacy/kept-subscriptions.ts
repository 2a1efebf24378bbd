import { toFailure } from '../../../../core/failure.ts'
import type { ResourceSubscriptions } from '../context.ts'
import type { Sight } from '../server/resources/sight.ts'
import { FileSubscriptions } from '../server/resources/subscriptions.ts'

/** URIs that a connection is subscribed to, where they outlive its server. */
export interface KeptUris {
  list(): Promise<readonly string[]>
  add(uri: string): Promise<void>
  remove(uri: string): Promise<void>
}

interface Parts {
  readonly sight: Sight
  readonly kept: KeptUris
  /** Hears of a resource that may have changed. */
  readonly changed: (uri: string) => void
  /** Hears that changes are no longer looked for: the stream is to be closed, so that its client opens another one. */
  readonly ended: () => void
}

/**
 * Subscriptions of one connection of the older revisions, watched while its client has a stream open. After an eviction, and after
 * a stream that its server ended, what changed meanwhile is not known: the next stream begins with a notification for each.
 */
export class KeptSubscriptions implements ResourceSubscriptions {
  readonly #parts: Parts
  readonly #files: FileSubscriptions
  #restored: Promise<void> | null = null
  #untold: readonly string[] = []

  constructor(parts: Parts) {
    this.#parts = parts
    this.#files = new FileSubscriptions({ sight: parts.sight, changed: parts.changed, ended: () => this.#end() })
  }

  async watch(uri: string): Promise<void> {
    await this.restore()
    await this.#files.watch(uri)
    await this.#parts.kept.add(uri)
  }

  async unwatch(uri: string): Promise<void> {
    await this.restore()
    this.#files.unwatch(uri)
    await this.#parts.kept.remove(uri)
  }

  /** Makes sure of the subscriptions that were kept. Those whose session is gone, or no longer the key's, are kept no longer. */
  async restore(): Promise<void> {
    this.#restored ??= this.#restore().catch((thrown) => {
      this.#restored = null
      throw thrown
    })
    await this.#restored
  }

  /** Begins to watch, and tells of all that may have been missed. */
  open(): void {
    this.#files.open()
    for (const uri of this.#untold) this.#parts.changed(uri)
    this.#untold = []
  }

  /** Watches no more until it is opened again, and then tells of what changed meanwhile. */
  pause(): void {
    this.#files.pause()
  }

  async #restore(): Promise<void> {
    const { kept } = this.#parts
    const uris = await kept.list()
    for (const uri of uris) {
      const failure = await this.#files.watch(uri).then(() => null, toFailure)
      if (failure === null) continue
      if (failure.code === 'internal' || failure.code === 'unavailable') throw new Error(failure.message)
      await kept.remove(uri)
    }
    this.#untold = uris
  }

  #end(): void {
    this.#files.close()
    this.#restored = null
    this.#parts.ended()
  }
}
