import { ConnectionError } from './errors.ts'
import { MAX_EVENT_CHARS, STREAM_SILENCE_MS } from './limits.ts'
import { pause, pauseMs } from './pause.ts'

/** A server-sent event, its data read. */
export interface ServerEvent {
  readonly type: string
  /** Place behind the event, which a client states when it connects again; null where it has none. */
  readonly id: string | null
  readonly data: unknown
}

/** Milliseconds after which the end of a connection is no failure, whatever came by it. */
const LASTED_MS = 10_000

/** A stream that is opened again where it was cut. */
interface Resumed {
  /** Opens the stream behind an event. @param signal in the place of the caller's, which may live longer than the stream */
  readonly connect: (lastId: string | null, signal: AbortSignal) => Promise<Response>
  readonly isLast: (event: ServerEvent) => boolean
  /** Most openings in a row that bring nothing, not even a comment. */
  readonly maxRetries: number
  readonly signal?: AbortSignal | undefined
}

/** Events of a stream, up to the last one, over as many connections as it takes. @throws as `connect` does; ConnectionError */
export async function* resumedEvents({
  connect,
  isLast,
  maxRetries,
  signal,
}: Resumed): AsyncGenerator<ServerEvent, void> {
  const own = new AbortController()
  const abort = () => own.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  let lastId: string | null = null
  try {
    for (let failures = 0; ; ) {
      const { status, body } = await connect(lastId, own.signal)
      if (status === 204 || !body) return
      const began = Date.now()
      const events = eventsIn(body)
      for (;;) {
        // A connection that was cut ends like one that the server has closed.
        const next = await events.next().catch(() => ({ done: true }) as const)
        own.signal.throwIfAborted()
        if (next.done) break
        // Comments alone: it lives, and is opened again after the first pause, however often it ends.
        if (failures > 0) failures = 0
        if (!next.value) continue
        if ((next.value.id ?? lastId) !== lastId) failures = -1
        lastId = next.value.id ?? lastId
        yield next.value
        if (isLast(next.value)) return
      }
      failures = Date.now() - began > LASTED_MS ? 0 : failures + 1
      if (failures > maxRetries) throw new ConnectionError('the events end again and again')
      if (failures > 0) await pause(pauseMs(failures), own.signal)
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    own.abort()
  }
}

/** Events of one connection, and undefined for each comment. @throws Error when it is cut */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent | undefined, void, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let line = ''
  let type = 'message'
  let id: string | null = null
  let data = ''
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read())
      if (done) return
      // A long line comes in many pieces: each is looked through once.
      const lines = decoder.decode(value, { stream: true }).split('\n')
      lines[0] = line + lines[0]
      line = lines.pop() ?? ''
      if (line.length + data.length > MAX_EVENT_CHARS)
        throw new ConnectionError('an event is too long (MAX_EVENT_CHARS)')
      for (const text of lines) {
        const colon = text.indexOf(':')
        const field = text.slice(0, Math.max(0, colon))
        const content = text.slice(colon + 1).trim()
        if (colon === 0) yield
        else if (field === 'event') type = content
        else if (field === 'id') id = content
        else if (field === 'data') data += data === '' ? content : `\n${content}`
        else if (text.trim() === '' && data !== '') {
          yield { type, id, data: JSON.parse(data) }
          type = 'message'
          id = null
          data = ''
        }
      }
    }
  } finally {
    // A stream that was cut cannot be cancelled, and need not be.
    await reader.cancel().catch(() => {})
  }
}

/** Bytes that a read gives. @throws ConnectionError after a minute without a byte */
async function withinSilence<T>(read: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silent = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionError('the stream of events is silent')), STREAM_SILENCE_MS)
  })
  try {
    return await Promise.race([read, silent])
  } finally {
    clearTimeout(timer)
  }
}
