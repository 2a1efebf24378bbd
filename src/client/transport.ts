import { encodedBody } from './body.ts'
import { type ApiError, ConnectionError, errorOf, KeyInUseError, TimeoutError, type ToolyardError } from './errors.ts'
import { MAX_RETRIES, MAX_RETRY_AFTER_MS, REQUEST_TIMEOUT_MS } from './limits.ts'
import { Pages } from './pages.ts'
import { pause, pauseMs } from './pause.ts'
import { type Answer, definedEntries, type Given, type ListRoute, type Parts, type Route, urlOf } from './routes.ts'

/** One attempt of a request, as hooks see it. */
export interface Attempt {
  readonly method: string
  readonly url: string
  /** Headers of the request but the key. A hook may set further ones before the request is sent. */
  readonly headers: Headers
  /** From 1. */
  readonly attempt: number
}

/** Functions that are called on the way of a request, for logs and traces. What they throw fails the request. */
export interface Hooks {
  /** Called before each attempt: for a header such as `traceparent`. */
  readonly onRequest?: (attempt: Attempt) => void | Promise<void>
  /** Called for each answer, good or not. */
  readonly onResponse?: (attempt: Attempt & { status: number; requestId: string | null; ms: number }) => void
  /** Called before the pause that comes before another attempt. */
  readonly onRetry?: (attempt: Attempt & { error: ToolyardError; waitMs: number }) => void
}

/** Settings of a client. */
export interface ToolyardOptions extends Hooks {
  /** Address of the server, such as `http://localhost:8001`. */
  readonly baseUrl: string
  /** API key, or a function that gives it for each attempt. A server on your own machine needs none. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined
  /** Times that a request is sent again, 3 unless said. */
  readonly maxRetries?: number | undefined
  /**
   * Milliseconds that an attempt waits for its answer, and then for each further piece of it: 60,000 unless said. A call has 1,200,000,
   * unless it says otherwise itself.
   */
  readonly timeoutMs?: number | undefined
  /** Function that sends requests, in the place of the platform's. */
  readonly fetch?: typeof fetch | undefined
}

/** Settings of one request, in the place of the client's. */
export interface RequestOptions {
  /** Ends the request, and the pauses between its attempts; the reason is thrown. */
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  readonly maxRetries?: number | undefined
  /** Name of the request, under which it is carried out once; a random one unless given. */
  readonly idempotencyKey?: string | undefined
}

/** Way to the server: sends requests, and sends them again where that may help and cannot harm. */
export class Transport {
  readonly #options: ToolyardOptions
  readonly #baseUrl: string

  constructor(options: ToolyardOptions) {
    this.#options = options
    const { baseUrl } = options
    this.#baseUrl = baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl
    if (!URL.canParse(this.#baseUrl)) throw new TypeError(`baseUrl "${baseUrl}" is no URL`)
  }

  /** Most repetitions of a request. */
  maxRetries({ maxRetries = this.#options.maxRetries ?? MAX_RETRIES }: RequestOptions = {}): number {
    return maxRetries
  }

  /** Answer of an operation, as JSON. @throws ApiError, ConnectionError, or the reason of the signal */
  async json<R extends Route>(route: R, given: Given<R>, options: RequestOptions = {}): Promise<Answer<R>> {
    const { body } = await this.send(route, given, options, 'text')
    return (body ? JSON.parse(body) : undefined) as Answer<R>
  }

  /** Answer of an operation, whose body the caller reads. The timeout is for its headers. @throws as {@link json} */
  async raw<R extends Route>(route: R, given: Given<R>, options?: RequestOptions): Promise<Response> {
    return (await this.send(route, given, options)).response
  }

  /** A list, from the page on that its query names. */
  pages<R extends ListRoute>(route: R, given: Given<R>, options?: RequestOptions): Pages<Answer<R>> {
    const { query, ...rest } = given as { query?: { cursor?: string | undefined } }
    return new Pages((cursor = query?.cursor) =>
      this.json(route, { ...rest, query: { ...query, cursor } } as unknown as Given<R>, options),
    )
  }

  /** Answer of an operation, with its body as `reads` says: a body that stalls or is cut is asked for again. @throws as {@link json} */
  async send<Reads extends BodyType = never>(
    route: Route,
    parts: Parts,
    options: RequestOptions = {},
    reads?: Reads,
  ): Promise<Received<Reads>> {
    const [method = '', path = ''] = route.split(' ')
    const { signal } = options
    const url = urlOf(this.#baseUrl, path, parts)
    const headers = new Headers(definedEntries(parts.headers))
    if (method !== 'GET') headers.set('Idempotency-Key', options.idempotencyKey ?? crypto.randomUUID())
    const body = parts.body === undefined ? null : encodedBody(parts.body)
    if (body?.type && !headers.has('Content-Type')) headers.set('Content-Type', body.type)
    const content = body?.content ?? null
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? REQUEST_TIMEOUT_MS
    const isRepeatable = !(content instanceof ReadableStream)
    const maxRetries = this.maxRetries(options)
    const until = Date.now() + timeoutMs

    for (let attempt = 1, retries = 0; ; attempt++) {
      const sent = { method, url, headers: new Headers(headers), attempt }
      const received = await this.#attempt(sent, content, { signal, timeoutMs, reads })
      if ('response' in received) return received
      const { error } = received
      const retryAfterMs = error instanceof ConnectionError ? null : error.retryAfterMs
      // The first request with this key is under way: an attempt that found that out was no failure.
      if (error instanceof KeyInUseError && Date.now() < until) retries--
      const mayHelp = error.retryable && isRepeatable && (retryAfterMs ?? 0) <= MAX_RETRY_AFTER_MS
      if (!mayHelp || retries++ >= maxRetries) throw error
      const waitMs = retryAfterMs ?? pauseMs(attempt)
      this.#options.onRetry?.({ ...sent, error, waitMs })
      await pause(waitMs, signal)
    }
  }

  async #attempt<Reads extends BodyType>(
    sent: Attempt,
    content: BodyInit | null,
    { signal, timeoutMs, reads }: { signal: AbortSignal | undefined; timeoutMs: number; reads: Reads | undefined },
  ): Promise<Received<Reads> | Failed> {
    const { fetch: send = fetch, onRequest, onResponse, apiKey } = this.#options
    signal?.throwIfAborted()
    await onRequest?.(sent)
    const headers = new Headers(sent.headers)
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey
    if (key) headers.set('Authorization', `Bearer ${key}`)

    const cut = new AbortController()
    const abort = () => cut.abort(signal?.reason)
    signal?.addEventListener('abort', abort)
    let timer: ReturnType<typeof setTimeout> | undefined
    const awaitMore = () => {
      clearTimeout(timer)
      timer = setTimeout(() => cut.abort(), timeoutMs)
    }
    awaitMore()
    const began = Date.now()
    let isOpen = false
    let response: Response
    let body: Bodies[BodyType] | undefined
    try {
      // A redirect would lead the key elsewhere; the API has none.
      const request = { method: sent.method, headers, body: content, signal: cut.signal, redirect: 'manual' as const }
      response = await send(sent.url, Object.assign(request, HALF))
      const kind = response.ok ? reads : 'text'
      isOpen = !kind
      if (kind) body = await heard(response, awaitMore)[kind]()
    } catch (cause) {
      signal?.throwIfAborted()
      const error = cut.signal.aborted
        ? new TimeoutError(`no answer within ${timeoutMs} ms (timeoutMs)`, { cause })
        : new ConnectionError(`no connection to ${new URL(sent.url).origin}`, { cause })
      return { error }
    } finally {
      clearTimeout(timer)
      if (!isOpen) signal?.removeEventListener('abort', abort)
    }
    const { ok, status } = response
    onResponse?.({ ...sent, status, requestId: response.headers.get('X-Request-Id'), ms: Date.now() - began })
    return ok ? { response, body: body as Bodies[Reads] } : { error: errorOf(response, body as string) }
  }
}

/** Half duplex: `fetch` wants it said for a body that is a stream. */
const HALF = { duplex: 'half' }

/** The same body. @param onPiece called with each piece of it that comes */
const heard = ({ body }: Response, onPiece: () => void) =>
  new Response(
    body?.pipeThrough(
      new TransformStream({
        transform(piece, to) {
          onPiece()
          to.enqueue(piece)
        },
      }),
    ),
  )

/** Whole bodies of answers, by the method of a response that reads them. */
interface Bodies {
  readonly text: string
  readonly arrayBuffer: ArrayBuffer
}
type BodyType = keyof Bodies

/** A good answer. Its body is read as it was asked for; where it was not, the caller reads it. */
interface Received<Reads extends BodyType> {
  readonly response: Response
  readonly body: Bodies[Reads]
}

/** Failure of an attempt. One without an answer may be repeated: what was carried out is answered again under its key. */
interface Failed {
  readonly error: ApiError | ConnectionError
}
