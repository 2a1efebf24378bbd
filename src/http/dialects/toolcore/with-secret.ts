import type { Context } from 'hono'
import { fail } from '../../../core/failure.ts'
import { type AppEnv, type Services, servicesFor } from '../../dialect.ts'
import { SECRET_HEADER } from '../../secret-header.ts'
import { NO_SECRET } from './codec.ts'

/**
 * Services of the caller. The original wants its header on every route, also where this server is open to callers without a key.
 */
export function withSecret(c: Context<AppEnv>, scope: 'read' | 'execute'): Services {
  const services = servicesFor(c, scope)
  if (services.key === null && c.req.header(SECRET_HEADER) === undefined) fail('unauthenticated', NO_SECRET)
  return services
}
