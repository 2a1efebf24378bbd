import { FailureError } from '../../src/core/failure.ts'
import type { KeysParts } from '../../src/http/dialects/v1/keys/keys-parts.ts'
import type { KeyStore } from '../../src/ports/keys.ts'

/** Keys of a dialect that no test asks for any: the store fails, and nothing signs. */
export const NO_KEYS: KeysParts = {
  keys: new Proxy({} as KeyStore, {
    get: () => async () => {
      throw new FailureError({ code: 'upstream', message: 'no keys are kept here' })
    },
  }),
  clock: { now: () => Date.now() },
  signer: null,
}
