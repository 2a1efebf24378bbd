import { broken } from '../broken.ts'

export interface ImageKind {
  readonly extension: 'png' | 'jpeg' | 'gif'
  /** Width in pixels. */
  readonly width: number
  readonly height: number
}

/**
 * Kind and size of an image, by its first bytes: names and declared types are not trusted.
 * @param what name of the image, for the error
 * @throws FailureError `invalid_input` for an image that some office program could not show
 */
export function imageKind(bytes: Uint8Array, what: string): ImageKind {
  const kind = pngSize(bytes) ?? gifSize(bytes) ?? jpegSize(bytes)
  if (kind === null || kind.width === 0 || kind.height === 0) {
    return broken(`${what} is no PNG, JPEG or GIF image, or is damaged; convert it to PNG first`)
  }
  return kind
}

function pngSize(bytes: Uint8Array): ImageKind | null {
  if (!startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) || bytes.length < 33) return null
  const view = viewOf(bytes)
  return view.getUint32(12) === IHDR
    ? { extension: 'png', width: view.getUint32(16), height: view.getUint32(20) }
    : null
}

function gifSize(bytes: Uint8Array): ImageKind | null {
  if (!startsWith(bytes, [0x47, 0x49, 0x46, 0x38]) || bytes.length < 13) return null
  const view = viewOf(bytes)
  return { extension: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** The size stands in the frame's header, behind segments that each tell their length. */
function jpegSize(bytes: Uint8Array): ImageKind | null {
  if (!startsWith(bytes, [0xff, 0xd8, 0xff])) return null
  const view = viewOf(bytes)
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return null
    if (marker === 0xff) {
      at++ // padding
    } else if (isFrame(marker)) {
      return { extension: 'jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    } else {
      at += 2 + Math.max(2, view.getUint16(at + 2))
    }
  }
  return null
}

/** SOF0 to SOF15, but for the tables among them. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const IHDR = 0x49484452
const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, at) => bytes[at] === byte)
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
