import { fail } from '../../../../../core/failure.ts'
import type { SessionName } from '../../../../../core/ids.ts'
import type { SessionApi } from '../../../../../session/api.ts'
import type { McpContext } from '../../context.ts'

/** Part of the context that says which sessions a client sees. */
export type Sight = Pick<McpContext, 'endpoint' | 'services'>

/** Session of a resource, existing or not. @throws FailureError `not_found` for one that the address or the key leaves out */
export function sessionSeen({ endpoint, services }: Sight, name: SessionName): SessionApi {
  if (endpoint.session !== null && endpoint.session !== name)
    fail('not_found', 'this address has the resources of one session alone; take one of resources/list')
  return services.session(name)
}

/** Session whose resources a list has. */
export const listedSession = ({ endpoint, usualSession }: McpContext): SessionName => endpoint.session ?? usualSession
