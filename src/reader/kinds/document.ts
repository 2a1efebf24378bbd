import { broken } from '../../documents/broken.ts'
import { formatOf } from '../../documents/formats.ts'
import { readDocument } from '../../documents/read-document.ts'
import type { DocumentText, ReadingOptions } from '../../ports/reader.ts'

/** A document by its extension. @throws FailureError `invalid_input` for one that is broken, `limit_exceeded` */
export async function readAsDocument(
  bytes: Uint8Array,
  { name, extension, pages, maxChars }: ReadingOptions['document'],
  signal: AbortSignal,
): Promise<DocumentText> {
  const load = formatOf(extension) ?? broken(`${extension} files are not read`)
  const document = await (await load())(bytes, name)
  try {
    return await readDocument(document, pages, { now: Date.now }, signal, maxChars)
  } finally {
    await document.close?.()
  }
}
