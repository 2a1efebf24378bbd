import { fail } from '../../../../core/failure.ts'
import type { TenantApi } from '../../../../tenant/api.ts'
import { didYouMean } from '../../../alike-names.ts'
import { nearestSession } from '../../../nearest-session.ts'

/** Throws that there is no such session, with what became of it, or which one was probably meant. @throws FailureError */
export async function failMissing(name: string, tenant: Pick<TenantApi, 'sessions'>): Promise<never> {
  const expired = await tenant.sessions.expired(name)
  if (expired) {
    const why =
      expired.by === 'total' ? 'its lifetime_seconds were over' : 'nobody used it for its idle_lifetime_seconds'
    fail(
      'session_not_found',
      `the session ${name} was deleted at ${new Date(expired.at).toISOString()}, when ${why}; make a new one by POST /v1/sessions`,
    )
  }
  const nearest = await nearestSession(name, tenant)
  const next = nearest === null ? 'make it by POST /v1/sessions' : didYouMean([nearest])
  fail('session_not_found', `there is no session ${name}; ${next}`)
}
