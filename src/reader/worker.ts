import { MAX_READER_BODY_BYTES } from '../core/limits/reader.ts'
import { readAll } from '../core/read-all.ts'
import { answerOf } from './read.ts'
import { decodeReading } from './wire.ts'

/**
 * Worker of the reader (wrangler.reader.toml), apart from the server: its isolate has its own memory, and the platform ends
 * a reading that takes more than its `cpu_ms`. It has no address; only the server reaches it, by the service binding
 * READER.
 */
export default {
  async fetch(request) {
    const body = request.body && (await readAll(request.body, MAX_READER_BODY_BYTES))
    if (!body) return new Response(null, { status: 413 })
    return Response.json(await answerOf(decodeReading(body), request.signal))
  },
} satisfies ExportedHandler
