import { fail } from '../../core/failure.ts'
import { MAX_URL_CHARS } from '../../core/limits/web.ts'
import { operator, say } from '../../core/saying/saying.ts'
import { withoutLast } from '../../core/without-last.ts'
import { isIpAddress, whyNotPublic } from './address.ts'

export interface EgressPolicy {
  /** Ports besides 80 and 443. */
  readonly extraPorts: readonly number[]
  /** Addresses, as `host:port` in URLs, that may be reached even if they are private. */
  readonly dangerouslyAllowHosts: readonly string[]
}

/** Zones of names inside networks and clouds: reserved by RFCs, or in common use. */
const INNER_ZONES = [
  'localhost', 'local', 'localdomain', 'internal', 'intranet', 'lan', 'home', 'corp', 'private', 'arpa', 'svc',
  'cluster.local', 'test', 'invalid', 'onion',
] // biome-ignore format: a list of words

const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['http:', 80],
  ['https:', 443],
])

/** A URL that passed the checks of its text. */
export interface CheckedUrl {
  readonly url: URL
  /** True for a host named in the options: no further check is made. */
  readonly isAllowed: boolean
  /** Name to look up in DNS; null for an address. */
  readonly name: string | null
}

/**
 * Checks a URL by its text: scheme, credentials, port, host. The host is checked in its form by the URL standard, where
 * `0x7f.1`, `2130706433`, `①②⑦.0.0.1` and `127.0.0.1` are one.
 * @throws FailureError `invalid_input` for text that is no URL, `forbidden`
 */
export function checkUrl(given: string, policy: EgressPolicy): CheckedUrl {
  const url = parse(given.trim())
  const defaultPort = DEFAULT_PORTS.get(url.protocol)
  if (defaultPort === undefined) {
    fail('forbidden', `${url.protocol.slice(0, 20)} addresses cannot be fetched; give one of http:// or https://`)
  }
  if (url.username !== '' || url.password !== '') {
    fail('forbidden', 'a URL with a user name or password in it is refused; give it without them')
  }
  const port = url.port === '' ? defaultPort : Number(url.port)
  // A name with a dot at its end is the same name.
  const host = withoutLast(url.hostname, '.')
  if (policy.dangerouslyAllowHosts.includes(`${host}:${port}`)) return { url, isAllowed: true, name: null }
  // The host comes before the port: an inner one stays refused when its port is allowed.
  const isAddress = isIpAddress(host)
  if (isAddress) refuseUnlessPublic(host, host)
  else refuseInnerName(host)
  if (port !== 80 && port !== 443 && !policy.extraPorts.includes(port)) {
    fail(
      'forbidden',
      say`port ${port} is refused; only the ports of web sites can be reached, 80 and 443${operator(', unless EGRESS_PORTS allows it')}`,
    )
  }
  return { url, isAllowed: false, name: isAddress ? null : host }
}

const UNLESS_ALLOWED = operator(', unless DANGEROUSLY_ALLOW_HOSTS allows it')

/** Refuses an address that is not public. @throws FailureError `forbidden` */
export function refuseUnlessPublic(address: string, host: string): void {
  const reason = whyNotPublic(address)
  if (reason === null) return
  const what = address === host ? host : `${host} leads to an address that`
  fail(
    'forbidden',
    say`${what} is ${reason}, and refused; only addresses of the public internet can be fetched${UNLESS_ALLOWED}`,
  )
}

function refuseInnerName(host: string): void {
  const inner = !host.includes('.') || INNER_ZONES.some((zone) => host.endsWith(`.${zone}`))
  if (inner) {
    fail(
      'forbidden',
      say`${host} is not the name of a public web site, and is refused; only those can be fetched${UNLESS_ALLOWED}`,
    )
  }
}

/** Parses a URL, and refuses what parsers read differently: one that checks and one that sends must mean the same host. */
function parse(given: string): URL {
  if (given.length > MAX_URL_CHARS) {
    fail('invalid_input', `the URL is longer than ${MAX_URL_CHARS} characters (MAX_URL_CHARS)`)
  }
  const authority = given.split(/[?#]/, 1)[0] ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0020\u007f]/.test(authority) || /[\u0000-\u001f\u007f]/.test(given) || authority.includes('\\')) {
    fail('invalid_input', 'the URL has white space, control characters or a backslash in it; write them as %20, %5C …')
  }
  try {
    return new URL(given)
  } catch (cause) {
    const shown = JSON.stringify(given.slice(0, 100))
    fail('invalid_input', `${shown} is not a URL; give it whole, e.g. "https://example.com/page"`, { cause })
  }
}
