import { decodeBase64, encodeBase64 } from '../../core/base64.ts'
import type { ProcessInput } from '../../ports/sandbox.ts'
import { FrameReader, frame } from './connect-frames.ts'

/**
 * Processes of a sandbox whose streams stay open. The SDK's client makes several streams, iterators and messages for each event,
 * and a request for each text: most of the processor time of a short command.
 */

/** Address of one sandbox's agent. */
export interface AgentAddress {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface ProcessListener {
  /** Called with text on stdout. */
  readonly printed: (text: string) => void
  /** Called once, at the end. @param thrown why the process cannot be heard any more; null when it has ended */
  readonly ended: (thrown: Error | null) => void
}

/** Size of input that waits for the network, in bytes. Further input goes by requests, which wait for their arrival. */
const MAX_WAITING_BYTES = 64 * 1024
/** Interval of messages on a silent stream, so that nothing between takes it for dead, in seconds. */
const PING_SECONDS = 50

/**
 * Follows a process from now on.
 * @param signal ends the waiting for the beginning
 * @returns a function that stops following; null when there is no such process
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
    const { body } = await ask(agent, 'Connect', frame({ process: { pid } }), stop.signal)
    const output = new Output(listener.printed)
    const reader = body?.getReader()
    const next = async () => {
      const { done = true, value } = (await reader?.read()) ?? {}
      if (value) output.take(value)
      if (done && !output.isEnd) throw new Error('the stream ended before the process')
    }
    while (!output.hasBegun && !output.isEnd) await next()
    let isLeft = false
    const goOn = async () => {
      while (!output.isEnd) await next()
      void reader?.cancel().catch(() => undefined)
    }
    if (!output.hasBegun) return await goOn().then(() => null)
    goOn().then(
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

/**
 * Opens a request into which texts for a process's stdin are written, as long as it is open. Its answer begins at its end.
 * @param ended called when it is over
 */
export function openInput(agent: AgentAddress, pid: number, ended: () => void): ProcessInput {
  const stop = new AbortController()
  let isOpen = true
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined
  const source: UnderlyingSource<Uint8Array> = {
    start(controller) {
      sink = controller
      controller.enqueue(frame({ start: { process: { pid } } }))
    },
    cancel() {
      isOpen = false
    },
  }
  const body = new ReadableStream(source, { highWaterMark: MAX_WAITING_BYTES, size: ({ length }) => length })
  const closed = () => {
    isOpen = false
    stop.abort()
    ended()
  }
  // The end of its answer is the end of the input, whatever it says.
  ask(agent, 'StreamInput', body, stop.signal).then(closed, closed)
  return {
    write(text) {
      // A text that would wait here is not accepted: the network is slower than the caller, or gone.
      if (!isOpen || !sink || (sink.desiredSize ?? 0) <= 0) return false
      sink.enqueue(frame({ data: { input: { stdin: encodeBase64(new TextEncoder().encode(text)) } } }))
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

interface Message {
  readonly event?: {
    readonly start?: object
    readonly data?: { readonly stdout?: string }
    readonly end?: object
  }
  readonly error?: { readonly code: string }
}

/** Events of one process, as the agent sends them. */
class Output {
  hasBegun = false
  /** Whether the last event has come. */
  isEnd = false
  readonly #printed: (text: string) => void
  readonly #decoder = new TextDecoder()
  readonly #frames = new FrameReader((message) => this.#hear(message as Message))

  constructor(printed: (text: string) => void) {
    this.#printed = printed
  }

  /** Takes a piece of the stream. @throws Error when the process cannot be heard any more */
  take(piece: Uint8Array): void {
    this.#frames.take(piece)
  }

  #hear({ event, error }: Message): void {
    if (event?.start) this.hasBegun = true
    if (event?.end) this.isEnd = true
    if (event?.data?.stdout !== undefined) {
      const text = this.#decoder.decode(decodeBase64(event.data.stdout, 'output'), { stream: true })
      if (text !== '') this.#printed(text)
    }
    if (!error) return
    if (this.hasBegun || error.code !== 'not_found') throw new Error(`the process cannot be heard: ${error.code}`)
    this.isEnd = true
  }
}
