import { setTimeout as after } from 'node:timers/promises'
import type { Ledger } from '../ledger.ts'
import { Violation } from '../model/violation.ts'
import { type Asking, type Place, requestOf } from './asking.ts'
import type { Random } from './draw.ts'
import { type Reply, replyOf } from './reply.ts'
import { type Cut, type HttpRequest, type Sent, send } from './send.ts'

/** Time without a helpful answer of the server before a drill ends. */
const SILENCE_MS = 240_000
const PAUSE_MS = 200

/** Calls of one session: the server's count must lie between answered and sent ones. */
export interface CallCount {
  sent: number
  done: number
}

export interface ConnectionOptions {
  /** Part of all requests whose connection is cut. */
  readonly cutShare: number
  /** Whether an answer that no client understands ends the drill. */
  readonly isStrict: boolean
  /** Aborted when the drill is broken off. */
  readonly signal: AbortSignal
  /** Whether calls that are answered now must be counted: on a full disk nothing can be written down. */
  isCounted(): boolean
}

/** An honest client's way to the server: sends requests, and cuts some of their connections. */
export class Connection {
  readonly #port: number
  readonly #ledger: Ledger
  readonly #random: Random
  readonly #cutShare: number
  readonly #isStrict: boolean
  readonly #signal: AbortSignal
  readonly #isCounted: ConnectionOptions['isCounted']

  constructor(
    port: number,
    ledger: Ledger,
    random: Random,
    { cutShare, isStrict, signal, isCounted }: ConnectionOptions,
  ) {
    this.#port = port
    this.#ledger = ledger
    this.#random = random
    this.#cutShare = cutShare
    this.#isStrict = isStrict
    this.#signal = signal
    this.#isCounted = isCounted
  }

  /** Calls a tool once, and what a 450 says to call next. @throws Violation for an answer that no client understands */
  async call(asking: Asking, place: Place, calls: CallCount): Promise<Reply> {
    let now = asking
    for (;;) {
      const wasCounted = this.#isCounted()
      const sent = await this.#send(requestOf(now, place), this.#drawCut(), `${now.api} ${now.tool}`)
      if (sent.kind !== 'unsent') calls.sent++
      const reply = this.#understood(() => replyOf(asking.api, sent))
      const isCounted = wasCounted && this.#isCounted()
      if (isCounted && (reply.kind === 'done' || reply.kind === 'retry')) calls.done++
      if (reply.kind === 'failed' && !reply.isRefusal) this.#ledger.count(`failed: ${reply.message.slice(0, 100)}`)
      if (reply.kind !== 'retry') return now === asking || reply.kind !== 'unsent' ? reply : { kind: 'cut' }
      now = { api: asking.api, tool: reply.tool, args: reply.args }
    }
  }

  /** Asks until the server does it: for what may be done twice. */
  async callUntilDone(asking: Asking, place: Place, calls: CallCount): Promise<Reply & { kind: 'done' | 'failed' }> {
    return this.#until(async () => {
      const reply = await this.call(asking, place, calls)
      return reply.kind === 'done' || (reply.kind === 'failed' && reply.isRefusal) ? reply : null
    }, asking.tool)
  }

  /** Sends until the answer has one of these statuses. */
  async until(request: HttpRequest, statuses: readonly number[]): Promise<Sent & { kind: 'answered' }> {
    return this.#until(async () => {
      const sent = await this.#send(request, this.#drawCut(), `${request.method} ${kindOf(request.path)}`)
      if (sent.kind === 'answered' && !statuses.includes(sent.status)) {
        this.#understood(() => requireReason(request.path, sent))
      }
      return sent.kind === 'answered' && statuses.includes(sent.status) ? sent : null
    }, request.path)
  }

  async json(request: HttpRequest): Promise<Readonly<Record<string, unknown>>> {
    return JSON.parse((await this.until(request, [200, 201])).body.toString())
  }

  async #until<T>(attempt: () => Promise<T | null>, what: string): Promise<T> {
    const deadline = performance.now() + SILENCE_MS
    while (performance.now() < deadline) {
      const result = await attempt()
      if (result !== null) return result
      await after(PAUSE_MS)
    }
    throw new Violation('silent', `${what} had no good answer for ${SILENCE_MS / 1000} s`)
  }

  async #send(request: HttpRequest, cut: Cut | null, row: string): Promise<Sent> {
    this.#signal.throwIfAborted()
    const sent = await send(this.#port, request, cut)
    this.#ledger.count(`request: ${row}`)
    if (cut !== null) this.#ledger.count(`cut: ${cut}`)
    return sent
  }

  /** An answer that no client understands is none, where a drill knows of them. */
  #understood(read: () => Reply): Reply {
    try {
      return read()
    } catch (thrown) {
      if (this.#isStrict || !(thrown instanceof Violation && thrown.breach === 'unintelligible')) throw thrown
      this.#ledger.count('unintelligible')
      return { kind: 'cut' }
    }
  }

  #drawCut(): Cut | null {
    if (this.#random() >= this.#cutShare) return null
    return (['request', 'sent', 'answer'] as const)[Math.floor(this.#random() * 3)] ?? null
  }
}

/** Requires a reason, in JSON, in an answer that is no file. @throws Violation */
function requireReason(path: string, { status, body }: Sent & { kind: 'answered' }): Reply {
  const text = body.toString()
  if (/^\{.*"(detail|error)":/s.test(text)) return { kind: 'failed', message: text, isRefusal: false }
  throw new Violation('unintelligible', `${path} is answered ${status} with ${JSON.stringify(text.slice(0, 300))}`)
}

/** A path as a row of the table: without names that others chose. */
const kindOf = (path: string) => path.split('?')[0]?.split('/').slice(0, 3).join('/') ?? ''
