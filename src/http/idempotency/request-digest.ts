import { Buffer } from 'node:buffer'
import { sha256 } from '../../core/sha256.ts'
import { boundaryOf } from '../form.ts'

/** Digest of all that says what a request asks for. Two requests with one idempotency key are the same when theirs are. */
export function requestDigest({ method, url, headers }: Request, body: Uint8Array): string {
  const { pathname, search } = new URL(url)
  // A client of XAgent names its node by a cookie.
  return sha256(JSON.stringify([method, pathname, search, headers.get('Cookie'), sha256(bare(body, headers))]))
}

/** The body; of a form, without its boundary, which a client makes anew for each attempt. */
function bare(body: Uint8Array, headers: Headers): Uint8Array {
  const boundary = boundaryOf(headers.get('Content-Type') ?? '')
  return boundary === null ? body : without(body, `--${boundary}`)
}

/** The body with a zero byte in each place of the part: what stood before it and after it must not become one. */
function without(body: Uint8Array, part: string): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  // One buffer, whatever the number of places: a body may be boundaries from end to end.
  const rest = Buffer.alloc(bytes.length)
  let [from, length] = [0, 0]
  for (let at = bytes.indexOf(part); at !== -1; at = bytes.indexOf(part, from)) {
    length += bytes.copy(rest, length, from, at) + 1
    from = at + part.length
  }
  length += bytes.copy(rest, length, from)
  return rest.subarray(0, length)
}
