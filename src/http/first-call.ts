import type { Failure } from '../core/failure.ts'
import type { Outcome, ToolCall } from '../core/outcome.ts'
import type { SessionApi } from '../session/api.ts'
import type { Caller } from '../tenant/api.ts'

interface NewSession {
  readonly title: string
  /** Reason against a session for this call; null when there may be one. */
  whyNot?(): Promise<Failure | null>
}

/** Makes a call in a session, creating the session at the first one. */
export async function callInSession(
  session: SessionApi,
  call: ToolCall,
  by: Caller,
  { title, whyNot }: NewSession,
): Promise<Outcome> {
  const outcome = await session.call(call, by)
  // `not_found` may be about the tool as well.
  if (outcome.kind !== 'refused' || outcome.failure.code !== 'not_found' || (await session.info())) return outcome
  const failure = (await whyNot?.()) ?? null
  if (failure) return { kind: 'refused', failure }
  const made = await session.create({ title, requirements: [], directories: [], files: [] })
  return 'failure' in made ? { kind: 'refused', failure: made.failure } : session.call(call, by)
}
