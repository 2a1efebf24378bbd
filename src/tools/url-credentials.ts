import { encodeBase64 } from '../core/base64.ts'
import { percentDecoded } from '../core/percent-decoded.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** URL without its credentials, and these: `https://user:word@host/x` → `https://host/x`, and `user` and `word`. */
export function splitCredentials(given: URL): { readonly url: URL; readonly credentials: Credentials | null } {
  const { username, password } = given
  if (!username && !password) return { url: given, credentials: null }
  const url = new URL(given.href)
  url.username = ''
  url.password = ''
  return { url, credentials: { username: percentDecoded(username), password: percentDecoded(password) } }
}

/** Value behind `Basic` in an Authorization header. */
export const basicAuth = ({ username, password }: Credentials) =>
  encodeBase64(new TextEncoder().encode(`${username}:${password}`))

/** Shortest user name that counts as a token: no name of a person is this long, and no token is shorter. */
const MIN_TOKEN_CHARS = 16

/**
 * Secrets of credentials, in every form in which they may come back: plain, and as in a URL. Some hosts take their token as
 * the user name, alone or with a password that says nothing; `git` is the one lone name that is no secret.
 */
export function secretsOf({ username, password }: Credentials): string[] {
  const isToken = username.length >= MIN_TOKEN_CHARS || (password === '' && username !== 'git')
  const secrets = [password, isToken ? username : ''].filter((secret) => secret !== '')
  return [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret), encodeURI(secret)]))]
}
