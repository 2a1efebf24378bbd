import { fail } from '../../core/failure.ts'
import { MAX_IDEMPOTENCY_KEY_CHARS } from '../../core/limits/idempotency.ts'

const HEADER = 'Idempotency-Key'
const CHANGES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Whether a request may change something, and has an idempotency key: on any other a key means nothing. */
export const hasIdempotencyKey = ({ method, headers }: Request): boolean => CHANGES.has(method) && headers.has(HEADER)

/**
 * Idempotency key of a request: a structured-field string, or the same characters without quotes.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 * @throws FailureError `invalid_input`
 */
export function idempotencyKey(headers: Headers): string {
  const sent = headers.get(HEADER) ?? ''
  const key = sent.startsWith('"') ? unquoted(sent) : sent
  if (key === null || !/^[\x21-\x7e]+$/.test(key) || key.length > MAX_IDEMPOTENCY_KEY_CHARS) {
    fail(
      'invalid_input',
      `${HEADER} is 1 to ${MAX_IDEMPOTENCY_KEY_CHARS} visible characters of ASCII, in quotes or without, such as a new UUID for each request`,
    )
  }
  return key
}

/** Characters of a structured-field string (RFC 9651, 3.3.3); null for a broken one. */
const unquoted = (sent: string): string | null =>
  /^"(?:[^"\\]|\\["\\])*"$/.test(sent) ? sent.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : null
