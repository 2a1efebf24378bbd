import type { Context } from 'hono'
import { may } from '../auth/principal.ts'
import { CANONICAL, type Vocabulary } from '../core/saying/worded.ts'
import type { AppEnv } from './dialect.ts'

/** Names of our own API. */
export const OWN: Vocabulary = {
  ...CANONICAL,
  places: {
    directory: 'session directory',
    root: 'session root',
    session: 'session',
    'session id': 'name of the session',
  },
}

/** Names of our own API for operators, who see advice on the setup. */
export const OWNER: Vocabulary = { ...OWN, isOwner: true }

/**
 * Names of our own API for the caller. Keys with the scope `admin`, and the open tenant of a local server, see which
 * settings are missing; an agent's key would tell every agent how the server is set up.
 */
export function ownVocabulary({ env: { caller } }: Context<AppEnv>): Vocabulary {
  return 'principal' in caller && may(caller.principal, 'admin') ? OWNER : OWN
}
