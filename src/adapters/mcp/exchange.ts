import { parseExactly } from '../../core/exact-json.ts'
import { FailureError, fail } from '../../core/failure.ts'
import { exceededAt } from '../../core/json-bounds.ts'
import { MCP_CANCEL_MS } from '../../core/limits/mcp-servers.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../core/limits/requests.ts'
import { readAll } from '../../core/read-all.ts'
import { utf8Length } from '../../core/utf8-length.ts'
import type { Http } from '../../ports/http.ts'
import type { McpAddress } from '../../ports/mcp-servers.ts'
import { rewrittenEvents } from './event-messages.ts'

interface Parts {
  readonly http: Pick<Http, 'open'>
  readonly address: McpAddress
  /** Wall-clock milliseconds since 1970 at which all must be over. */
  readonly endsAt: number
  readonly now: () => number
  /** Bytes of all answers together. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/**
 * One exchange with a server, of several requests: the `fetch` of the SDK's transport. Lists of tools and results are taken out of the
 * answers before the SDK sees them: it refuses a whole list for one wrong tool, and its numbers are not exact.
 */
export class Exchange {
  readonly #parts: Parts
  readonly #host: string
  /** Messages that cancel a call, on their way. */
  readonly #cancelling: Promise<unknown>[] = []
  /** The first failure of the guarded port: the SDK words its own around it. */
  failure: unknown = null
  /** Status of the last answer. */
  status = 0
  bytesIn = 0
  bytesOut = 0
  /** Fields of the last result, which were taken out of its answer. */
  taken: Readonly<Record<string, unknown>> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#host = URL.parse(parts.address.url)?.host ?? 'the server'
  }

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    // A stream of notifications would hold a connection as long as this object lives.
    if (init.method === 'GET') return new Response(null, { status: 405 })
    try {
      const body = typeof init.body === 'string' ? init.body : ''
      return isCancelling(body)
        ? await this.#cancel(String(url), init, body)
        : await this.#send(String(url), init, body)
    } catch (thrown) {
      this.failure ??= thrown
      throw thrown
    }
  }

  /** Waits for what cancels a call to be sent. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#cancelling)
  }

  #cancel(url: string, init: RequestInit, body: string): Promise<Response> {
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

  async #send(url: string, init: RequestInit, body: string): Promise<Response> {
    const { http, endsAt, now, maxBytes, signal } = this.#parts
    const { method } = messageOf(body)
    this.bytesIn += utf8Length(body)
    const answer = await http.open(
      {
        url,
        method: init.method ?? 'POST',
        headers: this.#headers(init),
        ...(body !== '' && { body }),
        timeoutMs: Math.max(1, endsAt - now()),
        maxBytes: Math.max(1, maxBytes - this.bytesOut),
        maxRedirects: 0,
      },
      signal,
    )
    this.status = answer.status
    const read = this.#counted(answer.body)
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
    const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
    const rewrite = (text: string) => this.#rewritten(text, method)
    if (type === 'text/event-stream') return new Response(rewrittenEvents(read, rewrite), { status, headers })
    if (status === 202 || status === 204) {
      await read.cancel()
      return new Response(null, { status, headers })
    }
    const text = new TextDecoder().decode((await readAll(read, maxBytes)) ?? undefined)
    return new Response(type === 'application/json' ? rewrite(text) : text, { status, headers })
  }

  /** Headers of the transport, and those of the address where the transport has none. */
  #headers({ headers }: RequestInit): Record<string, string> {
    const own = Object.entries(this.#parts.address.headers).map(([name, value]) => [name.toLowerCase(), value])
    return { ...Object.fromEntries(own), ...Object.fromEntries(new Headers(headers)) }
  }

  /** The body, its bytes counted, and its failure kept. */
  #counted(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          this.bytesOut += value.length
          controller.enqueue(value)
        } catch (thrown) {
          this.failure ??= thrown
          controller.error(thrown)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
  }

  /** A message as the SDK gets it. Text that is no JSON stays as it is. */
  #rewritten(text: string, method: string | null): string {
    if (exceededAt(text, { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES })) {
      const failure = {
        code: 'limit_exceeded',
        message: `${this.#host} answers with more than ${MAX_JSON_VALUES} values, or deeper than ${MAX_JSON_DEPTH} levels (MAX_JSON_DEPTH)`,
      } as const
      this.failure ??= new FailureError(failure)
      throw this.failure
    }
    let message: unknown
    try {
      message = parseExactly(text)
    } catch {
      return text // the SDK says what is wrong
    }
    const { result } = fieldsOf(message)
    const fields = fieldsOf(result)
    const hasTools = method === 'tools/list' && Array.isArray(fields.tools)
    const isResult = method === 'tools/call' && result !== undefined && fields.resultType !== 'input_required'
    if (!hasTools && !isResult) return text
    this.taken = fields
    const { tools: _tools, content: _content, structuredContent: _data, ...others } = fields
    return JSON.stringify({
      ...fieldsOf(message),
      result: { ...others, ...(hasTools ? { tools: [] } : { content: [] }) },
    })
  }
}

/** Fields of a JSON object; none of any other value. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** Method of a message that the SDK wrote; null for an answer. */
function messageOf(body: string): { readonly method: string | null } {
  const { method } = body === '' ? {} : fieldsOf(JSON.parse(body))
  return { method: typeof method === 'string' ? method : null }
}

const isCancelling = (body: string) => body !== '' && messageOf(body).method === 'notifications/cancelled'
