import type { Context } from 'hono'
import { type SessionName, sessionName } from '../../../../core/ids.ts'
import type { SessionApi } from '../../../../session/api.ts'
import type { AppEnv, Services } from '../../../dialect.ts'

/** Path parameter of every operation within a session. */
export const SESSION = { session: 'Name of the session; a slash in it is sent as %2F.' }

/** Name of the session in a request's path. @throws FailureError `invalid_input` */
export const nameIn = (c: Context<AppEnv>): SessionName => sessionName(c.req.param('session') ?? '')

/** The session in a request's path, existing or not. @throws FailureError `invalid_input` */
export const sessionOf = (c: Context<AppEnv>, services: Pick<Services, 'session'>): SessionApi =>
  services.session(nameIn(c))
