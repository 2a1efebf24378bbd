import { fail } from '../../core/failure.ts'
import { MAX_REASON_CHARS } from '../../core/limits/sandbox.ts'

/**
 * Pkt-line, git's frames: four hexadecimal digits of the frame's length, themselves included, and its bytes; `0000` ends a
 * section.
 * @see https://git-scm.com/docs/protocol-common#_pkt_line_format
 */
export const FLUSH = '0000'
export const FRAME_HEAD_CHARS = 4
const MAX_FRAME_BYTES = 65_520

/** Frame of an ASCII text. */
export const pktLine = (text: string) =>
  `${(text.length + FRAME_HEAD_CHARS).toString(16).padStart(FRAME_HEAD_CHARS, '0')}${text}`

/**
 * Number of bytes behind the head of a frame.
 * @returns null for a flush
 * @throws FailureError `upstream` when it is no head
 */
export function frameLength(head: string): number | null {
  const length = /^[0-9a-f]{4}$/i.test(head) ? Number.parseInt(head, 16) : -1
  if (length === 0) return null
  if (length < FRAME_HEAD_CHARS || length > MAX_FRAME_BYTES) notOfGit('is not in the form of git')
  return length - FRAME_HEAD_CHARS
}

/**
 * Texts of frames, without line breaks at their ends; null for a flush. @throws FailureError `upstream` for an incomplete
 * frame
 */
export function* pktLines(bytes: Uint8Array): Generator<string | null> {
  const decoder = new TextDecoder()
  for (let at = 0; at < bytes.length; ) {
    const length = frameLength(decoder.decode(bytes.subarray(at, at + FRAME_HEAD_CHARS)))
    at += FRAME_HEAD_CHARS
    if (at + (length ?? 0) > bytes.length) notOfGit('ends early')
    yield length === null ? null : decoder.decode(bytes.subarray(at, at + length)).replace(/\n$/, '')
    at += length ?? 0
  }
}

/** Fails for an answer that breaks git's protocol. @throws FailureError `upstream` */
export const notOfGit = (why: string): never => fail('upstream', `the answer of the repository's server ${why}`)

/** Fails with the server's own message, which may be any text. @throws FailureError `upstream` */
export const refused = (line: string): never =>
  fail('upstream', `the server says ${JSON.stringify(line.replace(/^ERR /, '').trim().slice(0, MAX_REASON_CHARS))}`)
