import {
  LEAST_READING_BYTES,
  MAX_ROOM_READINGS,
  READING_ROOM_BYTES,
  TENANT_READING_ROOM_BYTES,
} from '../core/limits/memory.ts'
import { MAX_READER_BODY_BYTES, READER_WAIT_MS } from '../core/limits/reader.ts'
import { MemoryRoom } from '../core/memory-room.ts'
import { readAll } from '../core/read-all.ts'
import { answerOf } from './read.ts'
import { BUSY, decodeReading, READER_BYTES_HEADER, READER_OWNER_HEADER } from './wire.ts'

/** Room for the documents of this isolate, for all of its requests: one large one, or a few small ones. */
const room = new MemoryRoom(
  {
    bytes: READING_ROOM_BYTES,
    ownBytes: TENANT_READING_ROOM_BYTES,
    waiting: MAX_ROOM_READINGS,
    waitMs: READER_WAIT_MS,
  },
  () => Date.now(),
)

/**
 * Worker of the reader (wrangler.reader.toml), apart from the server: its isolate has its own memory, and the platform ends
 * a reading that takes more than its `cpu_ms`. It has no address; only the server reaches it, by the service binding
 * READER.
 */
export default {
  async fetch(request) {
    if (!request.body) return new Response(null, { status: 413 })
    const size = Number(request.headers.get(READER_BYTES_HEADER) ?? MAX_READER_BODY_BYTES)
    const owner = request.headers.get(READER_OWNER_HEADER) ?? ''
    const giveBack = await room.take(owner, Math.max(size, LEAST_READING_BYTES))
    if (!giveBack) return Response.json({ failure: BUSY })
    try {
      // Not before its turn: a document that waits holds no memory here.
      const body = await readAll(request.body, MAX_READER_BODY_BYTES)
      if (!body) return new Response(null, { status: 413 })
      return Response.json(await answerOf(decodeReading(body), request.signal))
    } finally {
      giveBack()
    }
  },
} satisfies ExportedHandler
