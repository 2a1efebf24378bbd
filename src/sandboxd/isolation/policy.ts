import type { NetworkException } from '../config.ts'

/** The gateway that slirp4netns plays; with host loopback enabled it is also the host's 127.0.0.1. */
export const GATEWAY = '10.0.2.2'
export const NAMESERVER = '10.0.2.3'
/** The name under which the host's opened loopback ports are reached. */
export const HOST_NAME = 'host.sandbox.internal'

/** Everything that is not the public internet. @see RFC 6890 and the IANA special-purpose registry */
const NOT_PUBLIC = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24',
  '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4',
] // biome-ignore format: a table reads best as one

/** A routing table of its own for exceptions that hold for one port only. */
const PORT_TABLE = 100

/**
 * The egress policy as `ip -batch` commands, for the network namespace of one sandbox. A refused connection fails at once
 * with EACCES, after name resolution, so a name that resolves to a private address gains nothing.
 * @param hostAddresses the host's own IPv4 addresses: public ones would otherwise be reachable, with what listens there
 */
export function egressPolicy(exceptions: readonly NetworkException[], hostAddresses: readonly string[]): string {
  const lines: string[] = []
  const excepted = new Set<string>()
  for (const exception of exceptions) {
    if (exception.kind === 'address' && exception.port === null) {
      lines.push(`route replace ${exception.cidr} via ${GATEWAY}`)
      excepted.add(exception.cidr)
    }
  }
  for (const cidr of [...NOT_PUBLIC, ...hostAddresses.map((address) => `${address}/32`)]) {
    if (!excepted.has(cidr)) lines.push(`route replace prohibit ${cidr}`)
  }
  for (const exception of exceptions) {
    if (exception.kind === 'host-port') {
      lines.push(`rule add pref 5 to ${GATEWAY} ipproto tcp dport ${exception.port} lookup main`)
    } else if (exception.port !== null) {
      lines.push(`route replace ${exception.cidr} via ${GATEWAY} table ${PORT_TABLE}`)
      lines.push(`rule add pref 6 to ${exception.cidr} ipproto tcp dport ${exception.port} lookup ${PORT_TABLE}`)
    }
  }
  lines.push(`rule add pref 10 to ${NAMESERVER} ipproto udp dport 53 lookup main`)
  lines.push(`rule add pref 11 to ${NAMESERVER} ipproto tcp dport 53 lookup main`)
  // More specific than 10.0.0.0/8, so a route cannot forbid it.
  lines.push('rule add pref 20 to 10.0.2.0/24 prohibit')
  return `${lines.join('\n')}\n`
}

/** Whether slirp4netns must map its gateway to the host's loopback; the policy then lets exactly the named ports through. */
export function needsHostLoopback(exceptions: readonly NetworkException[]): boolean {
  return exceptions.some((exception) => exception.kind === 'host-port')
}
