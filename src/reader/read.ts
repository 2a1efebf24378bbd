import { FailureError, fail, toFailure } from '../core/failure.ts'
import type { Reading, ReadingKind, ReadingOptions, ReadingResults } from '../ports/reader.ts'
import { type Answer, TOOK_TOO_MUCH } from './wire.ts'

type Read<Kind extends ReadingKind> = (
  bytes: Uint8Array,
  options: ReadingOptions[Kind],
  signal: AbortSignal,
) => Promise<ReadingResults[Kind]>

/** Parsers by kind of reading, loaded at the first reading that needs them. */
const READERS: { readonly [Kind in ReadingKind]: () => Promise<Read<Kind>> } = {
  document: async () => (await import('./kinds/document.ts')).readAsDocument,
  page: async () => (await import('../documents/page/read-web-page.ts')).readWebPage,
  paper: async () => (await import('../papers/sources/read-source.ts')).readSource,
  paper_texts: async () => (await import('../papers/sources/read-source.ts')).cutTexts,
  api: async () => (await import('./kinds/api.ts')).readApi,
  tool_file: async () => (await import('./kinds/tool-file.ts')).readToolFile,
}

/**
 * Reads a file by the parser of its kind. @throws FailureError as the parser does; any other error means that the file is
 * broken
 */
export async function read<Kind extends ReadingKind>(
  { kind, bytes, options }: Reading<Kind>,
  signal: AbortSignal,
): Promise<ReadingResults[Kind]> {
  const load = READERS[kind] ?? fail('invalid_input', `nothing reads ${kind}`)
  const readKind = await load()
  try {
    return await readKind(bytes, options, signal)
  } catch (thrown) {
    if (thrown instanceof FailureError || signal.aborted) throw thrown
    if (thrown instanceof RangeError && NO_ROOM.test(thrown.message))
      fail('limit_exceeded', TOOK_TOO_MUCH, { cause: thrown })
    return fail('invalid_input', BROKEN, { cause: thrown })
  }
}

/** Answer of {@link read} as it is sent back. Never throws. */
export async function answerOf(reading: Reading, signal: AbortSignal): Promise<Answer> {
  try {
    return { result: await read(reading, signal) }
  } catch (thrown) {
    return { failure: toFailure(thrown) }
  }
}

/** Error messages of V8 for a buffer, a list or a text that is larger than it can be. */
const NO_ROOM = /allocation failed|invalid (?:array|string|typed array|array buffer) length/i
/** A parser that fails unforeseen met a file that is broken. */
const BROKEN = 'it is damaged, or built in a way that is not understood; convert it to another format'
