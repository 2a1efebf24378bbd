import * as z from 'zod'
import { type FailureCode, FailureError, fail } from '../core/failure.ts'
import { MAX_READER_ANSWER_BYTES, READ_MS, READER_WAIT_MS } from '../core/limits/reader.ts'
import { readAll } from '../core/read-all.ts'
import { operator, say } from '../core/saying/saying.ts'
import { withTimeLimit } from '../core/time-limit.ts'
import type { Reader, Reading, ReadingKind, ReadingResults } from '../ports/reader.ts'
import {
  encodeReading,
  READER_BYTES_HEADER,
  READER_OWNER_HEADER,
  TOOK_TOO_LONG,
  TOOK_TOO_MUCH,
} from '../reader/wire.ts'

export interface ReaderHttpOptions {
  /** Sends a request to the reader: a service binding's `fetch`, or the platform's own. */
  readonly send: (request: Request) => Promise<Response>
  readonly url: string
  /** Token that proves the request comes from this server; null where no other client can reach the reader. */
  readonly token: string | null
  /** Owner of the readings, e.g. a tenant: owners take turns, so that none keeps others waiting. */
  readonly owner: string
}

/** Time to wait for the reader, which itself ends what takes too long: a little longer than that. */
const PATIENCE_MS = READER_WAIT_MS + READ_MS + 5_000

const Answer = z.union([
  z.object({ result: z.unknown().refine((result) => result !== undefined) }),
  z.object({
    failure: z.object({
      code: z.string().transform((code) => code as FailureCode), // the reader is of this server's own code
      message: z.string(),
      data: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
])

/** Reader over HTTP: a Worker of its own by a service binding, or reading processes on this machine. */
export function readerHttp({ send, url, token, owner }: ReaderHttpOptions): Reader {
  const headers = {
    'Content-Type': 'application/octet-stream',
    [READER_OWNER_HEADER]: encodeURIComponent(owner),
    ...(token !== null && { Authorization: `Bearer ${token}` }),
  }

  async function ask(reading: Reading, signal: AbortSignal): Promise<unknown> {
    const body = encodeReading(reading)
    const sized = { ...headers, [READER_BYTES_HEADER]: `${body.length}` }
    const response = await send(new Request(url, { method: 'POST', headers: sized, body, signal }))
    const bytes = response.body && (await readAll(response.body, MAX_READER_ANSWER_BYTES))
    if (!response.ok || !bytes) throw new Error(`the reader answered ${response.status}`)
    return JSON.parse(new TextDecoder().decode(bytes))
  }

  return {
    async read<Kind extends ReadingKind>(reading: Reading<Kind>, signal: AbortSignal) {
      const report = await withTimeLimit(PATIENCE_MS, signal, (limited) => ask(reading, limited)).catch((thrown) => {
        signal.throwIfAborted()
        return unanswered(thrown)
      })
      const answer = Answer.parse(report)
      if ('failure' in answer) {
        const { data, ...failure } = answer.failure
        throw new FailureError({ ...failure, ...(data && { data }) })
      }
      return answer.result as ReadingResults[Kind]
    },
  }
}

/** Failure of a reading without an answer: the platform ends a Worker and says why in its error alone. */
function unanswered(thrown: unknown): never {
  const report = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : ''
  if (/exceeded.{0,40}memory/i.test(report)) fail('limit_exceeded', TOOK_TOO_MUCH, { cause: thrown })
  if (/exceeded.{0,40}(?:cpu|time)|TimeoutError/i.test(report)) fail('timeout', TOOK_TOO_LONG, { cause: thrown })
  return fail('upstream', 'the reader of documents could not be reached; try again', { cause: thrown })
}

/** Reader of a server without one. */
export const noReader: Reader = {
  read: async () =>
    fail(
      'upstream',
      say`documents and pages cannot be read on this server; use what needs no reader${operator('. It has none: npm start and npm run sandboxd bring one, else set READER_URL or bind READER')}`,
    ),
}
