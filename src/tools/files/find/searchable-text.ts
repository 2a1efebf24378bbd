import { detectEncoding, tryDecode } from '../../../documents/encoding.ts'
import { universalNewlines } from '../lines.ts'
import type { Literals } from '../pattern/literals.ts'
import type { WorkMeter } from '../pattern/work-meter.ts'

/** Why a content need not be searched: it is not text, or cannot have a match. */
export type NotSearched = 'binary' | 'without'

/**
 * Text of a content, as `file_read` has it, decoded only where it may match: looking for a literal by the engine's own means takes a
 * fraction of what detecting an encoding and running an automaton take.
 */
export function searchableText(
  bytes: Uint8Array,
  literals: Literals | null,
  meter: WorkMeter,
): { readonly text: string } | NotSearched {
  meter.spend(bytes.length / BYTES_PER_STEP)
  const text = utf8(bytes)
  if (text !== null && !text.includes('\0')) {
    const isAscii = text.length === bytes.length
    return mayMatch(text, isAscii, literals) ? { text: universalNewlines(text) } : 'without'
  }
  if (text !== null && !isWideMarked(bytes)) return 'binary'
  if (!isWideMarked(bytes) && bytes.includes(0)) return 'binary'
  return otherText(bytes, literals, meter)
}

/** Text in another encoding than UTF-8. */
function otherText(bytes: Uint8Array, literals: Literals | null, meter: WorkMeter) {
  // In each of those encodings but the wide ones, an ASCII text is written in the same bytes.
  if (literals && !literals.folded && !isWideMarked(bytes) && literals.texts.every(isAsciiText)) {
    if (!mayMatch(SINGLE_BYTES.decode(bytes), false, literals)) return 'without'
  }
  meter.spend(bytes.length * STEPS_PER_DETECTED_BYTE)
  const encoding = detectEncoding(bytes)
  const text = encoding && tryDecode(bytes, encoding)
  return text === null ? 'binary' : { text: universalNewlines(text) }
}

function mayMatch(text: string, isAscii: boolean, literals: Literals | null): boolean {
  if (!literals || (literals.folded && !isAscii)) return true
  const looked = literals.folded ? text.toLowerCase() : text
  return literals.texts.some((literal) => looked.includes(literal))
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return STRICT_UTF8.decode(bytes)
  } catch {
    return null // a fatal decoder throws for nothing else
  }
}

/** Whether the bytes begin with the mark of UTF-16 or UTF-32. */
const isWideMarked = ([one, two, three, four]: Uint8Array) =>
  (one === 0xff && two === 0xfe) ||
  (one === 0xfe && two === 0xff) ||
  (one === 0 && two === 0 && three === 0xfe && four === 0xff)

const isAsciiText = (text: string) => /^[\0-\x7f]*$/.test(text)

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
const SINGLE_BYTES = new TextDecoder('latin1')
/** Bytes decoded in one step of the meter. */
const BYTES_PER_STEP = 8
/** Steps for one byte whose encoding must be found out. */
const STEPS_PER_DETECTED_BYTE = 8
