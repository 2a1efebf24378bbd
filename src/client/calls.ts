import { resumedEvents, type ServerEvent } from './events.ts'
import type { Operations, Schemas } from './generated/api.ts'
import type { ToolArguments } from './generated/tools.ts'
import { CALL_TIMEOUT_MS } from './limits.ts'
import type { Pages } from './pages.ts'
import type { RequestOptions, Transport } from './transport.ts'

/** Answer of a call: how it ended, its result as `text` and `data`, pictures in `content`, and the files that it changed. */
export type CallAnswer = Schemas['CallAnswer']

/** Arguments of a tool: those of the catalog for a tool of the server, any for a registered one. */
export type ArgumentsOf<Name extends string> = Name extends keyof ToolArguments
  ? ToolArguments[Name]
  : Readonly<Record<string, unknown>>

/** Name of a tool: of one of the server, or the id of a registered one. */
export type ToolName = keyof ToolArguments | (string & {})

/** Settings of a call. With a signal or a function for what it prints, the call is followed while it runs, and cancelled when the signal is aborted. */
export interface CallOptions extends RequestOptions {
  readonly onStdout?: ((text: string) => void) | undefined
  readonly onStderr?: ((text: string) => void) | undefined
  /** Called with each event of the call, such as `progress` and `gap`. */
  readonly onEvent?: ((event: ServerEvent) => void) | undefined
  /** Name of the calling agent. */
  readonly agent?: string | undefined
  /** Context for a registered tool. */
  readonly context?: Record<string, unknown> | undefined
  readonly answer?: 'text' | 'data' | 'both' | undefined
  readonly view?: string | undefined
  readonly max_tokens?: number | undefined
}

/** Arguments and settings of a call, as a function takes them: both may be left out where the tool needs none. */
export type CallArguments<Name extends string, More> =
  Record<never, never> extends ArgumentsOf<Name>
    ? [args?: ArgumentsOf<Name>, options?: More]
    : [args: ArgumentsOf<Name>, options?: More]

type Listed = Operations['GET /v1/sessions/{session}/calls']

/** Calls of a session: those that were made, by whichever API, and new ones. */
export class Calls {
  readonly #transport: Transport
  readonly #session: string

  constructor(transport: Transport, session: string) {
    this.#transport = transport
    this.#session = session
  }

  /** Calls, newest first. */
  list(query: Listed['query'] = {}, options?: RequestOptions): Pages<Listed['answer']> {
    const path = { session: this.#session }
    return this.#transport.pages('GET /v1/sessions/{session}/calls', { path, query }, options)
  }

  /** A call as it is now, or with `wait` as soon as it has ended, or after so many seconds. */
  get(
    call: string,
    query: Operations['GET /v1/sessions/{session}/calls/{call}']['query'] = {},
    options?: RequestOptions,
  ): Promise<Schemas['Call']> {
    const path = { session: this.#session, call }
    return this.#transport.json('GET /v1/sessions/{session}/calls/{call}', { path, query }, options)
  }

  /** Ends a call with all that it started. */
  cancel(call: string, options?: RequestOptions): Promise<Schemas['Call']> {
    const path = { session: this.#session, call }
    return this.#transport.json('POST /v1/sessions/{session}/calls/{call}/cancel', { path }, options)
  }

  /** Begins a call and does not wait for its end. @returns its id */
  async begin<Name extends ToolName>(tool: Name, args: ArgumentsOf<Name>, options: CallOptions = {}): Promise<string> {
    const given = { ...this.#given(tool, args, options), headers: { Prefer: 'respond-async' } }
    const { call_id } = await this.#transport.json('POST /v1/sessions/{session}/calls', given, options)
    return call_id ?? ''
  }

  /** Several calls in one request. A call that failed has a `problem` or an `error` in its place. */
  async batch(
    calls: readonly Schemas['BatchCall'][],
    rules: Omit<Schemas['CallBatch'], 'calls'> = {},
    options: RequestOptions = {},
  ): Promise<Schemas['CallBatchAnswer']['data']> {
    const given = { path: { session: this.#session }, body: { ...rules, calls: [...calls] } }
    const patient = { timeoutMs: CALL_TIMEOUT_MS, ...options }
    return (await this.#transport.json('POST /v1/sessions/{session}/calls:batch', given, patient)).data
  }

  /** Events of a call that was begun, up to `result` or `error`, whatever cuts the connection. */
  follow(call: string, options: RequestOptions = {}): AsyncGenerator<ServerEvent, void> {
    return resumedEvents({
      ...this.#resumed(options),
      connect: (lastId, signal) => this.#events(call, lastId, { ...options, signal }),
    })
  }

  /** Makes a call and waits for its end. A tool that failed is an answer with `error` here. */
  async make(tool: string, args: object, options: CallOptions = {}): Promise<CallAnswer> {
    const { onStdout, onStderr, onEvent, signal } = options
    if (onStdout || onStderr || onEvent || signal) return this.#followed(tool, args, options)
    const given = this.#given(tool, args, options)
    const patient = { timeoutMs: CALL_TIMEOUT_MS, ...options }
    return this.#transport.json('POST /v1/sessions/{session}/calls', given, patient) as Promise<CallAnswer>
  }

  async #followed(tool: string, args: object, options: CallOptions): Promise<CallAnswer> {
    // The same key each time: a stream that was cut before its first event is the same call's when it is opened again.
    const keyed = { ...options, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() }
    let call: string | null = null
    const given = { ...this.#given(tool, args, options), headers: { Accept: 'text/event-stream' } }
    const connect = (lastId: string | null, signal: AbortSignal) =>
      call === null
        ? this.#transport.raw('POST /v1/sessions/{session}/calls', given, { ...keyed, signal })
        : this.#events(call, lastId, { ...options, signal })
    try {
      for await (const event of resumedEvents({ ...this.#resumed(options), connect })) {
        options.onEvent?.(event)
        if (event.type === 'call') call = (event.data as Schemas['ListedCall']).call_id
        else if (event.type === 'stdout') options.onStdout?.((event.data as Printed).text)
        else if (event.type === 'stderr') options.onStderr?.((event.data as Printed).text)
        else if (isEnd(event)) return event.data as CallAnswer
      }
      throw new Error('the events of the call have no end')
    } catch (thrown) {
      // The reason is thrown whatever becomes of this request; a call that is not cancelled ends at its own deadline.
      if (options.signal?.aborted && call !== null) await this.cancel(call, { maxRetries: 1 }).catch(() => {})
      throw thrown
    }
  }

  #events(call: string, lastId: string | null, options: RequestOptions): Promise<Response> {
    const path = { session: this.#session, call }
    const headers = { 'Last-Event-ID': lastId ?? undefined }
    return this.#transport.raw('GET /v1/sessions/{session}/calls/{call}/events', { path, headers }, options)
  }

  #resumed(options: RequestOptions) {
    return { isLast: isEnd, maxRetries: this.#transport.maxRetries(options), signal: options.signal }
  }

  #given(tool: string, args: object, { agent, context, answer, view, max_tokens }: CallOptions) {
    const body = { tool, arguments: { ...args }, agent, context, answer, view, max_tokens }
    return { path: { session: this.#session }, body }
  }
}

interface Printed {
  readonly text: string
}

const isEnd = ({ type }: ServerEvent) => type === 'result' || type === 'error'
