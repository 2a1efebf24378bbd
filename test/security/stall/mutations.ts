/** Whole numbers that programs forget: ends of ranges, signs, and powers of two. */
const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]
const WORDS = ['-1', '0', '999999999999', '1e9', 'NaN', '-2147483648', '2147483648', '1.5']

type Random = () => number
const below = (random: Random, end: number) => Math.floor(random() * end)

/** One changed copy of a file: bits turned, a part moved, doubled or cut off, a number set to an extreme, or a splice. */
export function mutated(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let changed: Uint8Array = bytes.slice()
  for (let times = 1 + below(random, 6); times > 0; times--) changed = once(changed, other, random)
  return changed
}

function once(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  if (bytes.length === 0) return other.slice(0, 1000)
  const at = below(random, bytes.length)
  const length = 1 + below(random, Math.min(4_000, bytes.length - at))
  switch (below(random, 8)) {
    case 0:
    case 1:
      for (let bits = 1 + below(random, 8); bits > 0; bits--) {
        const place = below(random, bytes.length)
        bytes[place] = (bytes[place] ?? 0) ^ (1 << below(random, 8))
      }
      return bytes
    case 2:
      return bytes.slice(0, at)
    case 3:
      return joined(bytes.subarray(0, at), bytes.subarray(at + length))
    case 4:
      return joined(bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at))
    case 5: {
      const from = below(random, other.length)
      return joined(bytes.subarray(0, at), other.subarray(from, from + length), bytes.subarray(at))
    }
    case 6: {
      const value = EXTREMES[below(random, EXTREMES.length)] ?? 0
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const width = [1, 2, 4][below(random, 3)] ?? 1
      if (at + width > bytes.length) return bytes
      if (width === 1) view.setUint8(at, value & 0xff)
      else if (width === 2) view.setUint16(at, value & 0xffff, true)
      else view.setUint32(at, value, random() < 0.7)
      return bytes
    }
    default:
      return withNumber(bytes, at, WORDS[below(random, WORDS.length)] ?? '0')
  }
}

/** A number that is written out, in the place of the next one from `at` on. */
function withNumber(bytes: Uint8Array, at: number, number: string): Uint8Array {
  const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39
  let start = at
  while (start < bytes.length && !isDigit(bytes[start])) start++
  let end = start
  while (isDigit(bytes[end])) end++
  return joined(bytes.subarray(0, start), new TextEncoder().encode(number), bytes.subarray(end))
}

const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))
