import type { ReadingOptions } from '../../ports/reader.ts'
import { readDocument } from '../../registry/apis/document.ts'
import type { Imported } from '../../registry/apis/imported.ts'
import { toolsOfOpenApi } from '../../registry/apis/openapi.ts'
import { toolsOfRapidApi } from '../../registry/apis/rapidapi.ts'

/** The tools that a description of an API makes. @throws FailureError `invalid_input`, `limit_exceeded` */
export async function readApi(bytes: Uint8Array, { format, ...options }: ReadingOptions['api']): Promise<Imported> {
  const document = readDocument(new TextDecoder().decode(bytes))
  return format === 'openapi' ? toolsOfOpenApi(document, options) : toolsOfRapidApi(document, options)
}
