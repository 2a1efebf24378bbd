import { parseExactly } from '../core/exact-json.ts'
import { fail } from '../core/failure.ts'
import { joined } from '../core/joined.ts'
import { exceededAt } from '../core/json-bounds.ts'
import { findJsonError } from '../core/json-error.ts'
import { LARGE_BODY_BYTES } from '../core/limits/memory.ts'
import { MAX_BODY_BYTES, MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../core/limits/requests.ts'
import { roomForBody } from './admission/held-bodies.ts'
import { BodyPace } from './body-pace.ts'

/**
 * Bytes of a body, counted while they arrive. A large one waits for room in memory first, and has to come at LEAST_BODY_PACE from then on.
 * @throws FailureError `limit_exceeded` (with `data.limit`) as soon as there are more than MAX_BODY_BYTES; `rate_limited` when there
 *   is no room in time; `timeout` when it comes too slowly
 */
export async function readBody(request: Request): Promise<Uint8Array> {
  const small = await smallBody(request)
  if (small) return small
  const chunks: Uint8Array[] = []
  for await (const chunk of limitedChunks(request)) chunks.push(chunk)
  const [only] = chunks
  if (only && chunks.length === 1) return only
  return joined(chunks)
}

/**
 * Text of a body; a byte order mark is dropped.
 * @throws FailureError `limit_exceeded`, `rate_limited`, `timeout` as {@link readBody}; `invalid_input` when it is not UTF-8
 */
export async function readBodyText(request: Request): Promise<string> {
  try {
    const small = await smallBody(request)
    if (small) return UTF8.decode(small)
    // Decoded as it arrives: bytes and text of a large body would not both fit beside a few more requests.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
    let text = ''
    for await (const chunk of limitedChunks(request)) text += decoder.decode(chunk, { stream: true })
    return text + decoder.decode()
  } catch (thrown) {
    if (thrown instanceof TypeError) fail('invalid_input', 'the body is not valid UTF-8; send UTF-8', { cause: thrown })
    throw thrown
  }
}

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  /** `at`: position of the error, in characters from 0. `message`: in Python's words, as in the published servers. */
  | { readonly ok: false; readonly at: number; readonly message: string }

/** Parses JSON no deeper than MAX_JSON_DEPTH and of no more than MAX_JSON_VALUES, which is checked first and without recursion. */
export const parseJson = (text: string): ParsedJson => parsedBy(JSON.parse, text)

/** Parses arguments of tools as {@link parseJson}: a number that would become another one comes as its digits. */
export const parseExactJson = (text: string): ParsedJson => parsedBy(parseExactly, text)

function parsedBy(parse: (text: string) => unknown, text: string): ParsedJson {
  const exceeded = limitExceeded(text)
  if (exceeded) return { ok: false, ...exceeded }
  try {
    return { ok: true, value: parse(text) }
  } catch {
    // The engine's message differs by version, has no position for some errors and quotes the text.
    return { ok: false, ...findJsonError(text) }
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Size below which a body is read whole, which is several times faster than piece by piece. */
const SMALL_BODY_BYTES = 256 * 1024

/** Reads a body of a small stated size: the runtime reads no more of it than that. @returns null for any other */
async function smallBody(request: Request): Promise<Uint8Array | null> {
  const stated = request.headers.get('Content-Length')
  return stated !== null && Number(stated) <= SMALL_BODY_BYTES ? new Uint8Array(await request.arrayBuffer()) : null
}

/** Drops a body of a stated size, up to twice MAX_BODY_BYTES, before an answer that did not need it. */
export async function discardBody(request: Request): Promise<void> {
  const stated = Number(request.headers.get('Content-Length'))
  if (!request.body || request.bodyUsed || !(stated <= 2 * MAX_BODY_BYTES)) return
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  await discard(() => reader.read(), stated).catch(() => undefined)
  await reader.cancel().catch(() => undefined)
}

async function* limitedChunks(request: Request): AsyncGenerator<Uint8Array> {
  const stated = Number(request.headers.get('Content-Length'))
  if (stated > 2 * MAX_BODY_BYTES) bodyTooLarge()
  if (request.body === null) return
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  let size = 0
  const pace = new BodyPace()
  const read = () => pace.read(reader)
  const takeRoom = async (bytes: number) => {
    await roomForBody(request, bytes)
    pace.begin()
  }
  try {
    if (stated > MAX_BODY_BYTES) {
      await discard(read, stated)
      bodyTooLarge()
    }
    if (stated > LARGE_BODY_BYTES) await takeRoom(stated)
    for (;;) {
      const { done, value } = await read()
      if (done) return
      size += value.byteLength
      // A body whose size was not stated may become as large as any.
      if (size > LARGE_BODY_BYTES && !pace.hasBegun) await takeRoom(MAX_BODY_BYTES)
      if (size > MAX_BODY_BYTES) {
        await discard(read, MAX_BODY_BYTES)
        bodyTooLarge()
      }
      yield value
    }
  } finally {
    pace.end()
    await reader.cancel().catch(() => {}) // the sender may be gone; there is nothing left to read either way
  }
}

/** Reads and drops the rest of a body, up to a limit: many clients read no answer before they have sent all. */
async function discard(read: ReadableStreamDefaultReader<Uint8Array>['read'], maxBytes: number): Promise<void> {
  let size = 0
  while (size < maxBytes) {
    const { done, value } = await read()
    if (done) return
    size += value.byteLength
  }
}

function bodyTooLarge(): never {
  fail('limit_exceeded', `the body is larger than ${MAX_BODY_BYTES} bytes (MAX_BODY_BYTES); send it in parts`, {
    data: { limit: 'MAX_BODY_BYTES', max: MAX_BODY_BYTES },
  })
}

function limitExceeded(text: string): { readonly at: number; readonly message: string } | null {
  const exceeded = exceededAt(text, { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES })
  return exceeded && { at: exceeded.at, message: exceeded.what === 'depth' ? TOO_DEEP : TOO_MANY_VALUES }
}

const TOO_DEEP = `Nested deeper than ${MAX_JSON_DEPTH} levels (MAX_JSON_DEPTH)`
const TOO_MANY_VALUES = `More than ${MAX_JSON_VALUES} values (MAX_JSON_VALUES); send them in parts`
