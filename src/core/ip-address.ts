const IPV4_FORM = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/

/** Whether an address begins with the first `length` bits of a prefix. Both are groups of 16 bits; groups left out are 0. */
export function startsWith(groups: readonly number[], prefix: readonly number[], length: number): boolean {
  for (let bit = 0; bit < length; bit += 16) {
    const at = bit / 16
    const mask = length - bit >= 16 ? 0xffff : (0xffff << (16 - (length - bit))) & 0xffff
    if (((groups[at] ?? 0) & mask) !== ((prefix[at] ?? 0) & mask)) return false
  }
  return true
}

/** Parses four decimal parts and no other form: a URL's host has been brought to this one. `010` is 8 to some, so it is none. */
export function parseIpv4(text: string): number | null {
  const parts = IPV4_FORM.exec(text)?.slice(1).map(Number)
  if (!parts || parts.some((part) => part > 255)) return null
  return parts.reduce((whole, part) => whole * 256 + part, 0)
}

/**
 * Parses an IPv6 address.
 * @returns eight groups of 16 bits; null for other text, or an address of a zone of this machine (`%eth0`)
 */
export function parseIpv6(text: string): number[] | null {
  const halves = withoutDottedEnd(text).split('::')
  if (halves.length > 2) return null
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - (head?.length ?? 0) - (tail?.length ?? 0)
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null
  const groups = [...(head ?? []), ...Array<string>(halves.length === 2 ? missing : 0).fill('0'), ...(tail ?? [])]
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : null
}

/** `::ffff:10.0.0.1` → `::ffff:a00:1` */
function withoutDottedEnd(text: string): string {
  const at = text.lastIndexOf(':') + 1
  const v4 = parseIpv4(text.slice(at))
  if (at === 0 || v4 === null) return text
  return `${text.slice(0, at)}${Math.floor(v4 / 65_536).toString(16)}:${(v4 % 65_536).toString(16)}`
}
