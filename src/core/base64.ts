import { fail } from './failure.ts'
import { field, say, tool } from './saying/saying.ts'

/**
 * Bytes given as base64: standard or URL-safe, with or without padding, line breaks or a `data:…;base64,` before it.
 * @param what named in the error, e.g. a file's name
 * @throws FailureError `invalid_input`
 */
export function decodeBase64(given: string, what: string): Uint8Array {
  const body = withoutDataUrl(given).replaceAll('-', '+').replaceAll('_', '/')
  let binary: string
  try {
    binary = atob(body) // ignores white space, as the standard says
  } catch (cause) {
    fail(
      'invalid_input',
      say`Base64 decode error: ${what} is not base64; send plain text with ${field('is_base64')} false`,
      { cause },
    )
  }
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/**
 * Base64 whose bytes must be UTF-8 text.
 * @throws FailureError `invalid_input`
 */
export function decodeBase64Text(given: string, what: string): string {
  const bytes = decodeBase64(given, what)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    const message = say`Base64 decode error: 'utf-8' codec can't decode ${what}; use ${tool('file_upload')} for binary content`
    fail('invalid_input', message, { cause })
  }
}

function withoutDataUrl(given: string): string {
  const start = given.trimStart()
  if (!start.startsWith('data:')) return given
  const comma = start.indexOf(',')
  return start.slice(0, comma).endsWith(';base64') ? start.slice(comma + 1) : given
}

/** Standard base64, with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(binary)
}

/** URL-safe base64, without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
  encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Bytes per call of `String.fromCharCode`: engines take some ten thousand arguments. */
const CHUNK = 8_192
