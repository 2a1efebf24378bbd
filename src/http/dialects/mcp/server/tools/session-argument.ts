import { fail } from '../../../../../core/failure.ts'
import { type SessionName, sessionName } from '../../../../../core/ids.ts'
import type { McpContext } from '../../context.ts'
import { hasOwnSession, SESSION_ARGUMENT } from './input-schema.ts'
import type { Schema } from './offered-tool.ts'

/**
 * Session of a call, and its arguments without the one that names it: the session that the address binds, else the named one, else
 * the usual one.
 * @param schema of the tool's arguments, which may have one of that name
 * @throws FailureError `invalid_input` for another session than the address binds, or what is no name
 */
export function sessionIn(
  { endpoint, usualSession }: McpContext,
  given: Schema,
  schema: Schema,
): { readonly session: SessionName; readonly args: Schema } {
  const usual = endpoint.session ?? usualSession
  if (hasOwnSession(schema) || !Object.hasOwn(given, SESSION_ARGUMENT)) return { session: usual, args: given }
  const { [SESSION_ARGUMENT]: named, ...args } = given
  if (named === null || named === undefined || named === '') return { session: usual, args }
  if (typeof named !== 'string') fail('invalid_input', 'session: give the handle that session_create returned, as text')
  const session = sessionName(named)
  if (endpoint.session !== null && session !== endpoint.session) {
    fail('invalid_input', 'session: calls at this address work in its own session; leave session out')
  }
  return { session, args }
}
