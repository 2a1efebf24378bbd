import type { TenantId } from '../core/ids.ts'
import type { Scope } from '../ports/keys.ts'

export type { Scope }

/** Who asks: made from a credential by `authenticate`, and by nothing else. */
export interface Principal {
  readonly tenant: TenantId
  readonly scopes: readonly Scope[]
  /** The public part of the key; null for the open tenant of a local server. */
  readonly keyId: string | null
}

/** `admin` may all; `execute` may read. */
export function may({ scopes }: Principal, scope: Scope): boolean {
  return scopes.includes('admin') || scopes.includes(scope) || (scope === 'read' && scopes.includes('execute'))
}
