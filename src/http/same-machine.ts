import type { Failure } from '../core/failure.ts'

/** Headers between the processes of Cloudflare's development servers. Clients have no use for them. */
const DEVELOPMENT_HEADER = /^mf-/i

/** Refuses forged requests to a local server: those with headers of a development server, which could claim another URL. */
export function refuseForged(headers: Headers): Failure | null {
  for (const name of headers.keys()) {
    if (DEVELOPMENT_HEADER.test(name)) return forbidden(`the header "${name}" is not for this server; leave it out`)
  }
  return null
}

/**
 * Refuses requests to the open tenant of a local server from elsewhere than this machine: the absence of a key is not enough. A
 * browser names the requesting page in `Origin`; a page that had its own host name resolved to this machine shows in `Host`. The
 * URL is checked besides, since the platform makes it of more than that header.
 */
export function refuseForeignPage(url: URL, headers: Headers): Failure | null {
  const host = headers.get('Host')
  const origin = headers.get('Origin')
  const isOurs =
    isLoopback(url.hostname) &&
    (host === null || isLoopback(hostnameOf(host))) &&
    (origin === null || isLoopback(originHost(origin)))
  return isOurs
    ? null
    : forbidden(
        'without a key only this machine may call this server, by the name localhost; send a key, or use localhost',
      )
}

const forbidden = (message: string): Failure => ({ code: 'forbidden', message })

/** A plain `Host`, as nearly all clients send it: reading any other as a URL costs as much as a tool does. */
const PLAIN_HOST = /^(localhost|127\.0\.0\.1)(?::\d{1,4}|:[1-5]\d{4})?$/

/** Host name of a `Host` header; empty when the header is more than a host and perhaps a port. */
export function hostnameOf(host: string): string {
  const [, plain] = PLAIN_HOST.exec(host) ?? []
  if (plain !== undefined) return plain
  const url = `http://${host}`
  return /^[^/?#@\\\s]+$/.test(host) && URL.canParse(url) ? new URL(url).hostname : ''
}

/** Host name of an origin; empty for `Origin: null`, which any page can send. */
export const originHost = (origin: string) => (URL.canParse(origin) ? new URL(origin).hostname : '')

export const isLoopback = (host: string) =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
