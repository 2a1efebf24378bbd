/**
 * Lengths of answers, in UTF-16 units: what a model takes in beside its task. Each is what a call gives that does not ask for
 * more by `max_chars`. The whole stays where the answer says: in the file, in further pages, in a file under logs/.
 */

/** Text of one `file_read`: some 8,000 tokens, or 800 lines of a program. */
export const FILE_READ_CHARS = 32_000
/** Text of one `parse_document`: some ten pages of a PDF. */
export const DOCUMENT_CHARS = 30_000
/** Each of the two outputs of a command, half from its head and half from its tail: errors stand at the end. */
export const STREAM_CHARS = 16_000
/** Any other answer, as JSON: lists of files, found papers, results of searches. */
export const ANSWER_CHARS = 64_000

/** The greatest `max_chars`, as MAX_READ_CHARS, but for outputs of commands, of which MAX_OUTPUT_BYTES are fetched. */
export const MAX_ANSWER_CHARS = 1024 * 1024
