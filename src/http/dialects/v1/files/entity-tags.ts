import { fail } from '../../../../core/failure.ts'
import { MAX_CONDITION_TAGS } from '../../../../core/limits/files.ts'
import type { FileConditions } from '../../../../session/files-api.ts'

/** Strong entity tag of a content: its SHA-256 in quotes. */
export const tagOf = (hash: string) => `"${hash}"`

/** Conditions of a request on the content that it reads or replaces. @throws FailureError `invalid_input` for too many tags */
export const conditionsOf = (headers: Headers): FileConditions => ({
  // RFC 9110, 13.1.1: the comparison is strong, so a weak tag never fits.
  match: inHeader(headers, 'If-Match', isStrong),
  noneMatch: inHeader(headers, 'If-None-Match', () => true),
  // RFC 9110, 13.1.4: a date counts where there are no tags.
  unmodifiedSince: headers.has('If-Match') ? null : dateIn(headers, 'If-Unmodified-Since'),
})

/** Conditions of a request that reads a file: those on its content, and the time of the client's copy. */
export const readConditionsOf = (headers: Headers) => ({
  ...conditionsOf(headers),
  modifiedSince: headers.has('If-None-Match') ? null : dateIn(headers, 'If-Modified-Since'),
})

/** Date of a header in whole seconds; null without one, and for one that is no HTTP date, which counts for nothing. */
function dateIn(headers: Headers, name: string): number | null {
  const given = headers.get(name)?.trim() ?? ''
  const ms = HTTP_DATE.test(given) ? Date.parse(given) : Number.NaN
  return Number.isNaN(ms) ? null : ms / 1_000
}

/** Date as RFC 9110, 5.6.7, wants it sent; its two obsolete forms no client sends any more. */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Contents that a text of tags names, as `If-Match` has them. @throws FailureError `invalid_input` for none that could be one */
export function matchOf(tags: string): NonNullable<FileConditions['match']> {
  const match = hashesIn(tags, 'If-Match', isStrong)
  return match.length === 0 ? fail('invalid_input', `${tags.slice(0, 100)} is no ETag of a file`) : match
}

/** Hash of `If-Range`; '' for a date or another tag, which names no content of ours. Null where there is none. */
export function ifRangeOf(headers: Headers): string | null {
  const given = headers.get('If-Range')
  return given === null ? null : (hashIn(given.trim()) ?? '')
}

const isStrong = (tag: string) => !tag.startsWith('W/')

function inHeader(headers: Headers, name: string, counts: (tag: string) => boolean): FileConditions['match'] {
  const given = headers.get(name)
  return given === null ? null : hashesIn(given, name, counts)
}

function hashesIn(given: string, name: string, counts: (tag: string) => boolean): NonNullable<FileConditions['match']> {
  const tags = given.split(',').map((tag) => tag.trim())
  if (tags.includes('*')) return 'any'
  if (tags.length > MAX_CONDITION_TAGS)
    fail('invalid_input', `${name} has more than ${MAX_CONDITION_TAGS} tags (MAX_CONDITION_TAGS); send fewer`)
  return tags.filter(counts).flatMap((tag) => hashIn(tag.replace(/^W\//, '')) ?? [])
}

const hashIn = (tag: string) => /^"([0-9a-f]{64})"$/.exec(tag)?.[1] ?? null
