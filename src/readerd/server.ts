import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import { buffer } from 'node:stream/consumers'
import type { Failure } from '../core/failure.ts'
import {
  MAX_READER_BODY_BYTES,
  MAX_WAITING_OWNERS,
  MAX_WAITING_READINGS,
  READ_MS,
  READER_MEMORY_MIB,
  READER_WAIT_MS,
} from '../core/limits/reader.ts'
import { BUSY, READER_OWNER_HEADER, TOOK_TOO_LONG, TOOK_TOO_MUCH } from '../reader/wire.ts'
import { FairQueue } from './fair-queue.ts'
import { Pool, type ReadingLimits } from './pool.ts'

export interface ReaderServerOptions extends Partial<ReadingLimits> {
  /** Secret that requests show as `Authorization: Bearer`. */
  readonly token: string
}

/** Processes: two at least, since one owner takes all of them but one. */
const PLACES = Math.max(2, Math.min(4, availableParallelism()))

/**
 * The reader on this machine: `POST /` with a reading as its body, answered with JSON as `Answer` has it.
 * Its processes end with {@link ReaderServer.close}.
 */
export interface ReaderServer {
  readonly server: Server
  close(): Promise<void>
}

export function createReaderServer({
  token,
  readMs = READ_MS,
  memoryMib = READER_MEMORY_MIB,
}: ReaderServerOptions): ReaderServer {
  const pool = new Pool({ readMs, memoryMib })
  const queue = new FairQueue({
    running: PLACES,
    runningOfOwner: PLACES - 1,
    waitingOfOwner: MAX_WAITING_READINGS,
    owners: MAX_WAITING_OWNERS,
  })
  const expected = digest(`Bearer ${token}`)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) return refuse(response, 401)
    if (request.method !== 'POST') return refuse(response, 405)
    const size = Number(request.headers['content-length'])
    if (!(size <= MAX_READER_BODY_BYTES)) return refuse(response, 413)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const owner = `${request.headers[READER_OWNER_HEADER.toLowerCase()] ?? ''}`
    const waited = AbortSignal.any([gone.signal, AbortSignal.timeout(READER_WAIT_MS)])
    const release = await queue.take(owner, waited).catch(() => null)
    if (!release) return say(response, { failure: BUSY })
    try {
      // Not before its turn: waiting requests hold no memory.
      const ended = await pool.read(await buffer(request), gone.signal)
      if (ended === 'out-of-time') say(response, { failure: { code: 'timeout', message: TOOK_TOO_LONG } })
      else if (ended === 'process-gone') say(response, { failure: { code: 'limit_exceeded', message: TOOK_TOO_MUCH } })
      else response.writeHead(200, JSON_TYPE).end(ended.answer)
    } finally {
      release()
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy()) // the asker went away while it sent
  })
  return {
    server,
    async close() {
      server.close()
      server.closeAllConnections()
      await pool.close()
    },
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

const say = (response: ServerResponse, answer: { readonly failure: Failure }) =>
  void response.writeHead(200, JSON_TYPE).end(JSON.stringify(answer))

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { Connection: 'close' }).end()
}

const digest = (text: string) => createHash('sha256').update(text).digest()
