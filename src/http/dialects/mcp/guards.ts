import { hostnameOf, isLoopback, originHost } from '../../same-machine.ts'

/**
 * Reason to refuse a request that a web page made where it may not; null for any other. A server on somebody's machine is called
 * by its loopback names alone, a deployed one by its own name and from its own pages.
 */
export function foreignCaller(url: URL, headers: Headers, isLocal: boolean): string | null {
  const host = headers.get('Host')
  const origin = headers.get('Origin')
  const isOurs = (name: string) => (isLocal ? isLoopback(name) : name !== '' && name === url.hostname)
  const advice = isLocal
    ? '; this machine alone may call a local server: by localhost, or with the header Host: localhost'
    : ''
  if (host !== null && !isOurs(hostnameOf(host))) return `Invalid Host: ${shown(host)}${advice}`
  if (!isOurs(url.hostname)) return `Invalid Host: ${shown(url.hostname)}${advice}`
  if (origin !== null && !isOurs(originHost(origin))) return `Invalid Origin: ${shown(origin)}`
  return null
}

const shown = (value: string) => value.slice(0, 100).replace(/[^\w.:/[\]-]/g, '?')
