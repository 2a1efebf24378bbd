import { encodeBase64 } from '../../../../../core/base64.ts'
import { mediaType } from '../../../../media-type.ts'

/** Media type by a file's name, without a claim about its encoding, which only its bytes can prove. */
export const typeByName = (path: string) => mediaType(path.slice(path.lastIndexOf('/') + 1)).split(';', 1)[0] ?? BYTES

/** Content of a resource: text where the bytes are UTF-8 without NUL, base64 of any other. */
export function contentsOf(uri: string, path: string, bytes: Uint8Array) {
  const mimeType = typeByName(path)
  const text = isTextual(mimeType) ? textOf(bytes) : null
  if (text === null) return { uri, mimeType, blob: encodeBase64(bytes) }
  return { uri, mimeType: mimeType === BYTES ? 'text/plain' : mimeType, text }
}

function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null // bytes of another encoding
  }
}

/** Whether content of the type may be text: a PDF of ASCII characters is none to a host that shows PDFs. */
const isTextual = (mimeType: string) =>
  !/^(?:image\/(?!svg)|audio\/|video\/|application\/(?:pdf|zip|gzip|x-tar|vnd\.))/.test(mimeType)

const BYTES = 'application/octet-stream'
