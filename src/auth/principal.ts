import type { TenantId } from '../core/ids.ts'
import type { Scope } from '../ports/keys.ts'

export type { Scope }

/** The caller of a request: made from a credential by `authenticate`, and by nothing else. */
export interface Principal {
  readonly tenant: TenantId
  readonly scopes: readonly Scope[]
  /** Public part of the key; null for the open tenant of a local server. */
  readonly keyId: string | null
}

/** Whether a principal has a scope: `admin` includes all, `execute` includes reading. */
export function may({ scopes }: Principal, scope: Scope): boolean {
  return scopes.includes('admin') || scopes.includes(scope) || (scope === 'read' && scopes.includes('execute'))
}
