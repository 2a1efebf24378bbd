import { constants, createDeflateRaw, createGzip } from 'node:zlib'
import { throughZlib, ZLIB_SIZES } from './through-zlib.ts'

/**
 * Packs a stream on demand, as {@link throughZlib}.
 * @param effort `fast` where a session's object would have its processor for seconds
 */
export function compressed(
  plain: ReadableStream<Uint8Array>,
  format: 'gzip' | 'deflate-raw',
  effort: 'usual' | 'fast' = 'usual',
): ReadableStream<Uint8Array> {
  const options = { ...ZLIB_SIZES, level: effort === 'fast' ? constants.Z_BEST_SPEED : constants.Z_DEFAULT_COMPRESSION }
  return throughZlib(plain, format === 'gzip' ? createGzip(options) : createDeflateRaw(options))
}
