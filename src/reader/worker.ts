import { MAX_READER_BODY_BYTES } from '../core/limits/reader.ts'
import { readAll } from '../core/read-all.ts'
import { answerOf } from './read.ts'
import { decodeReading } from './wire.ts'

/**
 * The reader as a Worker of its own (wrangler.reader.toml): its isolate has its own memory, and the platform ends what takes
 * more than its `cpu_ms`. It has no address; only the server reaches it, by the service binding READER.
 */
export default {
  async fetch(request) {
    const body = request.body && (await readAll(request.body, MAX_READER_BODY_BYTES))
    if (!body) return new Response(null, { status: 413 })
    return Response.json(await answerOf(decodeReading(body), request.signal))
  },
} satisfies ExportedHandler
