import type { ChildSigner } from '../../../../auth/child-signer.ts'
import type { Clock } from '../../../../ports/clock.ts'
import type { KeyStore } from '../../../../ports/keys.ts'

/** Parts of the server that the routes of keys use. */
export interface KeysParts {
  readonly keys: KeyStore
  readonly clock: Clock
  /** Null on a server without a secret that could sign child keys. */
  readonly signer: ChildSigner | null
}
