import type { Context } from 'hono'
import type { Failure } from '../../../../core/failure.ts'
import type { TenantApi } from '../../../../tenant/api.ts'
import { didYouMean } from '../../../alike-names.ts'
import type { AppEnv } from '../../../dialect.ts'
import { nearestSession } from '../../../nearest-session.ts'

/**
 * The failure with a hint, where the session of a request's path is not there: what became of it, or which one was probably meant. Any
 * other failure as it is.
 */
export async function withSessionHint({ env, req }: Context<AppEnv>, failure: Failure): Promise<Failure> {
  const { caller } = env
  const name = failure.code === 'session_not_found' ? req.param('session') : undefined
  if (name === undefined || 'failure' in caller) return failure
  try {
    return { code: failure.code, message: await hintOn(name, caller.services.tenant) }
  } catch (thrown) {
    env.report?.(thrown)
    return failure
  }
}

async function hintOn(name: string, tenant: Pick<TenantApi, 'sessions'>): Promise<string> {
  const expired = await tenant.sessions.expired(name)
  if (expired) {
    const why =
      expired.by === 'total' ? 'its lifetime_seconds were over' : 'nobody used it for its idle_lifetime_seconds'
    return `the session ${name} was deleted at ${new Date(expired.at).toISOString()}, when ${why}; make a new one by POST /v1/sessions`
  }
  const nearest = await nearestSession(name, tenant)
  const next = nearest === null ? 'make it by POST /v1/sessions' : didYouMean([nearest])
  return `there is no session ${name}; ${next}`
}
