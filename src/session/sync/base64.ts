import { Buffer } from 'node:buffer'

// Not Uint8Array's own `toBase64` and `fromBase64`: Node 24, which runs the tests, does not have them.

export const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** Decodes base64, skipping other characters and white space. */
export const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'))
