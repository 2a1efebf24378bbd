import type { Problem } from '../api.ts'

/** Advice for people by the codes of problems, in the place of that for programs. */
const ADVICE: Readonly<Record<string, string>> = {
  invalid_input: 'Change what the message names, then try again.',
  unauthenticated: 'Check the key, or sign in with another one.',
  forbidden: 'Sign in with a key that may do this, or ask whoever manages your keys.',
  not_found: 'It may be deleted, or have another name: open it from its list.',
  session_not_found: 'It may be deleted, or have another name: the page Sessions has all of them.',
  limit_exceeded: 'Stay below the limit that the message names.',
  rate_limited: 'Wait a moment, then try again.',
  insufficient_storage: 'Delete sessions that nobody needs, or ask the operator for more room.',
  timeout: 'Try again, or ask for less at once.',
  unavailable: 'Wait a moment, then try again.',
  upstream: 'Try again in a few seconds.',
  internal: 'Try again. If it stays, tell the operator the request that is named here.',
}

/** Advice on a problem in words for a person; '' for none. The console's own problems have theirs. */
export const adviceOn = ({ status, code, hint }: Problem): string => (status > 0 && ADVICE[code]) || hint
