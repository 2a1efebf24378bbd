import type { TenantId } from '../core/ids.ts'

/** Metered amounts that a plan can have a price for; times in seconds, `tool_cost` in the currency of the tenant's prices of tools. */
export const METERS = [
  'calls',
  'sandbox_running_seconds',
  'sandbox_paused_seconds',
  'sandbox_seconds',
  'bytes_in',
  'bytes_out',
  'tool_cost',
] as const
export type Meter = (typeof METERS)[number]

/** Price of a metered amount. */
export interface MeterPrice {
  readonly meter: Meter
  /** Amount of a month that costs nothing more. */
  readonly included: number
  /** Price, as a decimal number in the plan's currency, of `per` units above. */
  readonly price: string
  readonly per: number
}

export interface Plan {
  readonly name: string
  /** Code of the currency: three letters. */
  readonly currency: string
  /** Price of a month, as a decimal number with two digits at most behind its point. */
  readonly month: string
  readonly meters: readonly MeterPrice[]
}

/** Plans, and which tenants have them. Every method throws FailureError `upstream` when the store cannot be reached. */
export interface PlanStore {
  /** Plans by name, from behind the one of that name; all of them without a page. */
  list(page?: { readonly limit: number; readonly after: string }): Promise<readonly Plan[]>
  /** Adds a plan, or changes it. @returns false when there are `most` others already */
  put(plan: Plan, at: number, most: number): Promise<boolean>
  /** Removes a plan that no tenant has and no invitation gives. @returns why it was not removed, or null */
  remove(name: string, at: number): Promise<'no such plan' | 'in use' | null>
  /** Names of the plans of those of the tenants that have one. */
  ofTenants(tenants: readonly TenantId[]): Promise<ReadonlyMap<string, string>>
  /** Gives a tenant a plan, or takes it. @returns false when there is no such plan */
  assign(tenant: TenantId, plan: string | null): Promise<boolean>
}
