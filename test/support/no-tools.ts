import { FailureError } from '../../src/core/failure.ts'
import type { TenantApi } from '../../src/tenant/api.ts'

/** No limits, for ever. */
export const NO_LIMITS = { version: 0, rules: [], isBusy: false }

const absent = async (): Promise<never> => {
  throw new FailureError({ code: 'not_found', message: 'no tools are registered here' })
}

/** A tenant that registered no tools. */
export const NO_TOOLS = {
  tools: {
    change: absent,
    dryRunChain: async () => ({ ok: false, issues: [], steps: [], output: null }),
    list: async () => ({ tools: [], total: 0 }),
    since: async () => ({ revision: 0, anew: false, tools: [], gone: [], more: false }),
    find: absent,
    versions: absent,
  },
  toolkits: { listed: async () => [], change: async () => false },
  calls: {
    permit: absent,
    begin: absent,
    admit: async () => ({ granted: [], tight: false, lease: NO_LIMITS }),
    end: async () => NO_LIMITS,
  },
  limits: { read: async () => ({ rules: [], prices: [] }), put: async () => true },
  usage: { read: absent, rows: absent },
  market: { pace: async () => 0, note: async () => {} },
  audit: {
    page: async () => ({ lines: [], next: null }),
    head: async () => ({ seq: 0, hash: '0' }),
    noteKey: async () => {},
    noteSignIn: async () => {},
    noteLink: async () => {},
    noteFiles: async () => {},
    noteDenied: async () => {},
  },
} satisfies Partial<TenantApi>
