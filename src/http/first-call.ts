import type { Failure } from '../core/failure.ts'
import type { Outcome } from '../core/outcome.ts'
import type { SentCall } from '../core/packed-call.ts'
import type { Begun, SessionApi } from '../session/api.ts'
import type { Caller } from '../tenant/api.ts'

interface NewSession {
  readonly title: string
  /** Reason against a session for this call; null when there may be one. */
  whyNot?(): Promise<Failure | null>
}

/** Makes a call in a session, creating the session at the first one. */
export async function callInSession(
  session: SessionApi,
  call: SentCall,
  by: Caller,
  first: NewSession,
): Promise<Outcome> {
  const outcome = await session.call(call, by)
  if (!isMissing(outcome)) return outcome
  return (await notMade(session, first)) ?? session.call(call, by)
}

/** Begins a call in a session, creating the session at the first one. */
export async function beginInSession(
  session: SessionApi,
  call: SentCall,
  by: Caller,
  first: NewSession,
): Promise<Begun> {
  const begun = await session.begin(call, by)
  if ('callId' in begun || !isMissing(begun.refused)) return begun
  const refused = await notMade(session, first)
  return refused ? { refused } : session.begin(call, by)
}

const isMissing = (outcome: Outcome) => outcome.kind === 'refused' && outcome.failure.code === 'session_not_found'

/** Creates the session. @returns why there is none; null when there is */
async function notMade(session: SessionApi, { title, whyNot }: NewSession): Promise<Outcome | null> {
  const failure = (await whyNot?.()) ?? null
  if (failure) return { kind: 'refused', failure }
  const made = await session.create({ title, requirements: [], directories: [], files: [] })
  return 'failure' in made ? { kind: 'refused', failure: made.failure } : null
}
