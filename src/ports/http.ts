import { FailureError } from '../core/failure.ts'

/**
 * The one way out to the network for tools: every request, and every redirect of it, is checked against the egress
 * policy before it is sent. Adapter: `http-guarded`.
 */
export interface Http {
  /**
   * Sends a request and reads the whole answer, of any status.
   * @throws FailureError `invalid_input` for text that is no URL, `forbidden` when the policy refuses the address (private,
   * loopback, metadata, another scheme or port …), `upstream` when it cannot be reached, `timeout`, `limit_exceeded` when
   * the answer is larger than `maxBytes`; {@link UnansweredError} when the host may have got the request
   */
  fetch(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>
  /**
   * Sends a request and gives the body as it arrives; reading it fails with the errors of {@link fetch}. Read it or cancel it.
   */
  open(request: HttpRequest, signal: AbortSignal): Promise<HttpStream>
}

export interface HttpRequest {
  readonly url: string
  /** GET when absent. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Time for the whole exchange, redirects and body included. */
  readonly timeoutMs: number
  /** Size of the body after decompression. */
  readonly maxBytes: number
  /**
   * Redirects to follow: MAX_REDIRECTS when absent; at 0 a redirect is an answer. Only harmless headers go along to another
   * origin.
   */
  readonly maxRedirects?: number
}

interface HttpHead {
  readonly status: number
  readonly headers: Headers
  /** URL of the answer, after redirects. */
  readonly url: string
}

export interface HttpResponse extends HttpHead {
  readonly body: Uint8Array
}

export interface HttpStream extends HttpHead {
  /** Size of the body, in bytes; null when the server does not state it, or states only its compressed size. */
  readonly size: number | null
  readonly body: ReadableStream<Uint8Array>
}

/**
 * Error for a request that may have reached its host without a whole answer: the connection broke, or the time was over.
 * Platforms do not distinguish a host that was never reached from one that broke the connection off, so both are this.
 */
export class UnansweredError extends FailureError {}
