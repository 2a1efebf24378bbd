import { SANDBOX_QUIET_MS, SANDBOX_WAIT_MS } from '../../src/core/limits/leases.ts'
import type { SandboxLeases } from '../../src/ports/sandbox-leases.ts'

const leases: SandboxLeases = {
  acquire: async () => ({}),
  renew: async () => undefined,
  release: async () => undefined,
  wantsBack: async () => false,
}

/** What a session is told of leases where there are sandboxes for all. */
export const ENOUGH_SANDBOXES = {
  leases,
  holder: 'test/bench',
  quietMs: SANDBOX_QUIET_MS,
  waitMs: SANDBOX_WAIT_MS,
}
