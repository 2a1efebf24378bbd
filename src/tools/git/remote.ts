import { fail } from '../../core/failure.ts'
import { field, say, tool } from '../../core/saying/saying.ts'
import { basicAuth, type Credentials, secretsOf, splitCredentials } from '../url-credentials.ts'

/** Remote repository, with its credentials kept apart from its address. */
export interface Remote {
  /** URL without credentials. */
  readonly url: string
  /** Last name in the URL, without `.git`. */
  readonly name: string
  /** Credentials that open the repository; null when none were given. */
  readonly credentials: Credentials | null
  /** Secrets to mask, in every form in which they may come back. */
  readonly secrets: readonly string[]
}

/** User name beside a token: GitHub, GitLab and Gitea take any. */
const TOKEN_USER = 'x-access-token'

/**
 * Reads a repository's address.
 * @param token token for a private one; wins over credentials in the URL
 * @throws FailureError `invalid_input` for an address that cannot or must not be cloned from
 */
export function gitRemote(given: string, token: string | undefined): Remote {
  const parsed = URL.parse(given.trim())
  if (/^(?:[^/\s@]+@[^/\s]+:|(?:git\+)?ssh:)/i.test(given.trim())) {
    fail(
      'invalid_input',
      say`ssh URLs cannot be cloned: there are no keys here; use the https:// URL, and ${field('token')} if private`,
    )
  }
  if (!parsed || !['https:', 'http:', 'git:'].includes(parsed.protocol) || parsed.hostname === '') {
    fail(
      'invalid_input',
      say`${field('repo_url')} must be an https://, http:// or git:// URL, e.g. https://github.com/user/repo.git; for a repository of the task run ${tool('execute_shell')}: git clone PATH TARGET`,
    )
  }
  const { url, credentials: inUrl } = splitCredentials(parsed)
  const credentials = token ? { username: TOKEN_USER, password: token } : inUrl
  if (credentials && url.protocol !== 'https:') {
    fail('invalid_input', 'a token or password is only sent over https; use the https:// URL')
  }
  return {
    url: url.href,
    name: nameOf(url),
    credentials: credentials && checked(credentials),
    secrets: [credentials, inUrl].flatMap((either) => (either ? [...secretsOf(either), basicAuth(either)] : [])),
  }
}

function checked(credentials: Credentials): Credentials {
  if (/[\r\n\0]/.test(credentials.username + credentials.password)) {
    fail('invalid_input', 'the token has a line break; remove it')
  }
  return credentials
}

function nameOf({ pathname }: URL): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? ''
  return last.replace(/\.git$/, '')
}
