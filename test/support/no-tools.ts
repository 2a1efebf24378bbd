import type { TenantApi } from '../../src/tenant/api.ts'

/** No limits, for ever. */
export const NO_LIMITS = { version: 0, rules: [], isBusy: false }

const absent = { failure: { code: 'not_found', message: 'no tools are registered here' } } as const

/** A tenant that registered no tools. */
export const NO_TOOLS = {
  changeTools: async () => absent,
  dryRunChain: async () => ({ ok: false, issues: [], steps: [], output: null }),
  listTools: async () => ({ tools: [], total: 0 }),
  toolsSince: async () => ({ revision: 0, anew: false, tools: [], gone: [], more: false }),
  findTool: async () => absent,
  listToolVersions: async () => absent,
  permitCall: async () => absent,
  beginCall: async () => absent,
  admitCall: async () => ({ granted: [], tight: false, lease: NO_LIMITS }),
  endCalls: async () => NO_LIMITS,
  readLimits: async () => ({ rules: [], prices: [] }),
  putLimits: async () => {},
  paceMarket: async () => 0,
  noteMarket: async () => {},
  noteKey: async () => {},
  readUsage: async () => absent,
  readAudit: async () => ({ lines: [], next: null }),
  auditHead: async () => ({ seq: 0, hash: '0' }),
  noteDenied: async () => {},
} satisfies Partial<TenantApi>
