import { RpcError } from './connect-json.ts'
import { MAX_PART_HEADER_BYTES } from './limits.ts'

export interface Part {
  readonly headers: ReadonlyMap<string, string>
  /** Content, which must be read to its end before the next part is requested. */
  readonly body: AsyncIterable<Buffer>
}

/** Boundary of a multipart body. @returns the boundary of a multipart content type, or `null` for any other type */
export function multipartBoundary(contentType: string): string | null {
  const match = /^multipart\/form-data\s*;.*?boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  return match?.[1] ?? match?.[2] ?? null
}

/**
 * Reads multipart/form-data piece by piece: memory is a chunk and a boundary, whatever the files' sizes.
 * @see RFC 7578, RFC 2046 section 5.1
 * @throws RpcError `invalid_argument`
 */
export async function* readMultipart(source: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Part> {
  // The preamble may be empty, so the first delimiter has no line break before it; this one is given to it.
  const reader = new DelimitedReader(source, Buffer.from('\r\n'))
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  for await (const _ of reader.until(delimiter));
  while ((await reader.take(2)) !== '--') {
    const part = { headers: parseHeaders(await reader.text(Buffer.from('\r\n\r\n'))), body: reader.until(delimiter) }
    yield part
    for await (const _ of part.body);
  }
}

class DelimitedReader {
  readonly #source: AsyncIterator<Buffer>
  #pending: Buffer

  constructor(source: AsyncIterable<Buffer>, first: Buffer) {
    this.#source = source[Symbol.asyncIterator]()
    this.#pending = first
  }

  /** Bytes up to the delimiter, which is dropped. */
  async *until(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#pending.indexOf(delimiter)
      if (at !== -1) {
        const bytes = this.#pending.subarray(0, at)
        this.#pending = this.#pending.subarray(at + delimiter.length)
        if (bytes.length > 0) yield bytes
        return
      }
      // The last bytes may be the beginning of a delimiter that the next chunk completes.
      const sure = this.#pending.length - delimiter.length + 1
      if (sure > 0) {
        const bytes = this.#pending.subarray(0, sure)
        this.#pending = this.#pending.subarray(sure)
        yield bytes
      }
      await this.#fill()
    }
  }

  async text(delimiter: Buffer): Promise<string> {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of this.until(delimiter)) {
      size += chunk.length
      if (size > MAX_PART_HEADER_BYTES) throw new RpcError('invalid_argument', 'the headers of a part are too long')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  }

  async take(count: number): Promise<string> {
    while (this.#pending.length < count) await this.#fill()
    const bytes = this.#pending.subarray(0, count)
    // After a delimiter come '--' or CRLF; the CRLF stays, since headers end with an empty line even when there are none.
    if (bytes.toString('latin1') === '--') this.#pending = this.#pending.subarray(count)
    return bytes.toString('latin1')
  }

  async #fill(): Promise<void> {
    const { value, done } = await this.#source.next()
    if (done === true) throw new RpcError('invalid_argument', 'the multipart body ends before its last boundary')
    this.#pending = this.#pending.length === 0 ? value : Buffer.concat([this.#pending, value])
  }
}

function parseHeaders(block: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of block.split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

/** A parameter of `Content-Disposition`, with the escapes that browsers and undici use for quotes and line breaks. */
export function dispositionParameter(disposition: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(disposition)
  if (match?.[1] === undefined) return null
  return match[1]
    .replaceAll('%22', '"')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll(/\\(["\\])/g, '$1')
}
