import { fail } from '../../../../core/failure.ts'
import { type Internet, namedHosts } from '../../../../core/internet.ts'
import { isWithin, type TenantInternet } from '../../../../core/tenant-internet.ts'
import type { Services } from '../../../dialect.ts'
import { CANNOT_DENY } from '../../../internet-policy.ts'

/**
 * Refuses a policy of a session that the server cannot keep, or that its tenant may not have.
 * @throws FailureError `invalid_input`
 */
export function refuseInternet(
  internet: Internet | null | undefined,
  { ceiling }: TenantInternet,
  { canDenyInternet }: Pick<Services, 'canDenyInternet'>,
): void {
  if (internet === undefined || internet === null) return
  if (internet !== true && !canDenyInternet) fail('invalid_input', CANNOT_DENY)
  if (isWithin(internet, ceiling)) return
  fail(
    'invalid_input',
    typeof ceiling === 'boolean'
      ? 'internet: the owner of this server keeps sessions of your tenant from the network; give false, or leave it out'
      : `internet: the owner of this server lets sessions of your tenant reach no more than ${namedHosts(ceiling)}; give some of these hosts, or false, or leave it out`,
  )
}
