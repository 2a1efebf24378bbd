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

/** Milliseconds that a stream lasts that was no failure, whatever came. */
const LASTED_MS = 10_000

/** A stream that is opened again where it was cut. */
interface Resumed {
  /** Opens the stream behind an event. */
  readonly connect: (lastId: string | null) => Promise<Response>
  readonly isLast: (event: ServerEvent) => boolean
  /** Most openings in a row that bring nothing. */
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
  let lastId: string | null = null
  for (let failures = 0; ; ) {
    const { status, body } = await connect(lastId)
    if (status === 204 || !body) return
    const began = Date.now()
    let isNew = false
    const events = eventsIn(body)
    try {
      for (;;) {
        const next = await events.next().catch((cut: unknown) => {
          signal?.throwIfAborted()
          if (cut instanceof ConnectionError || failures < maxRetries) return { done: true } as const
          throw new ConnectionError('the stream of events was cut again and again', { cause: cut })
        })
        if (next.done) break
        isNew ||= next.value.id !== null && next.value.id !== lastId
        lastId = next.value.id ?? lastId
        yield next.value
        if (isLast(next.value)) return
      }
    } finally {
      await events.return().catch(() => {})
    }
    failures = isNew || Date.now() - began > LASTED_MS ? 0 : failures + 1
    if (failures > maxRetries)
      throw new ConnectionError('the stream of events ends again and again without its last one')
    await pause(failures === 0 ? 0 : pauseMs(failures), signal)
  }
}

/** Events of one connection. @throws Error when it is cut */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void, void> {
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
      const lines = (line + decoder.decode(value, { stream: true })).split('\n')
      line = lines.pop() ?? ''
      if (line.length + data.length > MAX_EVENT_CHARS)
        throw new ConnectionError(`an event has more than ${MAX_EVENT_CHARS} characters (MAX_EVENT_CHARS)`)
      for (const text of lines) {
        const [, field, content = ''] = /^(\w*):? ?(.*?)\r?$/.exec(text) ?? []
        if (field === 'event') type = content
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

/** What a read gives. @throws ConnectionError after a minute without a byte */
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
