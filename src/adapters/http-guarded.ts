import { Deadline } from '../core/deadline.ts'
import type { Deadlines } from '../core/deadlines.ts'
import { type Failure, FailureError, fail } from '../core/failure.ts'
import { joined } from '../core/joined.ts'
import { MAX_REDIRECTS } from '../core/limits/web.ts'
import { noLimit, type Slots } from '../core/slots.ts'
import { type Http, type HttpRequest, type HttpResponse, type HttpStream, UnansweredError } from '../ports/http.ts'
import type { Resolve } from './egress/dns-over-https.ts'
import { checkUrl, type EgressPolicy, refuseUnlessPublic } from './egress/policy.ts'

export interface GuardedHttpParts {
  readonly policy: EgressPolicy
  /** DNS look-up before a request; null where the platform itself keeps requests from private addresses. */
  readonly resolve: Resolve | null
  readonly send: typeof fetch
  /** Places for requests whose answers have not begun; without them there is no limit. */
  readonly slot?: Slots
  /** Deadlines of the calling object, when all calls come from one object. */
  readonly deadlines?: Pick<Deadlines, 'open'>
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Headers that go along to another origin. All others may hold a credential, and stay with the origin they were meant for. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent'])
const USER_AGENT = 'Mozilla/5.0 (compatible; Toolyard/0.1)'

/** {@link Http} over the platform's fetch; redirects are followed by hand, and each address is checked before its request. */
export function guardedHttp(parts: GuardedHttpParts): Http {
  const deadlineOf = ({ timeoutMs }: HttpRequest, signal: AbortSignal) =>
    parts.deadlines?.open(timeoutMs, signal) ?? new Deadline(timeoutMs, signal)
  return {
    async open(request, signal) {
      const deadline = deadlineOf(request, signal)
      try {
        return streamed(await exchange(parts, request, deadline))
      } catch (thrown) {
        deadline.settle()
        throw thrown
      }
    },
    async fetch(request, signal): Promise<HttpResponse> {
      const deadline = deadlineOf(request, signal)
      try {
        const answer = await exchange(parts, request, deadline)
        const { status, headers } = answer.response
        return { status, headers, url: answer.hop.url.href, body: await wholeBody(answer) }
      } finally {
        deadline.settle()
      }
    },
  }
}

async function wholeBody(answer: Answer): Promise<Uint8Array> {
  const { response, deadline, request } = answer
  const size = refuseLarge(answer)
  if (response.body === null || request.method === 'HEAD') return new Uint8Array()
  try {
    // The runtime reads no more of a body than its stated size, and at once takes a fraction of what its pieces take.
    if (size !== null && size <= SMALL_BODY_BYTES) return new Uint8Array(await deadline.race(response.arrayBuffer()))
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
    const chunks: Uint8Array[] = []
    let bytes = 0
    for (let chunk = await nextChunk(reader, answer, bytes); chunk; chunk = await nextChunk(reader, answer, bytes)) {
      bytes += chunk.length
      chunks.push(chunk)
    }
    return joined(chunks)
  } catch (thrown) {
    return answer.failed(thrown)
  }
}

const SMALL_BODY_BYTES = 64 * 1024

/** Request of one hop. */
interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: string | undefined
}

async function exchange(parts: GuardedHttpParts, request: HttpRequest, deadline: Deadline): Promise<Answer> {
  const failureOf = (thrown: unknown, host: string): Failure => {
    if (deadline.signal.aborted && !deadline.isOver) throw deadline.signal.reason
    if (thrown instanceof FailureError) throw thrown
    return deadline.isOver
      ? { code: 'timeout', message: `${host} did not answer in whole within ${request.timeoutMs / 1000} seconds` }
      : { code: 'upstream', message: `${host} cannot be reached; check the URL, or try again later` }
  }
  const failed = (thrown: unknown, host: string): never => {
    throw new UnansweredError(failureOf(thrown, host), { cause: thrown })
  }
  const unsent = (thrown: unknown): never => {
    throw new FailureError(failureOf(thrown, 'the host'), { cause: thrown })
  }
  const { maxRedirects = MAX_REDIRECTS } = request
  let hop = await firstHop(parts, request, deadline.signal).catch(unsent)
  for (let followed = 0; ; followed++) {
    const { host } = hop.url
    let isSent = followed > 0
    // Not every request of the platform ends with its signal: its place is given back at the deadline all the same.
    const send = () => {
      isSent = true
      return deadline.race(sendHop(parts, hop, deadline.signal))
    }
    const response = await (parts.slot ?? noLimit)(send, deadline.signal).catch((thrown: unknown) => {
      if (isSent) return failed(thrown, host)
      if (deadline.isOver) return waitedTooLong(host, request.timeoutMs)
      return unsent(thrown)
    })
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
    if (location === null || maxRedirects === 0) {
      return { response, hop, request, deadline, failed: (thrown) => failed(thrown, host) }
    }
    await response.body?.cancel()
    if (followed === maxRedirects) fail('upstream', `${host} redirects more than ${maxRedirects} times (MAX_REDIRECTS)`)
    const next = nextHop(parts, hop, { location, status: response.status }, deadline.signal)
    hop = await next.catch((thrown: unknown) => failed(thrown, host))
  }
}

async function firstHop(parts: GuardedHttpParts, request: HttpRequest, signal: AbortSignal): Promise<Hop> {
  const headers = new Headers({ 'User-Agent': USER_AGENT, ...request.headers })
  return {
    url: await permitted(parts, request.url, signal),
    method: request.method ?? 'GET',
    headers,
    body: request.body,
  }
}

/**
 * Request after a redirect.
 * @throws FailureError `forbidden` also for a redirect that would carry a credential or a body where they do not belong
 */
async function nextHop(
  parts: GuardedHttpParts,
  from: Hop,
  { location, status }: { readonly location: string; readonly status: number },
  signal: AbortSignal,
): Promise<Hop> {
  const target = URL.parse(location, from.url.href)
  if (!target) fail('upstream', `${from.url.host} redirects to something that is not a URL`)
  const url = await permitted(parts, target.href, signal)
  const isSameOrigin = url.origin === from.url.origin
  const toGet = status === 303 || ((status === 301 || status === 302) && from.method === 'POST')
  const method = toGet ? 'GET' : from.method
  const body = toGet ? undefined : from.body
  if (isSameOrigin) return { url, method, headers: from.headers, body }
  const headers = new Headers([...from.headers].filter(([name]) => HARMLESS_HEADERS.has(name)))
  const hasSecrets = [...from.headers].some(([name]) => !HARMLESS_HEADERS.has(name) && name !== 'traceparent')
  if (hasSecrets && from.url.protocol === 'https:' && url.protocol === 'http:') {
    fail('forbidden', `${from.url.host} redirects a request that has a key from https to http; that is refused`)
  }
  if (body !== undefined) fail('forbidden', `${from.url.host} redirects what was sent to it to ${url.host}; refused`)
  return { url, method, headers, body }
}

/**
 * Checks a URL, its host's addresses included.
 * @throws FailureError `invalid_input`, `forbidden`, `upstream` when DNS does not resolve the host
 */
export async function permitted(
  { policy, resolve }: Pick<GuardedHttpParts, 'policy' | 'resolve'>,
  given: string,
  signal: AbortSignal,
): Promise<URL> {
  const { url, isAllowed, name } = checkUrl(given, policy)
  if (isAllowed || name === null || resolve === null) return url
  for (const address of await resolve(name, signal)) refuseUnlessPublic(address, name)
  return url
}

const sendHop = ({ send }: GuardedHttpParts, { url, method, headers, body }: Hop, signal: AbortSignal) =>
  send(url.href, { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }) })

/** Answer of the last host, with its body still unread. */
interface Answer {
  readonly response: Response
  readonly hop: Hop
  readonly request: HttpRequest
  /** Deadline of the whole exchange; the reader of the body settles it. */
  readonly deadline: Deadline
  readonly failed: (thrown: unknown) => never
}

function streamed(answer: Answer): HttpStream {
  const { response, hop, request, deadline } = answer
  const size = refuseLarge(answer)
  const body = response.body as ReadableStream<Uint8Array> | null // fetch gives bytes
  if (body === null) deadline.settle()
  return {
    status: response.status,
    headers: response.headers,
    url: hop.url.href,
    size: request.method === 'HEAD' ? null : size,
    body: body ? counted(body, answer) : new Blob([]).stream(),
  }
}

/**
 * Refuses a body whose stated size is over the limit.
 * @returns the stated size of the body; null when there is none
 */
function refuseLarge({ response, hop, request }: Answer): number | null {
  const size = sizeOf(response)
  if (size !== null && size > request.maxBytes) {
    response.body?.cancel().catch(() => undefined) // an unread body would be held for nothing
    tooLarge(hop.url.host, request.maxBytes)
  }
  return size
}

/** Stated size of the body; a compressed body's is that of the compressed one, so it does not count. */
function sizeOf({ headers }: Response): number | null {
  const declared = headers.get('content-length')
  const encoding = headers.get('content-encoding') ?? 'identity'
  return declared !== null && /^\d{1,15}$/.test(declared) && encoding === 'identity' ? Number(declared) : null
}

/** The body, cut off at limit and deadline: a small compressed body may be a huge one. */
function counted(body: ReadableStream<Uint8Array>, answer: Answer) {
  const reader = body.getReader()
  let bytes = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const chunk = await nextChunk(reader, answer, bytes)
        if (chunk === null) {
          answer.deadline.settle()
          return controller.close()
        }
        bytes += chunk.length
        controller.enqueue(chunk)
      } catch (thrown) {
        answer.deadline.settle()
        answer.failed(thrown)
      }
    },
    cancel(reason) {
      answer.deadline.settle()
      return reader.cancel(reason)
    },
  })
}

/**
 * The next chunk of the body.
 * @param before how many bytes came before
 * @returns null at the end
 */
async function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { deadline, hop, request }: Answer,
  before: number,
): Promise<Uint8Array | null> {
  try {
    const { done, value } = await deadline.race(reader.read())
    if (done) return null
    if (before + value.length > request.maxBytes) tooLarge(hop.url.host, request.maxBytes)
    return value
  } catch (thrown) {
    reader.cancel(thrown).catch(() => undefined) // the request failed already, and that failure is reported
    throw thrown
  }
}

const waitedTooLong = (host: string, ms: number): never =>
  fail(
    'timeout',
    `${host} was not asked within ${ms / 1000} seconds, since other requests are open; make fewer at once`,
  )

const tooLarge = (host: string, maxBytes: number): never =>
  fail('limit_exceeded', `the answer of ${host} is larger than ${maxBytes} bytes, the most that is taken here`)
