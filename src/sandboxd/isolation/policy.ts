import type { NetworkException } from '../config.ts'

/** The gateway that slirp4netns plays; with host loopback enabled it is also the host's 127.0.0.1. */
export const GATEWAY = '10.0.2.2'
export const NAMESERVER = '10.0.2.3'
/** The name under which the host's opened loopback ports are reached. */
export const HOST_NAME = 'host.sandbox.internal'

/** Networks outside of the public internet, and Azure's address of metadata. @see RFC 6890 and the IANA special-purpose registry */
export const NOT_PUBLIC = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24',
  '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4',
  '168.63.129.16/32',
] // biome-ignore format: a table reads best as one

/** Routing table for exceptions that hold for one port only. */
const PORT_TABLE = 100

/**
 * The egress policy as `ip -batch` commands, for the network namespace of one sandbox. It has two layers. Routes make a
 * refused connection fail at once with EACCES. IPsec (xfrm) policies hold where routes do not: a socket that names its
 * device (SO_BINDTODEVICE, IP_PKTINFO and IP_UNICAST_IF need no privilege) is routed even where its lookup was refused,
 * and datagrams to groups ask no route. Both judge addresses after name resolution, so names that resolve to private
 * addresses gain nothing.
 * @param hostAddresses the host's own IPv4 addresses: public ones would otherwise be reachable, with what listens there
 */
export function egressPolicy(exceptions: readonly NetworkException[], hostAddresses: readonly string[]): string {
  const open = new Set(
    exceptions.flatMap((exception) =>
      exception.kind === 'address' && exception.port === null ? [exception.cidr] : [],
    ),
  )
  const forbidden = [...NOT_PUBLIC, ...hostAddresses.map((address) => `${address}/32`)].filter(
    (cidr) => !open.has(cidr),
  )
  return [...routeLines(exceptions, [...open], forbidden), ...xfrmLines(exceptions, forbidden), ''].join('\n')
}

function routeLines(
  exceptions: readonly NetworkException[],
  open: readonly string[],
  forbidden: readonly string[],
): string[] {
  return [
    ...open.map((cidr) => `route replace ${cidr} via ${GATEWAY}`),
    ...forbidden.map((cidr) => `route replace prohibit ${cidr}`),
    ...exceptions.flatMap(portRouteLines),
    `rule add pref 10 to ${NAMESERVER} ipproto udp dport 53 lookup main`,
    `rule add pref 11 to ${NAMESERVER} ipproto tcp dport 53 lookup main`,
    // Rules, since this network is more specific than 10.0.0.0/8: a route cannot forbid it.
    'rule add pref 20 to 10.0.2.0/24 prohibit',
  ]
}

function portRouteLines(exception: NetworkException): string[] {
  const { port } = exception
  if (exception.kind === 'host-port') return [`rule add pref 5 to ${GATEWAY} ipproto tcp dport ${port} lookup main`]
  if (port === null) return []
  return [
    `route replace ${exception.cidr} via ${GATEWAY} table ${PORT_TABLE}`,
    `rule add pref 6 to ${exception.cidr} ipproto tcp dport ${port} lookup ${PORT_TABLE}`,
  ]
}

function xfrmLines(exceptions: readonly NetworkException[], forbidden: readonly string[]): string[] {
  const line = (
    destination: string,
    priority: number,
    action: 'allow' | 'block',
    port: number | null,
    protocol = 'tcp',
  ) =>
    `xfrm policy add dst ${destination}${port === null ? '' : ` proto ${protocol} dport ${port}`} dir out priority ${priority} action ${action}`
  return [
    ...exceptions.map((exception) =>
      exception.kind === 'host-port'
        ? line(`${GATEWAY}/32`, 1, 'allow', exception.port)
        : line(exception.cidr, 3, 'allow', exception.port),
    ),
    line(`${NAMESERVER}/32`, 1, 'allow', 53, 'udp'),
    line(`${NAMESERVER}/32`, 1, 'allow', 53, 'tcp'),
    // Before the excepted networks: one that contains the gateway must not open the host's loopback with it.
    line('10.0.2.0/24', 2, 'block', null),
    ...forbidden.map((cidr) => line(cidr, 9, 'block', null)),
  ]
}

/** Whether slirp4netns must map its gateway to the host's loopback; the policy then lets exactly the named ports through. */
export function needsHostLoopback(exceptions: readonly NetworkException[]): boolean {
  return exceptions.some((exception) => exception.kind === 'host-port')
}
