import { usageError } from '../failure.ts'
import type { Profiles } from './profiles.ts'

/** Server that the command line speaks to. */
export interface Server {
  /** Address without a slash at its end. */
  readonly url: string
  /** API key; undefined where none is known, as for a server on this machine. */
  readonly key: string | undefined
  /** Where the address comes from. */
  readonly source: 'environment' | 'profile' | 'default'
  /** Name of the stored profile that gave the address or the key. */
  readonly profile: string | undefined
}

/** Address of a server that `toolyard dev` or `npm start` runs. */
export const LOCAL_SERVER_URL = 'http://localhost:8001'

/** Name of the profile that `login` stores unless it is told another one. */
export const USUAL_PROFILE = 'default'

/**
 * Server by `--profile`, else by TOOLYARD_BASE_URL and TOOLYARD_API_KEY, else by the profile in use, else the one on this machine. A stored key goes
 * to the server that it was stored for, and to no other.
 * @param explicit name that `--profile` gives
 * @throws CliError of usage: a profile that is not there, an address that is none
 */
export function chosenServer(
  { current, profiles }: Profiles,
  env: Readonly<Record<string, string | undefined>>,
  explicit: string | undefined,
): Server {
  const named = explicit ?? (env.TOOLYARD_PROFILE || undefined)
  const name = named ?? current ?? USUAL_PROFILE
  const stored = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (!stored && named !== undefined) {
    const known = Object.keys(profiles)
    const hint = known.length > 0 ? `there are ${known.join(', ')}` : 'sign in with `toolyard login --profile NAME`'
    throw usageError(`there is no profile "${named}"`, hint)
  }
  if (stored && explicit !== undefined) return { url: stored.url, key: stored.key, source: 'profile', profile: name }
  const given = env.TOOLYARD_BASE_URL ? serverUrl(env.TOOLYARD_BASE_URL, 'TOOLYARD_BASE_URL') : undefined
  const url = given ?? stored?.url ?? LOCAL_SERVER_URL
  const isStored = stored?.url === url
  return {
    url,
    key: env.TOOLYARD_API_KEY?.trim() || (isStored ? stored?.key : undefined),
    source: given ? 'environment' : stored ? 'profile' : 'default',
    profile: isStored ? name : undefined,
  }
}

/** Address of a server as it is stored. @param what its place, for the error @throws CliError of usage */
export function serverUrl(text: string, what: string): string {
  const given = text.trim()
  const hint = 'write it as https://toolyard.example.com'
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || !/^https?:$/.test(url.protocol)) throw usageError(`${what} "${given}" is no address of a server`, hint)
  if (url.username || url.password) throw usageError(`${what} has a name or password in it`, `${hint}, without them`)
  if (url.search || url.hash) throw usageError(`${what} "${given}" has more than a path`, hint)
  const whole = url.origin + url.pathname
  return whole.endsWith('/') ? whole.slice(0, -1) : whole
}

/** Whether what goes to the address may be read on its way. */
export function isReadOnItsWay(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
