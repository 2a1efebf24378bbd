import { MAX_HOSTS } from '../limits.ts'

/** Internet policy of a sandbox: all of the public internet, nothing, or the listed hosts. */
export type Internet = boolean | readonly string[]

const MAX_NAME_CHARS = 253
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Last label of a host name. One of digits would make it an IPv4 address to some programs. */
const TOP_LABEL = /^[a-z][a-z0-9-]*$/

/**
 * Reads a list of hosts: names such as `example.org`, or `*.example.org` for all names below it, at any depth.
 * @returns the names in lower case; null for a list with anything else, such as addresses
 */
export function decodeHosts(values: readonly unknown[]): readonly string[] | null {
  if (values.length === 0 || values.length > MAX_HOSTS) return null
  const hosts = values.map((value) => (typeof value === 'string' ? value.toLowerCase() : ''))
  return hosts.every((host) => isHostName(host.startsWith('*.') ? host.slice(2) : host)) ? hosts : null
}

/** Whether a text is a host name in lower case, with a dot in it, and no address. */
function isHostName(text: string): boolean {
  if (text.length > MAX_NAME_CHARS) return false
  const labels = text.split('.')
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && TOP_LABEL.test(labels.at(-1) ?? '')
}

/** Whether a list has a host, which is given in lower case. */
export function listsHost(hosts: readonly string[], host: string): boolean {
  return hosts.some((listed) => (listed.startsWith('*.') ? host.endsWith(listed.slice(1)) : host === listed))
}
