import { FailureError } from '../../src/core/failure.ts'
import type { ConsoleSessionsParts } from '../../src/http/dialects/v1/keys/console-sessions.ts'
import type { KeysParts } from '../../src/http/dialects/v1/keys/keys-parts.ts'
import type { SignUpParts } from '../../src/http/dialects/v1/sign-up.ts'
import type { ConsoleSessionStore } from '../../src/ports/console-sessions.ts'
import type { InvitationStore } from '../../src/ports/invitations.ts'
import type { KeyStore } from '../../src/ports/keys.ts'

const failing: unknown = new Proxy(
  {},
  {
    get: () => async () => {
      throw new FailureError({ code: 'upstream', message: 'no keys are kept here' })
    },
  },
)

/** Keys of a dialect that no test asks for any: the store fails, and nothing signs. */
export const NO_KEYS: KeysParts & SignUpParts & Omit<ConsoleSessionsParts, 'adminToken'> = {
  keys: failing as KeyStore,
  invitations: failing as InvitationStore,
  consoleSessions: { end: async () => false },
  consoleSessionStore: failing as ConsoleSessionStore,
  staying: [],
  auditOf: () => ({ noteKey: async () => undefined }),
  clock: { now: () => Date.now() },
  signer: null,
}
