import { fail } from '../../core/failure.ts'
import { type Credentials, secretsOf, splitCredentials } from '../url-credentials.ts'

/** A repository elsewhere, with what opens it kept apart from its address. */
export interface Remote {
  /** Without credentials. */
  readonly url: string
  /** The last name in the URL, without `.git`. */
  readonly name: string
  /** What git needs in its environment, credentials included. */
  readonly env: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

/** Goes with a token as its user name: GitHub, GitLab and Gitea take any. */
const TOKEN_USER = 'x-access-token'

/**
 * Reads a repository's address.
 * @param token opens a private one; wins over credentials in the URL
 * @throws FailureError `invalid_input` for an address that cannot or must not be cloned from
 */
export function gitRemote(given: string, token: string | undefined): Remote {
  const parsed = URL.parse(given.trim())
  if (/^(?:[^/\s@]+@[^/\s]+:|(?:git\+)?ssh:)/i.test(given.trim())) {
    fail(
      'invalid_input',
      'ssh URLs cannot be cloned: there are no keys here; use the https:// URL, and token if private',
    )
  }
  if (!parsed || !['https:', 'http:', 'git:'].includes(parsed.protocol) || parsed.hostname === '') {
    fail('invalid_input', 'repo_url must be an https://, http:// or git:// URL, e.g. https://github.com/user/repo.git')
  }
  const { url, credentials: inUrl } = splitCredentials(parsed)
  const credentials = token ? { username: TOKEN_USER, password: token } : inUrl
  if (credentials && url.protocol !== 'https:') {
    fail('invalid_input', 'a token or password is only sent over https; use the https:// URL')
  }
  return {
    url: url.href,
    name: nameOf(url),
    env: { ...GUARDS, ...(credentials && credentialEnv(url.origin, credentials)) },
    secrets: [credentials, inUrl].flatMap((either) => (either ? secretsOf(either) : [])),
  }
}

/** git never asks, and a redirect or submodule cannot make it read files or start programs. */
const GUARDS = { GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'https:http:git' }

/**
 * A credential helper for this one host, which reads the environment: the secret is in no argument, no URL, no file, and
 * is not sent to another host that the first one redirects to.
 */
function credentialEnv(origin: string, { username, password }: Credentials): Record<string, string> {
  if (/[\r\n\0]/.test(username + password)) fail('invalid_input', 'the token has a line break; remove it')
  return {
    TOOLYARD_GIT_USERNAME: username,
    TOOLYARD_GIT_PASSWORD: password,
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'credential.helper',
    GIT_CONFIG_VALUE_0: '', // forgets helpers that were set up elsewhere
    GIT_CONFIG_KEY_1: `credential.${origin}.helper`,
    GIT_CONFIG_VALUE_1: HELPER,
  }
}

const HELPER =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$TOOLYARD_GIT_USERNAME" "$TOOLYARD_GIT_PASSWORD"; }; f'

function nameOf({ pathname }: URL): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? ''
  return last.replace(/\.git$/, '')
}
