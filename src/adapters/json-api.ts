import type * as z from 'zod'
import { FailureError, fail } from '../core/failure.ts'
import { API_MS, MAX_API_BYTES } from '../core/limits/web.ts'
import { operator, say } from '../core/saying/saying.ts'
import type { Http, HttpRequest } from '../ports/http.ts'

export type ApiRequest = Pick<HttpRequest, 'url' | 'method' | 'headers' | 'body'>

/** Sends a request to a JSON API. A redirect is followed only where `maxRedirects` allows it: keys stay where they belong. */
export async function askApi(http: Http, request: ApiRequest, signal: AbortSignal, maxRedirects = 0) {
  const headers = { Accept: 'application/json', ...request.headers }
  const limits = { timeoutMs: API_MS, maxBytes: MAX_API_BYTES, maxRedirects }
  const response = await http
    .fetch({ ...request, ...limits, headers }, signal)
    .catch((thrown: unknown) => unreachable(thrown, new URL(request.url).host))
  return { status: response.status, headers: response.headers, json: parseJson(response.body) }
}

/** Error for a service that cannot be reached: its address is the server's own, so advice on a URL would mislead a caller. */
function unreachable(thrown: unknown, host: string): never {
  if (!(thrown instanceof FailureError) || thrown.failure.code !== 'upstream') throw thrown
  return fail(
    'upstream',
    say`${host} cannot be reached from this server; the call itself is right: try again later, or do without it${operator(
      `. Check that the server may reach ${host}; behind a firewall another provider may be set up`,
    )}`,
    { cause: thrown },
  )
}

/** An API's answer, checked against its schema. @throws FailureError `upstream` */
export function understood<S extends z.ZodType>(schema: S, json: unknown, who: string): z.output<S> {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  return fail('upstream', `${who} gave an answer that is not understood; try again later`, { cause: parsed.error })
}

/**
 * JSON of a body.
 * @returns undefined for other text: pages of proxies and of errors
 */
function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
