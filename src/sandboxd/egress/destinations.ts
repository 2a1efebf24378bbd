import { BlockList } from 'node:net'
import type { NetworkException } from '../config.ts'
import { HOST_NAME, NOT_PUBLIC } from '../isolation/policy.ts'

/** Ports of every listed host: those that E2B filters by name. */
const WEB_PORTS = [80, 443]
const OWN_LOOPBACK = '127.0.0.1'

/** Rules for where connections out of a sandbox with a list of hosts may go, once its list has the host. */
export interface Destinations {
  /** Whether the port is open at any address: a name need not be resolved for nothing. */
  mayUse(port: number): boolean
  /** Whether an address that a name resolved to may be connected to. */
  mayReach(address: string, port: number): boolean
  /** Address of {@link HOST_NAME}, which no nameserver knows; null for any other name, and for a port that is not opened. */
  ownAddress(host: string, port: number): string | null
}

/**
 * Destinations by the rules of a sandbox with the internet: public addresses, none of the host's, and the operator's exceptions.
 * Ports are 80 and 443, and those that an exception names.
 * @param hostAddresses the host's own IPv4 addresses
 */
export function destinations(exceptions: readonly NetworkException[], hostAddresses: readonly string[]): Destinations {
  // A sandbox has a loopback of its own, so its policy needs no rule for it. This process has the host's.
  const loopback = blockList(['127.0.0.0/8', '0.0.0.0/8'])
  const notPublic = blockList(NOT_PUBLIC)
  const opened = exceptions.flatMap((exception) => {
    if (exception.kind === 'host-port') return []
    const { cidr, port } = exception
    return [{ cidr, addresses: blockList([cidr]), fits: (given: number) => isPort(port, given) }]
  })
  return {
    mayUse: (port) => WEB_PORTS.includes(port) || exceptions.some((exception) => exception.port === port),
    mayReach(address, port) {
      if (loopback.check(address)) return false
      // An exception for a network around it opens no address of the host, as no route does.
      if (hostAddresses.includes(address))
        return opened.some(({ cidr, fits }) => cidr === `${address}/32` && fits(port))
      if (opened.some(({ addresses, fits }) => addresses.check(address) && fits(port))) return true
      return WEB_PORTS.includes(port) && !notPublic.check(address)
    },
    ownAddress: (host, port) =>
      host === HOST_NAME && exceptions.some((one) => one.kind === 'host-port' && one.port === port)
        ? OWN_LOOPBACK
        : null,
  }
}

const isPort = (opened: number | null, given: number) =>
  opened === null ? WEB_PORTS.includes(given) : opened === given

function blockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [network = '', bits] = cidr.split('/')
    list.addSubnet(network, Number(bits), 'ipv4')
  }
  return list
}
