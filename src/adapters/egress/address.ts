import { parseIpv4, parseIpv6, startsWith } from '../../core/ip-address.ts'

/**
 * IP addresses that belong to the public internet.
 * Source: IANA's special-purpose registries for IPv4 and IPv6, multicast included; and what clouds put beside them.
 */

/** Ranges of IPv4 that are not public: first address, prefix length, and name. */
const IPV4_RANGES: readonly (readonly [string, number, string])[] = [
  ['0.0.0.0', 8, 'this host'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared by carriers'],
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, "a cloud's metadata"],
  ['169.254.0.0', 16, 'link-local, where clouds keep their metadata'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved for protocols'],
  ['192.0.2.0', 24, 'for documentation'],
  ['192.31.196.0', 24, 'reserved for protocols'],
  ['192.52.193.0', 24, 'reserved for protocols'],
  ['192.88.99.0', 24, 'a relay of 6to4'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'reserved for protocols'],
  ['198.18.0.0', 15, 'for benchmarks'],
  ['198.51.100.0', 24, 'for documentation'],
  ['203.0.113.0', 24, 'for documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
]

/** Ranges of 2000::/3 that are not public; nothing outside of it is. Groups of 16 bits, prefix length, and name. */
const IPV6_RANGES: readonly (readonly [readonly number[], number, string])[] = [
  [[0x2001, 0], 23, 'reserved for protocols'],
  [[0x2001, 0xdb8], 32, 'for documentation'],
  [[0x2002], 16, 'IPv4 inside of 6to4'],
  [[0x2620, 0x4f, 0x8000], 48, 'reserved for protocols'],
  [[0x3fff, 0], 20, 'for documentation'],
]

/**
 * Why an address is not public.
 * @param address in the form of a URL's host (IPv6 with or without brackets) or of a DNS answer
 * @returns null for a public address
 */
export function whyNotPublic(address: string): string | null {
  const v4 = parseIpv4(address)
  if (v4 !== null) return rangeOfIpv4(v4)
  const groups = parseIpv6(address.replace(/^\[|\]$/g, ''))
  if (groups === null) return 'not an IP address'
  return rangeOfIpv6(groups)
}

export const isIpAddress = (host: string) => host.startsWith('[') || parseIpv4(host) !== null

function rangeOfIpv4(address: number): string | null {
  const range = IPV4_RANGES.find(([first, length]) => {
    const size = 2 ** (32 - length)
    const start = parseIpv4(first) ?? 0
    return address >= start && address < start + size
  })
  return range?.[2] ?? null
}

function rangeOfIpv6(groups: readonly number[]): string | null {
  const [first = 0] = groups
  if (first >> 13 !== 0b001) return nameOutside(groups)
  const range = IPV6_RANGES.find(([prefix, length]) => startsWith(groups, prefix, length))
  return range?.[2] ?? null
}

/** Name of an address for the error; it is refused already. */
function nameOutside(groups: readonly number[]): string {
  const [first = 0] = groups
  if (groups.slice(0, 7).every((group) => group === 0) && (groups[7] ?? 0) < 2) return 'loopback'
  if (groups.slice(0, 5).every((group) => group === 0)) return 'IPv4 inside of IPv6'
  if (first === 0x64 && groups[1] === 0xff9b) return 'IPv4 behind NAT64'
  if (first >> 9 === 0xfc >> 1) return 'private'
  if (first >> 6 === 0xfe80 >> 6) return 'link-local'
  if (first >> 8 === 0xff) return 'multicast'
  return 'reserved'
}
