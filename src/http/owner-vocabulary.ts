import { CANONICAL, type Vocabulary } from '../core/saying/worded.ts'

/** The names of our own API, whose callers run sessions and maybe the server: they are told what is to be set up. */
export const OWNER: Vocabulary = {
  ...CANONICAL,
  places: {
    directory: 'session directory',
    root: 'session root',
    session: 'session',
    'session id': 'name of the session',
  },
  isOwner: true,
}
