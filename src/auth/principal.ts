import type { TenantId } from '../core/ids.ts'
import type { Scope } from '../ports/keys.ts'
import { includesScope, type Restrictions } from './restrictions.ts'

export type { Scope }

/** The caller of a request: made from a credential by `authenticate`, and by nothing else. */
export interface Principal {
  readonly tenant: TenantId
  readonly scopes: readonly Scope[]
  /**
   * Public part of the key, with those of its ancestors (`core/key-chain`), or the id of a token's subject (`token`); null for the open
   * tenant of a local server.
   */
  readonly keyId: string | null
  /** Restrictions of a child key, and the end of a token; absent for other keys, which may do all that their scopes say. */
  readonly restrictions?: Restrictions
}

/** Whether a principal has a scope: `admin` includes all, `execute` includes reading. */
export const may = ({ scopes }: Principal, scope: Scope): boolean => includesScope(scopes, scope)
