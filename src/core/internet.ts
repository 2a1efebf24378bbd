import { fail } from './failure.ts'
import { MAX_NAMED_HOSTS } from './limits/sessions.ts'

/** Internet policy of a session's sandboxes: the public internet, no network, or HTTP and HTTPS to the listed hosts. */
export type Internet = boolean | readonly string[]

export const isSameInternet = (a: Internet | null, b: Internet | null): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/**
 * Hosts of a list as it is stored: in lower case and ASCII, each once, sorted, so that equal lists are the same.
 * @throws FailureError `invalid_input` for a text that is no host name, and no `*.` before one
 */
export function internetHosts(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map(hostOf))].sort()
}

/** A few hosts of a list, for words. */
export function namedHosts(hosts: readonly string[]): string {
  const more = hosts.length - MAX_NAMED_HOSTS
  return `${hosts.slice(0, MAX_NAMED_HOSTS).join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

function hostOf(text: string): string {
  const below = text.startsWith('*.') ? '*.' : ''
  const host = asciiName(text.slice(below.length))
  if (host !== null) return below + host
  return fail(
    'invalid_input',
    `internet: ${JSON.stringify(text)} is no host name; give names such as "example.org", or "*.example.org" for all below it, without scheme, port or address`,
  )
}

/** Name in the form that nameservers know. @returns null for an address, for a name without a dot, and for anything else */
function asciiName(name: string): string | null {
  // A URL would take more than a host, such as a port.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(name) || !URL.canParse(`http://${name}`)) return null
  const host = new URL(`http://${name}`).hostname.replace(/\.$/, '')
  const labels = host.split('.')
  const isName = labels.length > 1 && host.length <= MAX_NAME_CHARS && labels.every((label) => LABEL.test(label))
  return isName && /^[a-z]/.test(labels.at(-1) ?? '') ? host : null
}

/** Length of a host name in the form that nameservers know. @see RFC 1035 section 2.3.4 */
const MAX_NAME_CHARS = 253
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
