import { decompressed } from '../../../core/decompressed.ts'
import { FailureError, fail } from '../../../core/failure.ts'
import { joined } from '../../../core/joined.ts'
import { MAX_SOURCE_BYTES, MAX_SOURCE_FILES, MAX_TEX_CHARS } from '../../../core/limits/papers.ts'
import { readTar, TAR_BLOCK } from '../../../core/tar.ts'
import { broken, tooMuch } from '../../../documents/broken.ts'
import { decodeText } from '../../../documents/decode.ts'

const MEGABYTE = 1024 * 1024
const DAMAGED = 'the archive is damaged; send the LaTeX source as arXiv serves it: .tar.gz, .gz or .tex'

/**
 * LaTeX files of arXiv's source: an archive, packed or not, or one file. Links in an archive are ignored, so nothing can
 * lead out of it.
 * @returns text by name
 * @throws FailureError `invalid_input` for a damaged archive, or names that lead out of it; `limit_exceeded`
 */
export async function texFiles(bytes: Uint8Array): Promise<Map<string, string>> {
  try {
    const [head, whole] = await peeked(
      limited(isGzip(bytes) ? gunzip(bytes) : new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()),
    )
    return isTar(head) ? await filesOf(whole) : new Map([['main.tex', decoded(await textOf(whole))]])
  } catch (thrown) {
    if (thrown instanceof FailureError) throw thrown
    return broken(DAMAGED, { cause: thrown })
  }
}

async function filesOf(archive: ReadableStream<Uint8Array>): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  let count = 0
  let chars = 0
  await readTar(archive, async ({ name: raw, isFile, size, content }) => {
    if (++count > MAX_SOURCE_FILES) tooMuch(`the archive has more than ${MAX_SOURCE_FILES} files (MAX_SOURCE_FILES)`)
    if (!isFile) return
    const name = nameInside(new TextDecoder().decode(raw))
    if (!/\.(?:tex|ltx|latex)$/i.test(name)) return
    chars += size
    if (chars > MAX_TEX_CHARS) tooLong()
    files.set(name, decoded(await content.bytes()))
  })
  return files
}

const tooLong = () => tooMuch(`the LaTeX is longer than ${MAX_TEX_CHARS} characters (MAX_TEX_CHARS)`)

/** Name within the archive. @throws FailureError for a name that leads out of it */
function nameInside(name: string): string {
  const parts = name.replaceAll('\\', '/').split('/')
  if (name.startsWith('/') || parts.includes('..')) {
    fail('invalid_input', 'the archive has names that lead out of it ("/…" or ".."); pack the source directory itself')
  }
  return parts.filter((part) => part !== '' && part !== '.').join('/')
}

function decoded(bytes: Uint8Array): string {
  if (bytes.includes(0)) return broken('the source is not LaTeX text; send .tar.gz, .gz or .tex')
  return decodeText(bytes).text
}

async function textOf(whole: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = whole.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length
    if (size > MAX_TEX_CHARS) {
      await reader.cancel()
      tooLong()
    }
    chunks.push(next.value)
  }
  return joined(chunks)
}

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b
const isTar = (head: Uint8Array) => new TextDecoder('latin1').decode(head.subarray(257, 262)) === 'ustar'

const gunzip = (bytes: Uint8Array) => decompressed(new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(), 'gzip')

/** A small archive may unpack to a huge one. */
function limited(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  let size = 0
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) return controller.close()
      size += value.length
      if (size > MAX_SOURCE_BYTES) {
        await reader.cancel()
        tooMuch(`the archive unpacks to more than ${MAX_SOURCE_BYTES / MEGABYTE} MB (MAX_SOURCE_BYTES)`)
      }
      controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** The first block of a stream, and the stream with that block still in it. */
async function peeked(stream: ReadableStream<Uint8Array>): Promise<[Uint8Array, ReadableStream<Uint8Array>]> {
  const reader = stream.getReader()
  let head: Uint8Array = new Uint8Array(0)
  let ended = false
  while (head.length < TAR_BLOCK && !ended) {
    const { done, value } = await reader.read()
    ended = done
    if (value) head = joined([head, value])
  }
  const first = head
  const whole = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return [first, whole]
}
