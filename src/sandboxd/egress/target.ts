import { Refusal } from './refusal.ts'

/** Host and port that a request names. */
export interface Target {
  /** In lower case. */
  readonly host: string
  readonly port: number
}

/** Target of an HTTP request that a client sends to its proxy, with the path that the server gets. */
export interface RequestTarget extends Target {
  readonly path: string
}

const HTTP = 'http://'

/** Reads the target of `CONNECT host:port`. @throws Refusal */
export function connectTarget(text: string): Target {
  const target = authority(text, null)
  if (target === null) throw new Refusal(400, 'CONNECT takes HOST:PORT, with a name for the host')
  return target
}

/**
 * Reads the target of a request in absolute form, e.g. `GET http://example.org/a`. Its `Host`, if it has one, must be the same: a
 * server would serve what that names.
 * @see RFC 9112 section 3.2.2
 * @throws Refusal
 */
export function requestTarget(text: string, host: string | undefined): RequestTarget {
  if (text.slice(0, HTTP.length).toLowerCase() !== HTTP)
    throw new Refusal(400, 'this proxy takes http:// addresses, and CONNECT for https://')
  const end = text.slice(HTTP.length).search(/[/?#]/)
  const at = end < 0 ? text.length : HTTP.length + end
  const target = authority(text.slice(HTTP.length, at), 80)
  if (target === null) throw new Refusal(400, 'the address has no host by name, or more than host and port')
  const named = host === undefined ? target : authority(host, 80)
  if (named?.host !== target.host || named.port !== target.port)
    throw new Refusal(400, `the Host header must name the host of the address, ${target.host}`)
  const path = text.slice(at)
  return { ...target, path: path.startsWith('/') ? path : `/${path}` }
}

/** `host:port`, or `host` where there is a usual port. Names alone: what is no name is in no list. */
function authority(text: string, usualPort: number | null): Target | null {
  const [, host = '', digits] = /^([A-Za-z0-9.-]{1,253})(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = digits === undefined ? usualPort : Number(digits)
  if (host === '' || port === null || port < 1 || port > 65_535) return null
  return { host: host.toLowerCase(), port }
}
