import type { Context } from 'hono'
import { OPEN_ROOT } from '../../../../auth/child-key.ts'
import type { Principal } from '../../../../auth/principal.ts'
import { FailureError, fail } from '../../../../core/failure.ts'
import { descendsFrom, isChildKey } from '../../../../core/key-chain.ts'
import type { AppEnv } from '../../../dialect.ts'
import { NO_CHILD } from '../../../tenant-keys/tenant-keys.ts'

/** The caller, whose key was found good. @throws FailureError `unauthenticated` */
export function principalOf({ env: { caller } }: Context<AppEnv>): Principal {
  if ('failure' in caller) throw new FailureError(caller.failure)
  return caller.principal
}

/** Id of the caller's key in chains; the open tenant of a local server has one there, too. */
export const ownId = ({ keyId }: Principal): string => keyId ?? OPEN_ROOT

/** Lets keys of the tenant pass, and no child key. @throws FailureError `forbidden` */
export function refuseChild({ keyId }: Principal): void {
  if (isChildKey(keyId)) fail('forbidden', NO_CHILD, { data: { missingScope: 'owner' } })
}

/**
 * Whether the caller may see and revoke a child key: itself, one below it, or, for a key of the tenant with the scope `admin`, any.
 */
export const reaches = (principal: Principal, id: string): boolean =>
  id === ownId(principal) ||
  descendsFrom(id, ownId(principal)) ||
  (!isChildKey(principal.keyId) && principal.scopes.includes('admin'))

/** @throws FailureError `not_found`, in the same words whether there is such a key or not */
export const noSuchKey = (): never =>
  fail(
    'not_found',
    'there is no such key that this one may see; GET /v1/keys/current/children lists those that it minted',
  )
