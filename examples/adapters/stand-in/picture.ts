import { inflateSync } from 'node:zlib'
import { must } from './conversation.ts'

/** Picture in a request. */
export interface Picture {
  readonly mediaType: string
  readonly base64: string
}

/** Picture of a `data:` URL. @throws Refusal for any other */
export function pictureOf(url: string): Picture {
  const [, mediaType = '', base64 = ''] = /^data:(image\/[a-z]+);base64,([A-Za-z0-9+/=]+)$/.exec(url) ?? []
  must(base64 !== '', `the URL of a picture is none of data: ${url.slice(0, 60)}`)
  return { mediaType, base64 }
}

/** What is seen in a PNG of eight bits a colour: its size, and its colour where it has one. @throws Refusal where it is none */
export function lookAt({ mediaType, base64 }: Picture): string {
  const bytes = Buffer.from(base64, 'base64')
  must(mediaType === 'image/png', `a picture of the type ${mediaType}, not image/png`)
  must(bytes.toString('latin1', 1, 4) === 'PNG', 'the bytes of the picture are no PNG')
  const [width, height, depth, kind] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[24], bytes[25]]
  must(depth === 8 && kind === 2, 'the picture is not one of red, green and blue')
  const pixels = unfiltered(inflateSync(dataOf(bytes)), width * 3)
  const colours = new Set(Array.from({ length: width * height }, (_, at) => pixels.toString('hex', at * 3, at * 3 + 3)))
  return `${width} by ${height} pixels, ${colours.size === 1 ? `all of them #${[...colours][0]}` : `${colours.size} colours`}`
}

/** Compressed pixels of a PNG: those of all its parts named IDAT. */
function dataOf(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  }
  return Buffer.concat(parts)
}

/** Rows of pixels of three bytes without their filters (PNG, 9.2). */
function unfiltered(rows: Buffer, length: number): Buffer {
  const height = rows.length / (length + 1)
  const pixels = Buffer.alloc(height * length)
  for (let row = 0; row < height; row++) {
    const filter = rows[row * (length + 1)]
    for (let at = 0; at < length; at++) {
      const here = row * length + at
      const left = at < 3 ? 0 : (pixels[here - 3] ?? 0)
      const up = row === 0 ? 0 : (pixels[here - length] ?? 0)
      const corner = row === 0 || at < 3 ? 0 : (pixels[here - length - 3] ?? 0)
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0
      pixels[here] = (rows[row * (length + 1) + 1 + at] ?? 0) + predicted
    }
  }
  return pixels
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [left, up, corner].map((near) => Math.abs(guess - near)) as [number, number, number]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
