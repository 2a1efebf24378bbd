import type { IncomingMessage, ServerResponse } from 'node:http'
import { asNumber, type Json, messageOf, parseObject } from '../json.ts'
import { KEEPALIVE_SECONDS, MAX_RPC_BYTES } from './limits.ts'

/** The Connect error codes this agent uses, with the HTTP status of a unary error. @see https://connectrpc.com/docs/protocol */
const HTTP_STATUS = {
  invalid_argument: 400,
  failed_precondition: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  already_exists: 409,
  resource_exhausted: 429,
  internal: 500,
  unimplemented: 501,
  deadline_exceeded: 504,
} as const

export type RpcCode = keyof typeof HTTP_STATUS

/** A refusal that the client sees with its code and message. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: RpcCode

  constructor(code: RpcCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Context of a call besides its message. */
export interface CallContext {
  /** The user named by `Authorization: Basic`, `null` for the default one. */
  readonly username: string | null
  /** `Connect-Timeout-Ms`, `null` when the client set none. */
  readonly timeoutMs: number | null
}

/** Server stream, as its handler sees it. */
export interface Stream {
  /** Sends a message. `false`: send no more before `onDrain`. */
  send(message: unknown): boolean
  onDrain(resume: () => void): void
  /** Ends the stream; later calls do nothing. */
  end(error?: RpcError): void
  /** Runs once, when the stream ended or the client went away. */
  onClosed(callback: () => void): void
}

export type Unary = (input: Json, context: CallContext) => Promise<unknown>
export type Streaming = (input: Json, context: CallContext, stream: Stream) => Promise<void>
/** Takes the messages of a client's stream, one after another, and answers once. */
export type Collecting = (messages: AsyncIterable<Json>) => Promise<unknown>

export interface Procedures {
  readonly unary: ReadonlyMap<string, Unary>
  readonly streaming: ReadonlyMap<string, Streaming>
  readonly collecting: ReadonlyMap<string, Collecting>
  /** The frame that keeps an idle stream of this procedure open. */
  readonly keepalive: ReadonlyMap<string, unknown>
}

/** Serves Connect's JSON codec, unary and streams of one side. `false` when the path is no procedure. */
export async function serveConnect(
  procedures: Procedures,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const path = (request.url ?? '').split('?', 1)[0] ?? ''
  const unary = procedures.unary.get(path)
  if (unary !== undefined) {
    await serveUnary(unary, request, response)
    return true
  }
  const streaming = procedures.streaming.get(path)
  if (streaming !== undefined) {
    await serveStreaming(streaming, procedures.keepalive.get(path), request, response)
    return true
  }
  const collecting = procedures.collecting.get(path)
  if (collecting !== undefined) {
    await serveCollecting(collecting, request, response)
    return true
  }
  return false
}

/** Reads a body. @throws RpcError `resource_exhausted` above the limit */
export async function readBody(request: IncomingMessage, maxBytes = MAX_RPC_BYTES): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) {
      request.resume()
      throw new RpcError('resource_exhausted', `request is larger than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function toRpcError(thrown: unknown): RpcError {
  return thrown instanceof RpcError ? thrown : new RpcError('internal', messageOf(thrown))
}

async function serveUnary(handler: Unary, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const input = decode(await readBody(request))
    sendJson(response, 200, await handler(input, contextOf(request)))
  } catch (thrown) {
    const error = toRpcError(thrown)
    sendJson(response, HTTP_STATUS[error.code], { code: error.code, message: error.message })
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.end(bytes)
}

async function serveStreaming(
  handler: Streaming,
  keepalive: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const stream = openStream(response, keepalive, Number(request.headers['keepalive-ping-interval']))
  try {
    const body = await readBody(request)
    if (body.length < 5 || body.readUInt32BE(1) !== body.length - 5) {
      throw new RpcError('invalid_argument', 'expected exactly one enveloped message')
    }
    await handler(decode(body.subarray(5)), contextOf(request), stream)
  } catch (thrown) {
    stream.end(toRpcError(thrown))
  }
}

async function serveCollecting(handler: Collecting, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const frames: Buffer[] = []
  let failure: { readonly error?: { readonly code: RpcCode; readonly message: string } } = {}
  try {
    frames.push(frame(0, await handler(messagesOf(request))))
  } catch (thrown) {
    const { code, message } = toRpcError(thrown)
    failure = { error: { code, message } }
    request.resume()
  }
  if (response.destroyed) return
  response.writeHead(200, { 'content-type': 'application/connect+json' })
  response.end(Buffer.concat([...frames, frame(2, failure)]))
}

/** Flags and size, before each message of a stream. */
const HEAD_BYTES = 5

/** Messages in the order of their arrival, each as soon as it is whole. @throws RpcError */
async function* messagesOf(request: IncomingMessage): AsyncGenerator<Json> {
  let waiting: Buffer[] = []
  let [size, needed] = [0, HEAD_BYTES]
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    waiting.push(chunk)
    size += chunk.length
    // Joined at each chunk, a long message would be copied as many times.
    if (size < needed) continue
    let rest = Buffer.concat(waiting)
    while (rest.length >= needed) {
      if (needed === HEAD_BYTES) needed += rest.readUInt32BE(1)
      if (needed > MAX_RPC_BYTES)
        throw new RpcError('resource_exhausted', `message is larger than ${MAX_RPC_BYTES} bytes`)
      if (rest.length < needed) break
      yield decode(rest.subarray(HEAD_BYTES, needed))
      rest = rest.subarray(needed)
      needed = HEAD_BYTES
    }
    waiting = [rest]
    size = rest.length
  }
  if (size > 0) throw new RpcError('invalid_argument', 'the stream ended within a message')
}

function openStream(response: ServerResponse, keepalive: unknown, pingSeconds: number): Stream {
  response.writeHead(200, { 'content-type': 'application/connect+json' })
  // Headers leave with the first frame: one packet, not two.
  const everyMs = 1000 * (pingSeconds > 0 ? Math.max(pingSeconds, 1) : KEEPALIVE_SECONDS)
  const ping = keepalive === undefined ? undefined : setInterval(() => response.write(frame(0, keepalive)), everyMs)
  response.once('close', () => clearInterval(ping))
  return {
    send: (message) => response.destroyed || response.writableEnded || response.write(frame(0, message)),
    onDrain: (resume) => response.once('drain', resume),
    onClosed: (callback) => response.once('close', callback),
    end(error) {
      if (response.writableEnded) return
      response.end(frame(2, error === undefined ? {} : { error: { code: error.code, message: error.message } }))
    },
  }
}

function frame(flags: number, message: unknown): Buffer {
  const json = JSON.stringify(message)
  const size = Buffer.byteLength(json)
  const bytes = Buffer.allocUnsafe(5 + size)
  bytes.writeUInt8(flags, 0)
  bytes.writeUInt32BE(size, 1)
  bytes.write(json, 5)
  return bytes
}

function decode(bytes: Buffer): Json {
  const input = parseObject(bytes.length === 0 ? '{}' : bytes.toString('utf8'))
  if (input === null) throw new RpcError('invalid_argument', 'the message is not a JSON object')
  return input
}

function contextOf(request: IncomingMessage): CallContext {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const username = basic === undefined ? null : (Buffer.from(basic, 'base64').toString('utf8').split(':', 1)[0] ?? null)
  const timeoutMs = asNumber(Number(request.headers['connect-timeout-ms'] ?? Number.NaN))
  return {
    username: username === '' ? null : username,
    timeoutMs: timeoutMs !== null && timeoutMs > 0 ? timeoutMs : null,
  }
}
