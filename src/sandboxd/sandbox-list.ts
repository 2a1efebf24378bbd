import { ApiError } from './http-reply.ts'
import { DEFAULT_PAGE } from './limits.ts'
import type { Sandbox } from './sandbox.ts'

export interface Page {
  readonly items: readonly Sandbox[]
  /** Token that the client sends back for the next page; `null` on the last one. */
  readonly nextToken: string | null
}

/** Filters, orders and cuts the list as `GET /v2/sandboxes` asks. @throws ApiError 400 */
export function listPage(sandboxes: readonly Sandbox[], query: URLSearchParams): Page {
  const wanted = [...new URLSearchParams(query.get('metadata') ?? '')].map(
    ([key, value]) => [decode(key), decode(value)] as const,
  )
  const states = (query.get('state') ?? 'running,paused').split(',')
  const template = query.get('template')
  const startedAfter = Date.parse(query.get('startedAfter') ?? '')
  const found = sandboxes.filter(
    ({ record }) =>
      states.includes(record.state) &&
      (template === null || record.templateId === template) &&
      !(record.startedAt < startedAfter) &&
      wanted.every(([key, value]) => record.metadata.get(key) === value),
  )
  const direction = query.get('order') === 'asc' ? 1 : -1
  found.sort((a, b) => direction * (a.record.startedAt - b.record.startedAt || (a.record.id < b.record.id ? -1 : 1)))
  const limit = Number(query.get('limit') ?? DEFAULT_PAGE)
  if (!Number.isInteger(limit) || limit < 1) throw new ApiError(400, 'limit must be a positive number')
  return cut(found, Math.min(limit, DEFAULT_PAGE), query.get('nextToken'))
}

/** A token names the last item of the page before, so that items that come or go meanwhile shift nothing. */
function cut(found: readonly Sandbox[], limit: number, token: string | null): Page {
  const last = token === null ? -1 : found.findIndex(({ record }) => record.id === token)
  if (token !== null && last === -1) throw new ApiError(400, 'nextToken is not known any more')
  const items = found.slice(last + 1, last + 1 + limit)
  const hasMore = last + 1 + items.length < found.length
  return { items, nextToken: hasMore ? (items.at(-1)?.record.id ?? null) : null }
}

/** The SDK encodes each pair once more than the query string does. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
