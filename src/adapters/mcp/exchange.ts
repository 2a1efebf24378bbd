import { parseExactly } from '../../core/exact-json.ts'
import { FailureError, fail } from '../../core/failure.ts'
import { exceededAt } from '../../core/json-bounds.ts'
import { MAX_MCP_SESSION_ID_CHARS, MCP_CANCEL_MS } from '../../core/limits/mcp-servers.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../core/limits/requests.ts'
import { readAll } from '../../core/read-all.ts'
import { utf8Length } from '../../core/utf8-length.ts'
import { type Http, UnansweredError } from '../../ports/http.ts'
import type { McpAddress, McpCall } from '../../ports/mcp-servers.ts'
import { rewrittenEvents } from './event-messages.ts'
import { WireIds } from './wire-ids.ts'

interface Parts {
  readonly http: Pick<Http, 'open'>
  readonly address: McpAddress
  /** Wall-clock milliseconds since 1970 at which all must be over. */
  readonly endsAt: number
  readonly now: () => number
  /** Bytes of all answers together. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Ends the exchange: the SDK waits for an answer also where its stream broke. */
  readonly abandon: () => void
  /** Number of the exchange, of those that may share a session. */
  readonly number: number
  /** Takes the progress of a call; left out where nobody wants it. */
  readonly onProgress?: McpCall['onProgress']
}

/**
 * One exchange with a server, of several requests: the `fetch` of the SDK's transport. Lists of tools and results are taken out of the
 * answers before the SDK sees them: it refuses a whole list for one wrong tool, and its numbers are not exact.
 */
export class Exchange {
  readonly #parts: Parts
  readonly #host: string
  readonly #ids: WireIds
  /** Messages that cancel a call, on their way. */
  readonly #cancelling: Promise<unknown>[] = []
  /** The first failure of the guarded port: the SDK words its own around it. */
  failure: unknown = null
  /** Status of the last answer. */
  status = 0
  bytesIn = 0
  bytesOut = 0
  /** Token of the call's progress: nobody else's, and unknown to other calls. */
  readonly progressToken = crypto.randomUUID()
  /** Fields of the last result, which were taken out of its answer. */
  taken: Readonly<Record<string, unknown>> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#host = URL.parse(parts.address.url)?.host ?? 'the server'
    this.#ids = new WireIds(parts.number)
  }

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    // A stream of notifications would hold a connection as long as this object lives.
    if (init.method === 'GET') return new Response(null, { status: 405 })
    const message = this.#ids.toServer(typeof init.body === 'string' ? fieldsOf(JSON.parse(init.body)) : {})
    const sending = { url: String(url), init, method: typeof message.method === 'string' ? message.method : null }
    const body = JSON.stringify(message)
    try {
      return sending.method === CANCELLED ? await this.#cancel(sending, body) : await this.#send(sending, body)
    } catch (thrown) {
      if (sending.method !== null) this.failure ??= thrown
      throw thrown
    }
  }

  /** Waits for what cancels a call to be sent. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#cancelling)
  }

  #cancel({ url, init }: Sending, body: string): Promise<Response> {
    const { http } = this.#parts
    const request = { url, method: 'POST', headers: this.#headers(init), body, maxRedirects: 0 }
    // The call's own signal has aborted already.
    const sent = http.open({ ...request, timeoutMs: MCP_CANCEL_MS, maxBytes: 1_024 }, new AbortController().signal)
    const answered = sent.then(async ({ body }) => {
      await body.cancel()
      return new Response(null, { status: 202 })
    })
    this.#cancelling.push(answered)
    return answered
  }

  async #send({ url, init, method }: Sending, body: string): Promise<Response> {
    const { http, endsAt, now, maxBytes, signal } = this.#parts
    this.bytesIn += utf8Length(body)
    const answer = await http.open(
      {
        url,
        method: init.method ?? 'POST',
        headers: this.#headers(init),
        body,
        timeoutMs: Math.max(1, endsAt - now()),
        maxBytes: Math.max(1, maxBytes - this.bytesOut),
        maxRedirects: 0,
      },
      signal,
    )
    // The server may refuse an answer to a question of its own: that says nothing of the call.
    if (method !== null) this.status = answer.status
    const [mediaType = ''] = (answer.headers.get('content-type') ?? '').split(';', 1)
    const type = mediaType.trim().toLowerCase()
    const isStream = type === 'text/event-stream'
    const asking: Asking = { method, isAnswered: !isStream }
    const read = this.#counted(answer.body, asking)
    const { status } = answer
    if (status >= 300 && status <= 399) {
      await read.cancel()
      fail('upstream', `${this.#host} redirects, which is not followed for an MCP server; give the address it leads to`)
    }
    if (status === 401 || status === 403) {
      await read.cancel()
      fail(
        'forbidden',
        `${this.#host} answers ${status}: the credentials of this MCP server are missing or refused; its owner sets auth`,
      )
    }
    const headers = new Headers()
    for (const name of ['content-type', 'mcp-session-id']) {
      const value = answer.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    if ((headers.get('mcp-session-id') ?? '').length > MAX_MCP_SESSION_ID_CHARS) {
      await read.cancel()
      fail('upstream', `${this.#host} gives its session an id of more than ${MAX_MCP_SESSION_ID_CHARS} characters`)
    }
    const rewrite = (text: string) => this.#rewritten(text, asking)
    if (isStream) {
      const messages = rewrittenEvents(read, rewrite, () => this.#streamEnded(asking))
      return new Response(messages, { status, headers })
    }
    if (status === 202 || status === 204) {
      await read.cancel()
      return new Response(null, { status, headers })
    }
    const text = new TextDecoder().decode((await readAll(read, maxBytes)) ?? undefined)
    return new Response(type === 'application/json' ? (rewrite(text) ?? '') : text, { status, headers })
  }

  /** Headers of the transport, and those of the address where the transport has none. */
  #headers({ headers }: RequestInit): Record<string, string> {
    const own = Object.entries(this.#parts.address.headers).map(([name, value]) => [name.toLowerCase(), value])
    return { ...Object.fromEntries(own), ...Object.fromEntries(new Headers(headers)) }
  }

  /** The body, its bytes counted, and its failure kept. */
  #counted(body: ReadableStream<Uint8Array>, asking: Asking): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          this.bytesOut += value.length
          controller.enqueue(value)
        } catch (thrown) {
          this.#failed(thrown, asking)
          controller.error(thrown)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
  }

  /** A message as the SDK gets it; null for one that it does not get. Text that is no JSON object stays as it is. */
  #rewritten(text: string, asking: Asking): string | null {
    const { method } = asking
    if (exceededAt(text, { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES })) {
      const failure = {
        code: 'limit_exceeded',
        message: `${this.#host} answers with more than ${MAX_JSON_VALUES} values, or deeper than ${MAX_JSON_DEPTH} levels (MAX_JSON_DEPTH)`,
      } as const
      this.#failed(new FailureError(failure), asking)
      throw this.failure
    }
    let parsed: unknown
    try {
      parsed = parseExactly(text)
    } catch {
      return text // the SDK says what is wrong
    }
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return text
    const message = this.#ids.toClient(fieldsOf(parsed))
    if (message === null) return null
    if (message.method === PROGRESS) {
      if (method === CALL && !asking.isAnswered) this.#progressed(fieldsOf(message.params))
      return null
    }
    if (message.method !== undefined) return text
    asking.isAnswered = true
    const { result } = message
    const fields = fieldsOf(result)
    const hasTools = method === 'tools/list' && Array.isArray(fields.tools)
    const isResult = method === CALL && result !== undefined && fields.resultType !== 'input_required'
    if (!hasTools && !isResult) return JSON.stringify(message)
    this.taken = fields
    const { tools: _tools, content: _content, structuredContent: _data, ...others } = fields
    return JSON.stringify({ ...message, result: { ...others, ...(hasTools ? { tools: [] } : { content: [] }) } })
  }

  #streamEnded(asking: Asking): void {
    if (asking.isAnswered) return
    const message = `${this.#host} ended its answer before the result`
    this.#failed(new UnansweredError({ code: 'upstream', message }), asking)
  }

  /** Notes a failure of a request's answer. One behind the answer itself ends nothing. */
  #failed(thrown: unknown, { isAnswered }: Asking): void {
    this.failure ??= thrown
    if (!isAnswered) this.#parts.abandon()
  }

  /** Passes progress of the call on. That of another one counts for nothing. */
  #progressed({ progressToken, progress, total, message }: Readonly<Record<string, unknown>>): void {
    if (progressToken !== this.progressToken || typeof progress !== 'number') return
    this.#parts.onProgress?.({
      progress,
      total: typeof total === 'number' ? total : null,
      message: typeof message === 'string' ? message : '',
    })
  }
}

/** A message of the SDK on its way. */
interface Sending {
  readonly url: string
  readonly init: RequestInit
  /** Method of the message; null for an answer. */
  readonly method: string | null
}

/** A request whose answer is read. */
interface Asking {
  readonly method: string | null
  /** Whether the answer was there, or is no stream: what a stream brings after it counts for nothing. */
  isAnswered: boolean
}

const CALL = 'tools/call'
const PROGRESS = 'notifications/progress'
const CANCELLED = 'notifications/cancelled'

/** Fields of a JSON object; none of any other value. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
