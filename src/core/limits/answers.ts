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

/** Files that an answer names as changed by a command: a build makes thousands, and a model looks for the few that it expects. */
export const MAX_CHANGED_FILES = 50

/** Size of a picture that a model is shown: five million characters of base64, the most that models take. */
export const MAX_PICTURE_BYTES = 3_750_000
/** Length of a picture's data URL: MAX_PICTURE_BYTES in base64, with its media type before it. */
export const MAX_DATA_URL_CHARS = 5_000_100
/** Width and height of a picture that a model is shown: models refuse larger ones. */
export const MAX_PICTURE_SIDE_PX = 8_000

/** The greatest `max_chars`, as MAX_READ_CHARS, but for outputs of commands, of which MAX_OUTPUT_BYTES are fetched. */
export const MAX_ANSWER_CHARS = 1024 * 1024
