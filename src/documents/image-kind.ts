import { imageKind } from './deck/image.ts'

/** Kind and size of a picture that models take. */
export interface PictureKind {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  /** Width in pixels. */
  readonly width: number
  readonly height: number
}

/** Length of the beginning that is read: the size of a JPEG stands behind its metadata. */
const HEAD_BYTES = 1024 * 1024

/**
 * Kind and size of a picture, by its first bytes alone.
 * @throws FailureError `invalid_input` for anything but a PNG, JPEG, GIF or WebP
 */
export function pictureKind(bytes: Uint8Array, what: string): PictureKind {
  const head = bytes.subarray(0, HEAD_BYTES)
  const webp = webpSize(head)
  if (webp) return { mediaType: 'image/webp', ...webp }
  const { extension, width, height } = imageKind(head, what)
  return { mediaType: `image/${extension}`, width, height }
}

/** Size of a WebP, which stands in its first chunk: lossy, lossless or extended. */
function webpSize(bytes: Uint8Array): Pick<PictureKind, 'width' | 'height'> | null {
  if (bytes.length < 30 || textAt(bytes, 0) !== 'RIFF' || textAt(bytes, 8) !== 'WEBP') return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (textAt(bytes, 12)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 'VP8L': {
      const packed = view.getUint32(21, true)
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 }
    default:
      return null
  }
}

const textAt = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
