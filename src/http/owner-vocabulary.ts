import type { Context } from 'hono'
import { may } from '../auth/principal.ts'
import { CANONICAL, type Vocabulary } from '../core/saying/worded.ts'
import type { AppEnv } from './dialect.ts'

/** The names of our own API. */
export const OWN: Vocabulary = {
  ...CANONICAL,
  places: {
    directory: 'session directory',
    root: 'session root',
    session: 'session',
    'session id': 'name of the session',
  },
}

/** The names of our own API for those who run the server: they are told what is to be set up. */
export const OWNER: Vocabulary = { ...OWN, isOwner: true }

/**
 * The names of our own API for who asks. Settings that the owner lacks are told to keys with the scope `admin`, and to the open
 * tenant of a local server; a key that agents have would tell every agent how the server is set up.
 */
export function ownVocabulary({ env: { caller } }: Context<AppEnv>): Vocabulary {
  return 'principal' in caller && may(caller.principal, 'admin') ? OWNER : OWN
}
