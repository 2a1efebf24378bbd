import { decodeBase64, toBase64Url } from '../core/base64.ts'
import { fail } from '../core/failure.ts'

/** Cursor of a list that goes by path: that of the last item, in base64url. */
export const cursorOf = (path: string) => toBase64Url(new TextEncoder().encode(path))

/** Path of a cursor. @throws FailureError `invalid_input` */
export function pathIn(cursor: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(decodeBase64(cursor, 'the cursor'))
  } catch (cause) {
    fail('invalid_input', 'the cursor is none of this list; send the one of the page before', { cause })
  }
}
