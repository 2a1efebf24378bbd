import { createGunzip, createInflateRaw } from 'node:zlib'
import type { Deadline } from './deadline.ts'
import { throughZlib, ZLIB_SIZES } from './through-zlib.ts'

/**
 * Unpacks on demand, in pieces that stay small whatever their content, as {@link throughZlib}: a small archive may have a thousand times its size
 * in it.
 * @param deadline after which reading fails
 * @returns fails when read for bytes that are not packed so, end early, or go on behind their end
 */
export const decompressed = (
  packed: ReadableStream<Uint8Array>,
  format: 'gzip' | 'deflate-raw',
  deadline?: Deadline,
): ReadableStream<Uint8Array> =>
  throughZlib(packed, format === 'gzip' ? createGunzip(ZLIB_SIZES) : createInflateRaw(ZLIB_SIZES), deadline)
