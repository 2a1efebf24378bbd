import { SANDBOX_QUIET_MS, SANDBOX_WAIT_MS } from '../../src/core/limits/leases.ts'
import type { SandboxLeases } from '../../src/ports/sandbox-leases.ts'
import type { SessionSpares } from '../../src/session/sandbox/sandbox-source.ts'

const leases: SandboxLeases = {
  acquire: async () => ({}),
  renew: async () => undefined,
  release: async () => undefined,
  mayCreate: async () => true,
  wantsBack: async () => false,
}

const NO_SPARES: SessionSpares = {
  api: {
    takeSpare: async () => null,
    keepSpare: async () => undefined,
    dropSpare: async () => undefined,
    warmSpares: async () => undefined,
    poolsChanged: async () => undefined,
  },
  shape: null,
  tenant: 'test',
}

/** Leases for a session where there are sandboxes for all. */
export const ENOUGH_SANDBOXES = {
  leases,
  spares: NO_SPARES,
  holder: 'test/bench',
  quietMs: SANDBOX_QUIET_MS,
  waitMs: SANDBOX_WAIT_MS,
}
