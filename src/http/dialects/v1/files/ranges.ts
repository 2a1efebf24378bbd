import type { RequestedRange } from '../../../../session/files-api.ts'

/**
 * Part of a file that `Range` asks for, by RFC 9110, 14.2. Null for the whole file: without the header, for another unit, for
 * several ranges, and for one that makes no sense, as the standard allows.
 */
export function rangeOf(headers: Headers): RequestedRange | null {
  const [, from = '', to = ''] = /^bytes *= *(\d{0,15})-(\d{0,15})$/i.exec(headers.get('Range')?.trim() ?? '') ?? []
  if (from === '') return to === '' ? null : { suffix: Number(to) }
  const [first, last] = [Number(from), to === '' ? null : Number(to)]
  return last !== null && last < first ? null : { first, last }
}

/** `Content-Range` of a part. */
export const contentRange = ({ offset, length }: { readonly offset: number; readonly length: number }, size: number) =>
  `bytes ${offset}-${offset + length - 1}/${size}`
