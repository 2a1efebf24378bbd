import { parseIpv4, parseIpv6, startsWith } from './ip-address.ts'

/** Network of IP addresses: groups of 16 bits, and the length of its prefix. IPv4 is in it as `::ffff:0:0/96`, so that both spellings are one. */
interface Network {
  readonly groups: readonly number[]
  readonly bits: number
}

const V4_BITS = 96

/**
 * Canonical text of an address or a network: `10.0.0.0/8`, `2001:db8::/32`, `192.0.2.7`.
 * @returns null for other text, and for a network with bits behind its prefix
 */
export function canonicalNetwork(text: string): string | null {
  const network = parseNetwork(text)
  return network === null || hasBitsBehind(network) ? null : textOf(network)
}

/** Whether an address is in one of the networks. Text that is no address is in none, and text that is no network has none. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const groups = parseAddress(address)
  return groups !== null && networks.some((text) => contains(parseNetwork(text), groups))
}

const contains = (network: Network | null, groups: readonly number[]) =>
  network !== null && startsWith(groups, network.groups, network.bits)

/** Whether a network's address goes on behind its prefix: `10.0.0.5/8` is a typing error, and which one nobody knows. */
const hasBitsBehind = ({ groups, bits }: Network) =>
  groups.some((group, at) => (group & (0xffff >> Math.min(16, Math.max(0, bits - 16 * at)))) !== 0)

function parseNetwork(text: string): Network | null {
  const [address = '', length, ...more] = text.split('/', 3)
  const groups = parseAddress(address)
  if (groups === null || more.length > 0) return null
  const own = parseIpv4(address) === null ? 128 : 32
  if (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length)) return null
  const bits = length === undefined ? own : Number(length)
  return bits > own ? null : { groups, bits: bits + (128 - own) }
}

/** Parses an address of IPv4 or IPv6. @returns eight groups; null for other text */
function parseAddress(text: string): readonly number[] | null {
  const v4 = parseIpv4(text)
  return v4 === null ? parseIpv6(text) : [0, 0, 0, 0, 0, 0xffff, Math.floor(v4 / 65_536), v4 % 65_536]
}

const V4_PREFIX = [0, 0, 0, 0, 0, 0xffff]

function textOf({ groups, bits }: Network): string {
  const isV4 = bits >= V4_BITS && startsWith(groups, V4_PREFIX, V4_BITS)
  const [high = 0, low = 0] = groups.slice(6)
  const address = isV4
    ? [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
    : new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1)
  const length = isV4 ? bits - V4_BITS : bits
  return bits === 128 ? address : `${address}/${length}`
}
