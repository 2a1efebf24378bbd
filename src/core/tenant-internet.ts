import type { Internet } from './internet.ts'
import { MAX_INTERNET_HOSTS } from './limits/sessions.ts'

/** Internet policies for the sessions of a tenant, set by the owner of the server. */
export interface TenantInternet {
  /** Policy of sessions that have none of their own. */
  readonly default: Internet
  /** Policy that no session exceeds, whatever it has of its own. */
  readonly ceiling: Internet
}

/** Policies of a tenant for which none were set. */
export const UNRESTRICTED: TenantInternet = { default: true, ceiling: true }

/** Policy in force for a session. @param own null for a session that has none of its own */
export const sessionInternet = (own: Internet | null, { default: usual, ceiling }: TenantInternet): Internet =>
  commonInternet(own ?? usual, ceiling)

/** Whether a policy allows nothing that the other one forbids. */
export function isWithin(internet: Internet, ceiling: Internet): boolean {
  if (internet === false || ceiling === true) return true
  if (internet === true || ceiling === false) return false
  return internet.every((host) => includesHost(ceiling, host))
}

/** Policy for what both allow. Two lists may have more hosts in common than a list has: those behind MAX_INTERNET_HOSTS are left out. */
function commonInternet(one: Internet, other: Internet): Internet {
  if (isWithin(one, other)) return one
  if (typeof one === 'boolean' || typeof other === 'boolean') return other
  const common = new Set([
    ...one.filter((host) => includesHost(other, host)),
    ...other.filter((host) => includesHost(one, host)),
  ])
  return common.size > 0 ? [...common].sort().slice(0, MAX_INTERNET_HOSTS) : false
}

/** Whether a list has a host, or all that a `*.` stands for. */
const includesHost = (list: readonly string[], host: string): boolean =>
  list.some((listed) => listed === host || (listed.startsWith('*.') && host.endsWith(listed.slice(1))))
