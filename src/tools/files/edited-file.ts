import { fail } from '../../core/failure.ts'
import { MAX_EDIT_BYTES } from '../../core/limits/workspace.ts'
import {
  detectEncoding,
  encodeFile,
  encodingNamed,
  tryDecode,
  writable,
  writtenName,
} from '../../documents/encoding.ts'
import { lineBreaksOf } from './line-breaks.ts'
import type { TextFile } from './text-file.ts'

/** Bytes of an edited file, and what is to be said of them. */
export interface EditedFile {
  readonly content: Uint8Array
  /** Name of the encoding that the bytes have. */
  readonly encoding: string
  /** Fields of the answer besides: line breaks, and a missing one at the end. */
  readonly facts: { readonly line_endings: string; readonly final_newline?: false }
  readonly notes: readonly string[]
}

/**
 * An edited text as the bytes of its file: in the file's encoding, with its mark.
 * @param raw the whole text with the line breaks to be written
 * @param encodingName encoding to write in instead
 * @throws FailureError `invalid_input` when the encoding cannot hold the text; `limit_exceeded` past MAX_EDIT_BYTES
 */
export function editedFile(file: TextFile, raw: string, encodingName?: string): EditedFile {
  const encoding = encodingName ? encodingNamed(encodingName) : writable(file.encoding)
  const content = encodeFile(raw, encoding)
  if (content.length > MAX_EDIT_BYTES) {
    fail(
      'limit_exceeded',
      `the file would have ${content.length} bytes; at most ${MAX_EDIT_BYTES} can be edited (MAX_EDIT_BYTES)`,
    )
  }
  const written = writtenName(content, encoding)
  const isWider = written !== encoding.name && written !== file.storedAs
  const noFinalBreak = raw !== '' && !/[\n\r]$/.test(raw.slice(-1))
  return {
    content,
    encoding: written,
    facts: { line_endings: lineBreaksOf(raw).name, ...(noFinalBreak && { final_newline: false }) },
    notes: isWider
      ? [
          `The new text has characters beyond ${encoding.name}: the file is ${written} now, which readers of ${encoding.name} alone cannot read.` +
            (isRecognised(content, raw) ? '' : ` It is not recognised by itself: read it with encoding "${written}".`),
        ]
      : [],
  }
}

/** Whether the file would be read as it is written, by one who is told no encoding. */
function isRecognised(content: Uint8Array, raw: string): boolean {
  const encoding = detectEncoding(content)
  return encoding !== null && tryDecode(content, encoding) === raw
}
