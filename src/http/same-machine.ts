import type { Failure } from '../core/failure.ts'

/**
 * What the open tenant of a local server needs besides the absence of a key: that the request comes from this machine
 * and not from a web page that somebody looks at on it. A browser names the page in `Origin`; a page that had its own
 * host name resolved to this machine shows in the host of the URL.
 */
export function refuseForeignPage(url: URL, origin: string | null): Failure | null {
  if (isLoopback(url.hostname) && (origin === null || isLoopback(hostOf(origin)))) return null
  return {
    code: 'forbidden',
    message:
      'without a key only this machine may call this server, by the name localhost; send a key, or use localhost',
  }
}

/** `Origin: null`, which any page can send, has no host. */
const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).hostname : '')

const isLoopback = (host: string) =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
