import type { Tone } from '../../parts/tone.ts'

/** Reach of commands in sandboxes: all, nothing, or these hosts. */
export type Internet = boolean | readonly string[]

/** A tenant, as `/admin/tenants` has it. */
export interface Tenant {
  readonly id: string
  readonly name: string
  readonly jurisdiction: string | null
  readonly location_hint: string | null
  readonly created_at: string
  readonly disabled: boolean
  readonly deleted_at: string | null
  readonly purged_at: string | null
  readonly internet: { readonly default: Internet; readonly ceiling: Internet }
  readonly warm_sandboxes: number
}

/** How a tenant stands, in one word. */
export type TenantState = 'active' | 'disabled' | 'deleting' | 'deleted'

/** Tones of the states of tenants. */
export const TENANT_TONES: Readonly<Record<TenantState, Tone>> = {
  active: 'good',
  disabled: 'warn',
  deleting: 'busy',
  deleted: 'plain',
}

/** State of a tenant: a deleted one is disabled too. */
export function stateOf({ disabled, deleted_at, purged_at }: Tenant): TenantState {
  if (purged_at) return 'deleted'
  if (deleted_at) return 'deleting'
  return disabled ? 'disabled' : 'active'
}

/** Progress of a deletion, and its receipt in the end. */
export interface Deletion {
  readonly status: 'deleting' | 'deleted'
  readonly step: string | null
  readonly requested_at: string
  readonly ended_at: string | null
  readonly sessions: { readonly total: number; readonly removed: number }
  readonly objects: { readonly removed: number; readonly bytes: number }
  readonly rows: Readonly<Record<string, number>> | null
  readonly problem: string | null
}

/** A plan that is sold, and its metered prices. */
export interface Plan {
  readonly name: string
  readonly currency: string
  readonly month: string
  readonly meters: readonly object[]
}

/** An invitation; its token is in the answer that makes it alone. */
export interface Invitation {
  readonly id: string
  readonly name: string
  readonly plan: string | null
  readonly uses: number
  readonly uses_left: number
  readonly tenants: readonly string[]
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
}

/** Sums of use. Seconds, and cost in millionths. */
export interface Sums {
  readonly calls: number
  readonly failed: number
  readonly refused: number
  readonly bytes_in: number
  readonly bytes_out: number
  readonly sandbox_seconds: number
  readonly sandbox_running_seconds: number
  readonly cost: number
}

/** Use of a tenant in a month; null where it went with a deleted tenant. */
export interface TenantUse {
  readonly tenant: string
  readonly name: string
  readonly use: Sums | null
  readonly days?: readonly { readonly day: string; readonly use: Sums }[]
}

/** Debt of a tenant for a month. Amounts are decimal numbers in texts. */
export interface Invoice {
  readonly tenant: string
  readonly name: string
  readonly plan: string | null
  readonly currency: string | null
  readonly total: string | null
}

/** Path of a tenant at the server, with segments below it, each encoded. */
export const pathOfTenant = (tenant: string, ...segments: readonly string[]): string =>
  ['/admin/tenants', ...[tenant, ...segments].map(encodeURIComponent)].join('/')
