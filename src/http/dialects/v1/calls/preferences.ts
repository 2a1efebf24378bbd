import { MAX_CALL_WAIT_SECONDS } from '../../../../core/limits/calls.ts'
import { EVENT_STREAM } from '../../../event-stream.ts'

/** How a client wants to hear of its call, by its request's headers and query. */
export type Mode =
  /** The answer comes when the call has ended, however long that takes. */
  | { readonly kind: 'whole' }
  /** The answer comes when the call has ended, or after so many seconds without its result. `applied`: as `Preference-Applied`. */
  | { readonly kind: 'within'; readonly seconds: number; readonly applied: string | null }
  | { readonly kind: 'events' }

/**
 * Mode of a request. A preference that makes no sense counts for nothing, as RFC 7240 wants it.
 * @param wait of the query, which comes before the header's
 */
export function modeOf(headers: Headers, wait: number | undefined): Mode {
  const preferred = preferences(headers.get('Prefer') ?? '')
  if (wantsEvents(headers.get('Accept') ?? '')) return { kind: 'events' }
  const isAsync = preferred.has('respond-async')
  const preferredWait = /^\d{1,9}$/.test(preferred.get('wait') ?? '') ? Number(preferred.get('wait')) : undefined
  const seconds = wait ?? preferredWait
  if (seconds === undefined && !isAsync) return { kind: 'whole' }
  const within = Math.min(seconds ?? 0, MAX_CALL_WAIT_SECONDS)
  const applied = [
    ...(isAsync ? ['respond-async'] : []),
    ...(preferredWait === within ? [`wait=${preferredWait}`] : []),
  ]
  return { kind: 'within', seconds: within, applied: applied.length > 0 ? applied.join(', ') : null }
}

/** Preferences by name, the first of each: `respond-async, wait=10`. */
function preferences(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const part of header.split(',')) {
    const [preference = ''] = part.split(';', 1)
    const [name = '', value = ''] = preference.split('=', 2)
    const key = name.trim().toLowerCase()
    if (!found.has(key)) found.set(key, value.trim().replace(/^"(.*)"$/, '$1'))
  }
  return found
}

const wantsEvents = (accept: string) =>
  accept.split(',').some((range) => range.split(';', 1)[0]?.trim().toLowerCase() === EVENT_STREAM)
