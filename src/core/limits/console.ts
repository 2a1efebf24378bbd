/** Limits of the console: its sessions, and attempts to sign in. */

/** Lifetime of a session of the console: a day's work. Its cookie lasts as long. */
export const CONSOLE_SESSION_MS = 8 * 60 * 60_000
/** Time for which an isolate trusts what it read of a session and of its key: a page asks for several things at once. */
export const CONSOLE_KEPT_MS = 1_000
/** Sessions of one key, of all child keys below one key, or of the owner of the server: one more ends the oldest of them. */
export const MAX_CONSOLE_SESSIONS = 50
/** Sessions of the console in one page of a list. */
export const MAX_LISTED_CONSOLE_SESSIONS = 100
/** Time between two writes of a session's last use. */
export const CONSOLE_USE_NOTE_MS = 60_000
/** Length of what a browser calls itself, in UTF-16 units: people read it in a list. */
export const MAX_BROWSER_CHARS = 200
/** Refused attempts to sign in from one address within SIGN_IN_WINDOW_MS, in one isolate: a person errs a few times. */
export const MAX_REFUSED_SIGN_INS = 10
/** Attempts to sign in from one address within SIGN_IN_WINDOW_MS, in one isolate, good ones too: each writes to the database. */
export const MAX_SIGN_INS = 30
/** Time after which attempts are forgotten. */
export const SIGN_IN_WINDOW_MS = 60_000
/** Addresses whose attempts an isolate remembers. */
export const SIGN_IN_ADDRESSES = 2_000
/** Length of a credential at the sign-in, in UTF-16 units: that of the longest child key, and of any sensible ADMIN_TOKEN. */
export const MAX_SIGN_IN_KEY_CHARS = 8_192
