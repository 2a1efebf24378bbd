import { Buffer } from 'node:buffer'
import type { ProcessInput } from '../ports/sandbox.ts'

/**
 * Processes of a sandbox whose streams stay open. The SDK's client makes several streams, iterators and messages of each
 * event that comes, and a request of each text that goes: most of what a short command took of the processor.
 *
 * The wire is Connect's with JSON: a message is a byte of flags, its size in four bytes, and JSON.
 * @see https://connectrpc.com/docs/protocol
 */

/** Where the agent of one sandbox is asked. */
export interface AgentAddress {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface ProcessListener {
  /** Text on stdout. */
  readonly printed: (text: string) => void
  /** Called once. @param thrown why it cannot be heard any more; null when the process has ended */
  readonly ended: (thrown: Error | null) => void
}

const HEAD_BYTES = 5
const END_OF_STREAM = 2
/** E2B's agent sends 32 KiB at a time, the local one 64: a message beyond this size, in bytes, is not theirs. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024
/** Input that waits for the network, in bytes. More than that goes by requests, which wait for their arrival. */
const MAX_WAITING_BYTES = 64 * 1024
/** Asks for a message on a silent stream, so that nothing between takes it for dead, in seconds. */
const PING_SECONDS = 50

/**
 * Hears a process from now on.
 * @param signal ends the waiting for the beginning
 * @returns what ends the hearing; null when there is no such process
 */
export async function hearProcess(
  agent: AgentAddress,
  pid: number,
  listener: ProcessListener,
  signal: AbortSignal,
): Promise<(() => void) | null> {
  const stop = new AbortController()
  const abort = () => stop.abort(signal.reason)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    const response = await ask(agent, 'Connect', envelope({ process: { pid } }), stop.signal)
    const messages = messagesOf(response.body)
    const { value: first } = await messages.next()
    const { error, event } = first ?? {}
    if (error?.code === 'not_found') return null
    if (!event?.start) throw new Error(`the process cannot be heard: ${error?.code ?? 'no beginning'}`)
    let isLeft = false
    hear(messages, listener.printed).then(
      () => isLeft || listener.ended(null),
      (thrown) => isLeft || listener.ended(thrown),
    )
    return () => {
      isLeft = true
      stop.abort()
    }
  } catch (thrown) {
    stop.abort()
    throw thrown
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** One request into which texts for the stdin of a process are written, as long as it is open. */
export function openInput(agent: AgentAddress, pid: number): ProcessInput {
  const stop = new AbortController()
  let isOpen = true
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined
  const source: UnderlyingSource<Uint8Array> = {
    start(controller) {
      sink = controller
      controller.enqueue(envelope({ start: { process: { pid } } }))
    },
    cancel() {
      isOpen = false
    },
  }
  const body = new ReadableStream(source, { highWaterMark: MAX_WAITING_BYTES, size: ({ length }) => length })
  const closed = () => {
    isOpen = false
    stop.abort()
  }
  // Its answer is its end, whatever it says.
  ask(agent, 'StreamInput', body, stop.signal).then(closed, closed)
  return {
    write(text) {
      // What waits here has not been taken: the network is slower than the caller, or gone.
      if (!isOpen || !sink || (sink.desiredSize ?? 0) <= 0) return false
      sink.enqueue(envelope({ data: { input: { stdin: Buffer.from(text).toString('base64') } } }))
      return true
    },
    close: closed,
  }
}

async function ask(
  { url, headers }: AgentAddress,
  method: 'Connect' | 'StreamInput',
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<Response> {
  const init = {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': 'application/connect+json',
      'Connect-Protocol-Version': '1',
      'Keepalive-Ping-Interval': `${PING_SECONDS}`,
    },
    body,
    signal,
    duplex: 'half',
  } as const
  const response = await fetch(`${url}/process.Process/${method}`, init)
  if (response.ok) return response
  await response.body?.cancel()
  throw new Error(`the agent of the sandbox answered ${response.status}`)
}

/** @throws when the stream ended before the process */
async function hear(messages: AsyncIterable<Message>, printed: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  for await (const { event, error } of messages) {
    if (error) throw new Error(`the process cannot be heard any more: ${error.code}`)
    if (event?.end) return
    const bytes = event?.data?.stdout
    const text = bytes === undefined ? '' : decoder.decode(Buffer.from(bytes, 'base64'), { stream: true })
    if (text !== '') printed(text)
  }
  throw new Error('the stream ended before the process')
}

interface Message {
  readonly event?: {
    readonly start?: object
    readonly data?: { readonly stdout?: string }
    readonly end?: object
  }
  readonly error?: { readonly code: string }
}

async function* messagesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Message, undefined> {
  if (!body) return
  const reader = body.getReader()
  let waiting: Uint8Array[] = []
  let [size, needed] = [0, HEAD_BYTES]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    waiting.push(value)
    size += value.length
    if (size < needed) continue
    let rest: Uint8Array = waiting.length === 1 ? value : Buffer.concat(waiting)
    while (rest.length >= needed) {
      if (needed === HEAD_BYTES) needed += sizeIn(rest)
      if (needed > MAX_MESSAGE_BYTES) throw new Error('the agent of the sandbox sends no messages')
      if (rest.length < needed) break
      const message = JSON.parse(new TextDecoder().decode(rest.subarray(HEAD_BYTES, needed))) as Message
      const isEnd = rest[0] === END_OF_STREAM
      rest = rest.subarray(needed)
      needed = HEAD_BYTES
      if (!isEnd || message.error) yield message
      if (isEnd) return
    }
    waiting = [rest]
    size = rest.length
  }
}

const sizeIn = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(1)

function envelope(message: object): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(message))
  const bytes = new Uint8Array(HEAD_BYTES + json.length)
  new DataView(bytes.buffer).setUint32(1, json.length)
  bytes.set(json, HEAD_BYTES)
  return bytes
}
